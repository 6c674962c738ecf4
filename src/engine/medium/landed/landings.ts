import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestHex, hashBytes, isDigest } from '../../../base/digest.ts';
import { writeStateFile } from '../../../disk/atomic-file.ts';
import { isAbsent } from '../../../disk/is-absent.ts';
import { acquireLock } from '../../../disk/lock.ts';
import { makeStateFolder } from '../../../disk/make-folder.ts';
import { readRecord } from '../../../disk/plain-file.ts';
import { toReadError } from '../../../disk/read-error.ts';
import { removeLeftovers } from '../../../disk/remove-leftovers.ts';
import { toWriteError } from '../../../disk/write-error.ts';
import { compareVersions } from '../../../recipe/constraint.ts';
import { fr } from '../../../text/language.ts';
import { rule } from '../../../text/rule.ts';
import {
  type GivenTag,
  giveTag,
  isKept,
  isSameRecipe,
  isTakenBack,
  type NamedTag,
  type TagState,
  toTagState,
  type WantedTag,
} from './tag-records.ts';

/** Most tags of a recipe that are remembered; those that were given first are forgotten first. */
const mostTags = 5000;

/** What landed in a zone, of whichever media, complete or not. */
export interface Landings {
  /** Highest version that landed, by the name of the recipe. */
  readonly recipes: Readonly<Record<string, string>>;
  /** By registry, repository and tag. */
  readonly tags: Readonly<Record<string, TagState>>;
}

/** A recipe that landed. */
export interface Landing {
  readonly name: string;
  /** Its nominal cookbook. */
  readonly cookbook?: string | undefined;
  readonly version: string;
  /** The tags that its ingredients got, with their digests, by registry, repository and tag. */
  readonly tags: ReadonlyMap<string, Digest>;
  /** Date of its medium, RFC 3339 in UTC, at most a day ahead. */
  readonly resolvedAt: string;
  /** When its medium was written, RFC 3339 in UTC; the same for all parts of a delivery. */
  readonly writtenAt?: string | undefined;
  /** RFC 3339 in UTC. */
  readonly landedAt: string;
  /** Whether a passport vouched for its medium. */
  readonly isVouched?: boolean | undefined;
  /** The peer whose passport did. */
  readonly peer?: string | undefined;
  /** Whether the tags were taken from later media on purpose. */
  readonly isForced?: boolean | undefined;
  /** Whether the import was killed before the recipe itself arrived. */
  readonly isTagsOnly?: boolean | undefined;
}

export interface LandingRecords {
  /**
   * @param peers names of the configured peers; the tags of others do not count. Default: all do
   * @throws SVC-STO-001, SVC-STO-014
   */
  get(zone: string, peers?: ReadonlySet<string>): Promise<Landings>;
  /** Records a recipe, durably and under a lock for all processes. A record that would not change is not written. */
  add(zone: string, landing: Landing): Promise<void>;
  /** Does work while no other process changes a record. */
  during<T>(work: (locked: LockedLandings) => Promise<T>): Promise<T>;
}

/** The records, while they are locked. */
export interface LockedLandings extends Pick<LandingRecords, 'get'> {
  /** Another value after each change. Power loss can bring an earlier one back, which no process then remembers. */
  version(): Promise<string>;
  /** @param known what landed before, as far as its tags are concerned */
  add(zone: string, landing: Landing, known: Landings): Promise<void>;
}

/** The last content that a recipe gave a tag, and that of other peers before. */
type StoredTag = GivenTag & { readonly others?: readonly GivenTag[] };

/** What is kept of one recipe. */
interface LandedRecipe {
  readonly zone: string;
  readonly name: string;
  /** The highest version that landed; absent while none did. */
  readonly version?: string | undefined;
  readonly tags: Readonly<Record<string, StoredTag>>;
}

