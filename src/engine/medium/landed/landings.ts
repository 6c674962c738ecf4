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

/** Most tags of a recipe that are remembered; those that were given first are forgotten first. */
const mostTags = 5000;

/** The content that an import gave a tag of the registry of the zone. */
interface GivenTag {
  readonly digest: Digest;
  /** Date of the medium, RFC 3339 in UTC. */
  readonly resolvedAt: string;
  /** When the medium was written, RFC 3339 in UTC: of two deliveries of one date, the later one. Absent in earlier records. */
  readonly writtenAt?: string | undefined;
  /** When the import gave it, RFC 3339 in UTC: of two recipes, the last one has the tag. */
  readonly givenAt: string;
  /** Version of the recipe that gave it; absent in records of earlier versions, which knew no passports. */
  readonly version?: string;
  /** Date of the last medium that gave it content and for which a passport vouched. */
  readonly vouchedAt?: string;
  /** Whether a medium with a passport gave it this content; absent without `vouchedAt`, and in earlier records. */
  readonly vouched?: boolean;
  /** The peer whose passport did; absent in records of earlier versions. */
  readonly peer?: string | undefined;
}

/** What landed in a zone, of whichever media, complete or not. */
export interface Landings {
  /** Highest version that landed, by the name of the recipe. */
  readonly recipes: Readonly<Record<string, string>>;
  /** By registry, repository and tag. */
  readonly tags: Readonly<Record<string, GivenTag & { /** Name of the recipe. */ readonly name: string }>>;
}

/** A recipe that landed. */
export interface Landing {
  readonly name: string;
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
  /** @throws SVC-STO-001, SVC-STO-014 */
  get(zone: string): Promise<Landings>;
  /** Records a recipe, durably and under a lock for all processes. A record that would not change is not written. */
  add(zone: string, landing: Landing): Promise<void>;
  /** Does work while no other process changes a record. */
  during<T>(work: (locked: LockedLandings) => Promise<T>): Promise<T>;
}

/** The records, while they are locked. */
export interface LockedLandings {
  /** Another value after each change. Power loss can bring an earlier one back, which no process then remembers. */
  version(): Promise<string>;
  get(zone: string): Promise<Landings>;
  add(zone: string, landing: Landing): Promise<void>;
}

/** What is kept of one recipe. */
interface LandedRecipe {
  readonly zone: string;
  readonly name: string;
  /** The highest version that landed; absent while none did. */
  readonly version?: string | undefined;
  readonly tags: Readonly<Record<string, GivenTag>>;
}

const isEarlier = (date: string, other: string): boolean => Date.parse(date) < Date.parse(other);

type Dated = Pick<GivenTag, 'resolvedAt' | 'writtenAt'>;

/** Whether two media have one date, as after one synchronization, and the first one was written earlier. */
const isWrittenEarlier = (one: Dated, other: Dated): boolean =>
  Date.parse(one.resolvedAt) === Date.parse(other.resolvedAt) &&
  one.writtenAt !== undefined &&
  other.writtenAt !== undefined &&
  isEarlier(one.writtenAt, other.writtenAt);

