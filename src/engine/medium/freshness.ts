import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import type { Delivery } from '../../contract/delivery.ts';
import type { MediumAge, MediumClaims } from '../../contract/medium.ts';
import { writeStateFile } from '../../disk/atomic-file.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { acquireLock } from '../../disk/lock.ts';
import { makeStateFolder } from '../../disk/make-folder.ts';
import { readRecord } from '../../disk/plain-file.ts';
import { removeLeftovers } from '../../disk/remove-leftovers.ts';
import { compareVersions } from '../../recipe/constraint.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { type Arrivals, openArrivals } from '../../zone/arrivals.ts';
import { type LandingRecords, type Landings, openLandings } from './landed/landings.ts';

/** An import of a medium. Times are RFC 3339 in UTC. */
interface MediumImport {
  readonly mediaId: string;
  /** At most a day after the import. */
  readonly resolvedAt: string;
  readonly importedAt: string;
  readonly runId: string;
  /** Digest of its `media.jsonl`; absent in records of earlier versions. */
  readonly manifest?: Digest;
  /** The delivery that it is a part of, if its manifest names one. */
  readonly delivery?: { readonly id: string; readonly part: number };
  /** Whether every recipe of the medium landed, and its delivery was complete; absent in records of earlier versions. */
  readonly whole?: boolean;
  /** The peer whose passport vouched for it, if one did. */
  readonly peer?: string;
}

/** Record of a zone about the freshest medium that it imported: its time never decreases. */
export interface FreshnessRecord extends MediumImport {
  /** The last import, while it is that of an older medium. */
  readonly last?: MediumImport;
  /** Imports before it of other media, and of earlier deliveries on the same one, the latest first. */
  readonly earlier?: readonly MediumImport[];
  /**
   * The freshest import of each peer whose passport vouched for it. One without a name was recorded by an earlier version, and
   * counts for all peers; absent in such a record.
   */
  readonly vouched?: readonly MediumImport[];
  /** Highest imported version by recipe name. */
  readonly recipes: Readonly<Record<string, string>>;
}

type Document = Readonly<Record<string, FreshnessRecord>>;

/** Most media that are remembered after the import of others. */
const mostEarlier = 20;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Selects the import beside which the date of a medium counts. Anybody can write a date: a medium with a passport is compared
 * with the freshest one for which the same peer vouched.
 *
 * @param peer the peer whose passport vouches for the medium, if one does
 */
export function selectFreshest(
  record: FreshnessRecord | undefined,
  peer: string | undefined,
): MediumImport | undefined {
  if (record === undefined || peer === undefined) return record;
  return selectLatest(listVouched(record).filter((one) => one.peer === undefined || one.peer === peer));
}

/** Earlier versions recorded no passports: any peer may have vouched for their freshest medium. */
const listVouched = (record: FreshnessRecord): readonly MediumImport[] => record.vouched ?? [record];

/** Whether a medium is older than the freshest one imported for its zone; equal times are not stale. */
export function isStale(resolvedAt: string, record: Pick<MediumImport, 'resolvedAt'> | undefined): boolean {
  return record !== undefined && Date.parse(resolvedAt) < Date.parse(record.resolvedAt);
}

/**
 * Finds the import of a medium, with every recipe that passed, in a record.
 *
 * @param medium.resolvedAt tells its deliveries apart: a store keeps its identifier. Default: any of them
 */
export function findImport(
  record: FreshnessRecord | undefined,
  {
    mediaId,
    resolvedAt,
  }: { readonly mediaId?: string | undefined; readonly resolvedAt?: string | undefined },
): MediumImport | undefined {
  const all =
    record === undefined ? [] : [record, ...(record.last ? [record.last] : []), ...(record.earlier ?? [])];
  return all.find(
    (one) =>
      one.mediaId === mediaId &&
      (resolvedAt === undefined ||
        Date.parse(boundDate(resolvedAt, Date.parse(one.importedAt))) === Date.parse(one.resolvedAt)),
  );
}

/**
 * Compares a medium with the imports of its zone. It counts as imported only where everything that it carries landed, with
 * other parts of its delivery or without them: of any other, content may still be absent, and an older one is refused.
 *
 * @param options.manifest digest of its `media.jsonl`. Default: not compared
 * @param options.delivery the part of its delivery that arrived. Default: nothing
 * @param options.peer the peer whose passport vouches for it. Default: none does
 */