/** Reads own members: a registry may have the name of one of `Object`. */
const findTag = <T>(tags: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(tags, key) ? tags[key] : undefined;

/** The content that keeps a tag, which a medium would give to other content. */
export function selectKept({ tags }: Landings, key: string, wanted: WantedTag): Digest | undefined {
  const state = findTag(tags, key);
  return state && isKept(state, wanted) ? state.digest : undefined;
}

/** Whether a medium with a passport takes a tag from a later one without. */
export function isTaken({ tags }: Landings, key: string, wanted: WantedTag): boolean {
  const state = findTag(tags, key);
  return state !== undefined && isTakenBack(state, wanted);
}

/**
 * The recipe whose content has a tag that a medium would give to other content.
 *
 * @returns its name, with the version where the record has it, and whether it is another recipe
 */
export function findHolder(
  { tags }: Landings,
  key: string,
  wanted: WantedTag,
): { readonly recipe: string; readonly isOther: boolean } | undefined {
  const given = findTag(tags, key);
  if (given === undefined || given.digest === wanted.digest) return undefined;
  const recipe = given.version === undefined ? given.name : `${given.name}@${given.version}`;
  return { recipe, isOther: !isSameRecipe(given, wanted) };
}

const toList = ({ others = [], ...last }: StoredTag): readonly GivenTag[] => [...others, last];

/** The record after a recipe landed; the same object where nothing changes. */
function addLanding(
  before: LandedRecipe | undefined,
  zone: string,
  landing: Landing,
  known: Landings,
): LandedRecipe {
  const { name, version, tags, landedAt: givenAt, isTagsOnly = false } = landing;
  const isHigher =
    !isTagsOnly && (before?.version === undefined || compareVersions(version, before.version) > 0);
  const changed = [...tags].flatMap(([key, digest]) => {
    const stored = before && findTag(before.tags, key);
    const list = stored === undefined ? [] : toList(stored);
    const after = giveTag(list, findTag(known.tags, key), { ...landing, digest, givenAt });
    if (after === list) return [];
    const others = after.slice(0, -1);
    return [[key, { ...after.at(-1)!, ...(others.length > 0 ? { others } : {}) }] as const];
  });
  if (before !== undefined && !isHigher && changed.length === 0) return before;
  const isChanged = new Set(changed.map(([key]) => key));
  const kept = Object.entries(before?.tags ?? {}).filter(([key]) => !isChanged.has(key));
  return {
    ...{ zone, name, version: isHigher ? version : before?.version },
    tags: Object.fromEntries([...kept, ...changed].slice(-mostTags)),
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isLanded(value: unknown): value is LandedRecipe {
  if (!isRecord(value) || !isRecord(value.tags)) return false;
  const isText = (one: unknown): one is string => typeof one === 'string';
  const isDate = (one: unknown): boolean => isText(one) && !Number.isNaN(Date.parse(one));
  const isGiven = (one: unknown): boolean =>
    isRecord(one) && isDigest(one.digest) && isDate(one.resolvedAt) && isDate(one.givenAt);
  const isStored = (one: unknown): boolean =>
    isGiven(one) &&
    isRecord(one) &&
    (one.others === undefined || (Array.isArray(one.others) && one.others.every(isGiven)));
  const isVersion = value.version === undefined || isText(value.version);
  return [value.zone, value.name].every(isText) && isVersion && Object.values(value.tags).every(isStored);
}

/**
 * Opens the records of landed recipes, a file for each in `<state>/media/landed/`. They are never on a medium.
 *
 * @param stateRoot folder of the state; created on the first write
 */
export function openLandings(stateRoot: string): LandingRecords {
  const folder = join(stateRoot, 'media', 'landed');
  const parse = (document: unknown): LandedRecipe | undefined => (isLanded(document) ? document : undefined);
  const flaw = rule([
    'not a record of a recipe that landed',
    fr`pas un enregistrement d’une recette arrivée`,
  ]);
  const read = (path: string): Promise<LandedRecipe | undefined> => readRecord(path, parse, flaw);
  const versionPath = join(folder, 'version');
  const get: LandingRecords['get'] = async (zone, peers) => {
    const names = await readdir(folder).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw toReadError(error, folder);
    });
    const recipes = new Map<string, string>();
    const given = new Map<string, NamedTag[]>();
    for (const file of names.filter((one) => one.endsWith('.json')).sort()) {
      const one = await read(join(folder, file));
      if (one?.zone !== zone) continue;
      if (one.version !== undefined) recipes.set(one.name, one.version);
      for (const [key, stored] of Object.entries(one.tags)) {
        const named = toList(stored).map((tag) => ({ ...tag, name: one.name }));
        given.set(key, [...(given.get(key) ?? []), ...named]);
      }
    }
    const tags = [...given].flatMap(([key, all]) => {
      const state = toTagState(all, peers);
      return state === undefined ? [] : [[key, state] as const];
    });
    return { recipes: Object.fromEntries(recipes), tags: Object.fromEntries(tags) };
  };
  const locked: LockedLandings = {
    get,
    version: () => readFile(versionPath, 'utf8').catch(() => ''),
    add: async (zone, landing, known) => {
      const name = digestHex(hashBytes(JSON.stringify([zone, landing.name]))).slice(0, 32);
      const path = join(folder, `${name}.json`);
      const before = await read(path);
      const after = addLanding(before, zone, landing, known);
      if (after === before) return;
      await removeLeftovers(path);
      await writeStateFile(path, `${JSON.stringify(after, null, 2)}\n`);
      await writeFile(versionPath, randomUUID(), { mode: 0o600 }).catch((error: unknown) => {
        throw toWriteError(error, versionPath, { place: 'state' });
      });
    },
  };
  const during: LandingRecords['during'] = async (work) => {
    await makeStateFolder(folder);
    await using _lock = await acquireLock(join(stateRoot, 'media', 'landed.lock'), 'exclusive', {
      holder: rule(['media import', fr`import du support`]),
      patience: 10_000,
    });
    return await work(locked);
  };
  return {
    ...{ get, during },
    add: (zone, landing) => during(async ({ add }) => add(zone, landing, await get(zone))),
  };
}