/** The tag as an import gave it last. Reads own members: a registry may have the name of one of `Object`. */
const findTag = <T extends GivenTag>(tags: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(tags, key) ? tags[key] : undefined;

/** Content of a recipe that a medium would give a tag. */
type WantedTag = Pick<GivenTag, 'digest' | 'resolvedAt' | 'writtenAt'> &
  Pick<Landing, 'name' | 'version' | 'isVouched' | 'peer'>;

/** A tag that an import gave to other content. */
function findOther(
  { tags }: Landings,
  key: string,
  { digest }: WantedTag,
): Landings['tags'][string] | undefined {
  const given = findTag(tags, key);
  return given?.digest === digest ? undefined : given;
}

/**
 * The content that keeps a tag, which a medium would give to other content: that of a later medium, or of one of the same date
 * that was written later. Anybody can write a date:
 * a medium with a passport gives way to a later one with a passport, and to a higher version of the same recipe. One without a
 * passport gives way to all content that came with a passport, of any date and any recipe. The dates of two peers say nothing about
 * each other: the content of one gives way to a higher version of the same recipe of the other.
 */
export function selectKept(landings: Landings, key: string, wanted: WantedTag): Digest | undefined {
  const given = findOther(landings, key, wanted);
  if (given === undefined) return undefined;
  const { version } = given;
  if (isOfOtherPeer(given, wanted)) {
    const isHigher =
      given.name === wanted.name && compareVersions(wanted.version, version ?? wanted.version) > 0;
    return isHigher ? undefined : given.digest;
  }
  const isTied = isWrittenEarlier(wanted, given);
  if (!isTied && !isEarlier(wanted.resolvedAt, given.resolvedAt))
    return !wanted.isVouched && isOfPassport(given) ? given.digest : undefined;
  if (!wanted.isVouched || version === undefined) return given.digest;
  const isLower = given.name === wanted.name && compareVersions(wanted.version, version) < 0;
  const isOlder = given.vouchedAt !== undefined && isEarlier(wanted.resolvedAt, given.vouchedAt);
  return isLower || isOlder || (isTied && isOfPassport(given)) ? given.digest : undefined;
}

/** Whether content came with a passport. Of an earlier record, the dates tell; those that knew no passports are none. */
const isOfPassport = ({ version, vouched, vouchedAt, resolvedAt }: GivenTag): boolean =>
  vouched ?? (version !== undefined && vouchedAt === resolvedAt);

/** Whether the passports of two peers vouch for two contents of a tag. */
const isOfOtherPeer = (given: GivenTag, { isVouched, peer }: Pick<Landing, 'isVouched' | 'peer'>): boolean =>
  isVouched === true && peer !== undefined && isOfPassport(given) && (given.peer ?? peer) !== peer;

/** Whether a medium with a passport takes a tag from a later one without. */
export function isTaken(landings: Landings, key: string, wanted: WantedTag): boolean {
  const given = findOther(landings, key, wanted);
  const isLater =
    given !== undefined &&
    !isOfOtherPeer(given, wanted) &&
    (isEarlier(wanted.resolvedAt, given.resolvedAt) || isWrittenEarlier(wanted, given));
  return isLater && selectKept(landings, key, wanted) === undefined;
}

/**
 * The recipe whose content has a tag that a medium would give to other content.
 *
 * @returns its name, with the version where the record has it, and whether it is another recipe
 */
export function findHolder(
  landings: Landings,
  key: string,
  wanted: WantedTag,
): { readonly recipe: string; readonly isOther: boolean } | undefined {
  const given = findOther(landings, key, wanted);
  if (given === undefined) return undefined;
  const recipe = given.version === undefined ? given.name : `${given.name}@${given.version}`;
  return { recipe, isOther: given.name !== wanted.name };
}

/** The record after a recipe landed; the same object where nothing changes. */
function addLanding(before: LandedRecipe | undefined, zone: string, landing: Landing): LandedRecipe {
  const { name, version, tags, resolvedAt, writtenAt, landedAt: givenAt } = landing;
  const { isVouched = false, isForced = false, isTagsOnly = false, peer } = landing;
  const isHigher =
    !isTagsOnly && (before?.version === undefined || compareVersions(version, before.version) > 0);
  const isNew = ([key, digest]: readonly [string, Digest]): boolean => {
    const last = before && findTag(before.tags, key);
    if (last?.digest === digest && isOfOtherPeer(last, landing)) return false;
    if (last?.digest !== digest || isEarlier(last.resolvedAt, resolvedAt)) return true;
    const vouchedAt = toVouchedAt(last);
    return isVouched && (vouchedAt === undefined || isEarlier(vouchedAt, resolvedAt));
  };
  if (before !== undefined && !isHigher && !isForced && ![...tags].some(isNew)) return before;
  const kept = Object.entries(before?.tags ?? {}).filter(([key]) => !tags.has(key));
  const given = [...tags].map(([key, digest]) => {
    const last = before && findTag(before.tags, key);
    // it stays that of the peer that brought it first
    if (last?.digest === digest && isOfOtherPeer(last, landing)) return [key, last] as const;
    const isSamePeer = !isVouched || (last?.peer ?? peer) === peer;
    const vouchedAt = selectLatest(
      isVouched ? resolvedAt : undefined,
      last && isSamePeer ? toVouchedAt(last) : undefined,
    );
    const by = isVouched ? peer : last?.peer;
    const vouched = isVouched || (last?.digest === digest && isOfPassport(last));
    return [
      key,
      {
        digest,
        resolvedAt,
        ...(writtenAt ? { writtenAt } : {}),
        givenAt,
        version,
        ...(vouchedAt ? { vouchedAt, vouched, ...(by === undefined ? {} : { peer: by }) } : {}),
      },
    ] as const;
  });
  return {
    ...{ zone, name, version: isHigher ? version : before?.version },
    tags: Object.fromEntries([...kept, ...given].slice(-mostTags)),
  };
}

/** The date of the last medium with a passport that gave a tag. Any one of an earlier version may have had one. */
const toVouchedAt = ({ version, vouchedAt, resolvedAt }: GivenTag): string | undefined =>
  version === undefined ? resolvedAt : vouchedAt;

const selectLatest = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && isEarlier(a, b)) ? b : a;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isLanded(value: unknown): value is LandedRecipe {
  if (!isRecord(value) || !isRecord(value.tags)) return false;
  const isText = (one: unknown): one is string => typeof one === 'string';
  const isDate = (one: unknown): boolean => isText(one) && !Number.isNaN(Date.parse(one));
  const isGiven = (one: unknown): boolean =>
    isRecord(one) && isDigest(one.digest) && isDate(one.resolvedAt) && isDate(one.givenAt);
  const isVersion = value.version === undefined || isText(value.version);
  return [value.zone, value.name].every(isText) && isVersion && Object.values(value.tags).every(isGiven);
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
  const get: LandingRecords['get'] = async (zone) => {
    const names = await readdir(folder).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw toReadError(error, folder);
    });
    const recipes = new Map<string, string>();
    const tags = new Map<string, Landings['tags'][string]>();
    for (const file of names.filter((one) => one.endsWith('.json')).sort()) {
      const one = await read(join(folder, file));
      if (one?.zone !== zone) continue;
      if (one.version !== undefined) recipes.set(one.name, one.version);
      for (const [key, given] of Object.entries(one.tags)) {
        const other = tags.get(key);
        const last = other && isEarlier(given.givenAt, other.givenAt) ? other : { ...given, name: one.name };
        // another recipe may have given the same content
        const isSame = other?.digest === given.digest;
        const vouched = isOfPassport(last) || (isSame && (isOfPassport(given) || isOfPassport(other)));
        const isSamePeer = (given.peer ?? other?.peer) === (other?.peer ?? given.peer);
        const vouchedAt = isSamePeer
          ? selectLatest(toVouchedAt(given), other && toVouchedAt(other))
          : toVouchedAt(last);
        tags.set(key, { ...last, ...(vouchedAt ? { vouchedAt, vouched } : {}) });
      }
    }
    return { recipes: Object.fromEntries(recipes), tags: Object.fromEntries(tags) };
  };
  const locked: LockedLandings = {
    get,
    version: () => readFile(versionPath, 'utf8').catch(() => ''),
    add: async (zone, landing) => {
      const name = digestHex(hashBytes(JSON.stringify([zone, landing.name]))).slice(0, 32);
      const path = join(folder, `${name}.json`);
      const before = await read(path);
      const after = addLanding(before, zone, landing);
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
  return { get, during, add: (zone, landing) => during(({ add }) => add(zone, landing)) };
}