export function toAge(
  { mediaId, resolvedAt }: Pick<MediumClaims, 'mediaId' | 'resolvedAt'>,
  record: FreshnessRecord | undefined,
  {
    manifest,
    delivery,
    peer,
  }: {
    readonly manifest?: Digest | undefined;
    readonly delivery?: Delivery | undefined;
    readonly peer?: string | undefined;
  } = {},
): MediumAge {
  const isSame = (one: { readonly manifest?: Digest }): boolean =>
    manifest === undefined || one.manifest === manifest;
  const own = findImport(record, { mediaId, resolvedAt });
  const part = delivery?.complete && delivery.landed.find((one) => one.mediaId === mediaId && isSame(one));
  // its part is dated by its first import, the record by the last one
  const found = part || (own?.whole === true && isSame(own) ? own : undefined);
  const freshest = selectFreshest(record, peer);
  return {
    resolvedAt,
    ...(freshest && { recordedAt: freshest.resolvedAt, recordedMediaId: freshest.mediaId }),
    stale: isStale(resolvedAt, freshest),
    ...(found && { importedAt: found.importedAt }),
  };
}

/** A date of a medium; `now` (milliseconds since the epoch) for one that is more than a day after it. */
export function boundDate(resolvedAt: string, now: number): string {
  return new Date(isFromTheFuture(resolvedAt, now) ? now : Date.parse(resolvedAt)).toISOString();
}

/** Whether `resolvedAt` is more than a day after `now` (milliseconds since the epoch). */
export function isFromTheFuture(resolvedAt: string, now: number): boolean {
  return Date.parse(resolvedAt) > now + dayMs;
}

/** The time of the import of the freshest medium, when that had a later date, which may count as that of the import: one clock was wrong. */
export function selectWrongClock({
  resolvedAt,
  importedAt,
}: Pick<MediumImport, 'resolvedAt' | 'importedAt'>): {
  readonly importedAt?: string;
} {
  return Date.parse(resolvedAt) >= Date.parse(importedAt) ? { importedAt } : {};
}

/** The highest imported version of a recipe, when higher than this one. Reads own members: a name may be `constructor`. */
export function selectNewer(
  name: string,
  version: string,
  ...records: readonly (Pick<Landings, 'recipes'> | undefined)[]
): string | undefined {
  let newest = version;
  for (const { recipes } of records.flatMap((one) => one ?? [])) {
    const imported = Object.hasOwn(recipes, name) ? recipes[name]! : version;
    if (compareVersions(newest, imported) < 0) newest = imported;
  }
  return newest === version ? undefined : newest;
}

/** Selects the highest version of each recipe, in the order of the names. */
export function selectHighest(
  recipes: Iterable<{ readonly name: string; readonly version: string }>,
): Map<string, string> {
  const versions = new Map<string, string>();
  for (const { name, version } of recipes) {
    const known = versions.get(name);
    if (known === undefined || compareVersions(version, known) > 0) versions.set(name, version);
  }
  return versions;
}

/**
 * The record after an import in which every cleared recipe was pushed. A time more than a day after the import counts as that of
 * the import, so that one wrong clock does not make all later media stale.
 */
export function advance(
  record: FreshnessRecord | undefined,
  { recipes: landed, ...medium }: MediumImport & Pick<FreshnessRecord, 'recipes'>,
): FreshnessRecord {
  const former = findImport(record, medium);
  // a damaged copy takes nothing back
  const isKept = former?.whole === true && former.manifest === medium.manifest;
  const last = {
    ...{ ...medium, ...(isKept ? { whole: true } : {}) },
    resolvedAt: boundDate(medium.resolvedAt, Date.parse(medium.importedAt)),
  };
  const versions = [...Object.entries(record?.recipes ?? {}), ...Object.entries(landed)];
  const recipes = Object.fromEntries(selectHighest(versions.map(([name, version]) => ({ name, version }))));
  const { peer } = last;
  const others = record === undefined ? [] : listVouched(record).map(toImport);
  const isFreshest = peer !== undefined && !isStale(last.resolvedAt, selectFreshest(record, peer));
  const vouched = isFreshest ? [...others.filter((one) => one.peer !== peer), toImport(last)] : others;
  if (record === undefined) return { ...last, vouched, recipes };
  const { recipes: _, last: before, earlier: known = [], vouched: _v, ...freshest } = record;
  const isOlder = isStale(last.resolvedAt, record);
  const earlier = [...(before ? [before] : []), ...(isOlder ? [] : [freshest]), ...known]
    .filter(({ mediaId, resolvedAt }) => mediaId !== last.mediaId || resolvedAt !== last.resolvedAt)
    .slice(0, mostEarlier);
  const kept = earlier.length === 0 ? {} : { earlier };
  return isOlder ? { ...freshest, last, vouched, recipes, ...kept } : { ...last, vouched, recipes, ...kept };
}

/** The import alone, without the other members of the record of a zone. */
const toImport = (one: MediumImport): MediumImport => {
  const { mediaId, resolvedAt, importedAt, runId, manifest, delivery, peer } = one;
  return {
    ...{ mediaId, resolvedAt, importedAt, runId },
    ...(manifest === undefined ? {} : { manifest }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(peer === undefined ? {} : { peer }),
  };
};

/** Lists the freshest import of each peer whose passport vouched for it. */
export const listStamped = (record: FreshnessRecord | undefined): readonly MediumImport[] =>
  (record?.vouched ?? []).filter(({ peer }) => peer !== undefined);

/** Selects the import with the latest date; of equal dates, the last one. */
export const selectLatest = <T extends Pick<MediumImport, 'resolvedAt'>>(all: readonly T[]): T | undefined =>
  all.reduce<T | undefined>((last, one) => (isStale(one.resolvedAt, last) ? last : one), undefined);

/**
 * Selects the newest import: of each peer the one with the latest date, and of these the last one. The dates of two peers say
 * nothing about each other.
 */
export function selectNewest<T extends Pick<MediumImport, 'resolvedAt' | 'importedAt' | 'peer'>>(
  all: readonly T[],
): T | undefined {
  const peers = [...new Set(all.map(({ peer }) => peer))];
  const ofEach = peers.flatMap((peer) => selectLatest(all.filter((one) => one.peer === peer)) ?? []);
  return ofEach.reduce<T | undefined>(
    (last, one) => (last !== undefined && one.importedAt < last.importedAt ? last : one),
    undefined,
  );
}

export interface FreshnessRecords {
  /** What landed, also of media that are not complete. */
  readonly landings: LandingRecords;
  /** Deliveries of which parts arrived. */
  readonly arrivals: Arrivals;
  get(zone: string): Promise<FreshnessRecord | undefined>;
  /** Replaces the record of one zone by the result of `change`, under a lock for all processes. */
  update(
    zone: string,
    change: (record: FreshnessRecord | undefined) => FreshnessRecord,
  ): Promise<FreshnessRecord>;
}

function isRecord(value: unknown): value is FreshnessRecord {
  const record = value as Partial<FreshnessRecord> | null;
  return (
    typeof record === 'object' &&
    record !== null &&
    typeof record.mediaId === 'string' &&
    typeof record.resolvedAt === 'string' &&
    !Number.isNaN(Date.parse(record.resolvedAt)) &&
    typeof record.importedAt === 'string' &&
    typeof record.runId === 'string' &&
    typeof record.recipes === 'object' &&
    record.recipes !== null &&
    Object.values(record.recipes).every((version) => typeof version === 'string') &&
    [record.earlier, record.vouched].every((list) => list === undefined || Array.isArray(list))
  );
}

/** The record of a zone. Reads own members only: a zone may be named `constructor`. */
function select(document: Document, zone: string): FreshnessRecord | undefined {
  return Object.hasOwn(document, zone) ? document[zone] : undefined;
}

/**
 * Whether a state folder has freshness records. An inaccessible folder counts as present: reading it reports the
 * reason.
 */
export async function hasFreshness(stateRoot: string): Promise<boolean> {
  return access(join(stateRoot, 'media', 'freshness.json')).then(
    () => true,
    (error: unknown) => !isAbsent(error),
  );
}

/**
 * Opens the freshness records of an instance, `<state>/media/freshness.json`. They are never on a medium.
 *
 * @param stateRoot folder of the state; created on the first write
 */
export function openFreshness(stateRoot: string): FreshnessRecords {
  const folder = join(stateRoot, 'media');
  const path = join(folder, 'freshness.json');
  const parse = (document: unknown): Document | undefined =>
    typeof document === 'object' && document !== null && Object.values(document).every(isRecord)
      ? (document as Document)
      : undefined;
  const flaw = rule(['not a freshness record', fr`pas un enregistrement de fraîcheur`]);
  const read = async (): Promise<Document> => (await readRecord(path, parse, flaw)) ?? {};
  return {
    landings: openLandings(stateRoot),
    arrivals: openArrivals(stateRoot),
    get: async (zone) => select(await read(), zone),
    update: async (zone, change) => {
      await makeStateFolder(folder);
      await using _lock = await acquireLock(join(folder, 'freshness.lock'), 'exclusive', {
        holder: rule(['media import', fr`import du support`]),
        patience: 10_000,
      });
      const document = await read();
      const record = change(select(document, zone));
      await removeLeftovers(path);
      await writeStateFile(path, `${JSON.stringify({ ...document, [zone]: record }, null, 2)}\n`);
      return record;
    },
  };
}
