import { isServed } from '../../attest/receipt.ts';
import type { Digest } from '../../base/digest.ts';
import type { PlannedRecipe } from '../../contract/plan.ts';
import type { Receipt, ReceivedRecipe } from '../../contract/receipt.ts';
import { isSent, isWritten, type SentDelivery } from '../../contract/write-medium.ts';
import {
  type ZoneBoard,
  type ZoneBoardRecipe,
  type ZoneRecipeState,
  zoneRecipeStates,
} from '../../contract/zone-board.ts';
import { selectNewest } from '../../recipe/version.ts';
import { type SvcError, toErrorRecord } from '../../text/error.ts';
import { listAwaitedDisks } from './awaited-disks.ts';
import { type RunningWriting, selectUnfinished } from './unfinished.ts';

/** A recipe that a Retriever asks for. */
export interface WantedRecipe {
  readonly name: string;
  /** Version or constraint of the entry. */
  readonly requested: string;
  /** Absent where the entry could not be resolved. */
  readonly version?: string | undefined;
  readonly digest?: Digest | undefined;
  /** Code of the error of an entry that could not be resolved. */
  readonly code?: string | undefined;
  /** That error. */
  readonly error?: SvcError | undefined;
  /** Verdict of this source about its signature. */
  readonly signature?: PlannedRecipe['signature'] | undefined;
  /** Fingerprint of the key that signed it. */
  readonly keyFingerprint?: string | undefined;
}

/** The recipes that a zone should have, at a time (RFC 3339). */
export interface Wanted {
  readonly resolvedAt: string;
  readonly recipes: readonly WantedRecipe[];
  /** Code of the error where the Retriever could not be read; the recipes are those of an earlier reading, or none. */
  readonly code?: string | undefined;
  /** That error. */
  readonly error?: SvcError | undefined;
  /** The Retriever is being read: this is the answer of the reading before, or SVC-SRV-006 where there was none. */
  readonly reading?: boolean;
}

/** The facts from which the board of a zone is decided. */
interface KnownZone {
  readonly name: string;
  readonly wanted: Wanted;
  /** The last receipt that is believed. */
  readonly receipt?: Receipt | undefined;
  /** The last receipt, where no configured key verifies it. */
  readonly unbelieved?: Pick<Receipt, 'sequence' | 'issuedAt'> | undefined;
  /** The zone that brought that receipt with its own. */
  readonly via?: string | undefined;
  /** Another receipt with the number of that one. */
  readonly fork?: NonNullable<ZoneBoard['receipt']>['fork'] | undefined;
  /** The medium that the receipt names, and that this sender did not write. */
  readonly otherMedium?: NonNullable<ZoneBoard['receipt']>['otherMedium'] | undefined;
  /** Code of the error where the receipt of the zone, or the record of its fork, could not be read. */
  readonly unreadable?: string | undefined;
  /** Deliveries to the zone, the latest first. */
  readonly deliveries: readonly SentDelivery[];
  /** The tasks that write disks now. */
  readonly running?: readonly RunningWriting[] | undefined;
  /** Names and versions of recipes by digest, for receipts that withhold them. */
  readonly names?: ReadonlyMap<Digest, { readonly name: string; readonly version: string }> | undefined;
  /** Milliseconds after which the receipt, or a delivery without one, is overdue. */
  readonly maxAge: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const isUnread = ({ code, recipes }: Wanted): boolean => code !== undefined && recipes.length === 0;

/** The age of a time (RFC 3339) in seconds, and whether it is above `maxAge`, in milliseconds as `now`. */
export function judgeAge(
  time: string,
  maxAge: number,
  now: number,
): { readonly ageSeconds: number; readonly overdue: boolean } {
  const age = Math.max(0, now - Date.parse(time));
  return { ageSeconds: Math.floor(age / 1000), overdue: age > maxAge };
}

/** The same with the time since when it is overdue. */
export function datedAge(
  time: string,
  maxAge: number,
  now: number,
): ReturnType<typeof judgeAge> & { readonly overdueSince?: string } {
  const age = judgeAge(time, maxAge, now);
  return age.overdue ? { ...age, overdueSince: new Date(Date.parse(time) + maxAge).toISOString() } : age;
}

/** Part of a board that no time changes. */
interface Rows extends Required<Pick<ZoneBoard, 'totals' | 'recipes' | 'unwanted'>> {
  readonly underWay: readonly SentDelivery[];
  readonly unproved: readonly SentDelivery[];
  /** Number of wanted recipes with a digest. */
  readonly resolved: number;
}

/** The last rows of each list of wanted recipes, with the facts from which they were decided. */
const lastRows = new WeakMap<
  readonly WantedRecipe[],
  { readonly facts: readonly unknown[]; readonly rows: Rows }
>();

/** A page decides the same board every few seconds: while its facts are the same objects, so are its rows. */
function planRows(zone: KnownZone): Rows {
  const { wanted, receipt, unbelieved, fork, unreadable, deliveries, names } = zone;
  const facts = [wanted.code, receipt, unbelieved, fork, unreadable, names, ...deliveries];
  const last = lastRows.get(wanted.recipes);
  if (last?.facts.length === facts.length && facts.every((fact, i) => fact === last.facts[i]))
    return last.rows;
  const underWay = selectUnderWay(zone);
  const unproved = selectUnproved(zone);
  const totals = Object.fromEntries(zoneRecipeStates.map((state) => [state, 0])) as Record<
    ZoneRecipeState,
    number
  >;
  const { recipes, unwanted } = listRecipes(zone, { underWay, unproved });
  for (const { state } of recipes) totals[state] += 1;
  const resolved = wanted.recipes.filter(({ digest }) => digest !== undefined).length;
  const rows = { underWay, unproved, totals, recipes, unwanted, resolved };
  lastRows.set(wanted.recipes, { facts, rows });
  return rows;
}

/** Decides the state of each recipe of a zone from its Retriever, its last receipt and the deliveries to it. */
export function planZoneBoard(zone: KnownZone): ZoneBoard {
  const { name, wanted, receipt, fork, maxAge, now } = zone;
  const toAge = (time: string) => datedAge(time, maxAge, now);
  const { underWay, unproved, totals, recipes, unwanted, resolved } = planRows(zone);
  const unfinished = selectUnfinished(zone.deliveries, zone.running ?? []);
  const toListed = ({ id, startedAt, parts }: SentDelivery) => ({
    ...{ id, startedAt, parts, ageSeconds: toAge(startedAt).ageSeconds },
  });
  const isWhole = !isUnread(wanted) && resolved === wanted.recipes.length;
  return {
    name,
    ...(zone.unreadable === undefined ? {} : { code: zone.unreadable }),
    wanted: {
      state: isWhole ? 'resolved' : resolved > 0 ? 'partial' : 'unresolved',
      resolvedAt: wanted.resolvedAt,
      ...(wanted.code === undefined ? {} : { code: wanted.code }),
      ...(wanted.error === undefined ? {} : { error: toErrorRecord(wanted.error) }),
      ...(wanted.reading ? { reading: true } : {}),
    },
    ...(receipt === undefined
      ? {}
      : {
          receipt: {
            sequence: receipt.sequence,
            issuedAt: receipt.issuedAt,
            ...toAge(receipt.issuedAt),
            ...(zone.via === undefined ? {} : { via: zone.via }),
            ...(fork === undefined ? {} : { fork }),
            ...(zone.otherMedium === undefined ? {} : { otherMedium: zone.otherMedium }),
          },
        }),
    ...(zone.unbelieved === undefined
      ? {}
      : {
          unbelieved: {
            sequence: zone.unbelieved.sequence,
            issuedAt: zone.unbelieved.issuedAt,
            ageSeconds: toAge(zone.unbelieved.issuedAt).ageSeconds,
          },
        }),
    deliveries: underWay.map((one) => {
      const { id, startedAt, parts } = one;
      return { id, startedAt, parts, ...toAge(startedAt), ...toInPart(one, receipt) };
    }),
    ...(unproved.length === 0
      ? {}
      : {
          unproved: unproved.map(toListed),
        }),
    ...(unfinished.length === 0
      ? {}
      : {
          unfinished: unfinished.map((one) => ({
            ...toListed(one),
            ...(one.lost === undefined ? {} : { lost: one.lost }),
          })),
        }),
    totals,
    recipes,
    ...(unwanted.length === 0 ? {} : { unwanted }),
  };
}

/** Whether a receipt names a medium of a delivery: anybody can make one under the name of a part that is not written yet. */
export const isNamedBy = (
  { lastDelivery }: Pick<Receipt, 'lastDelivery'>,
  { id, written }: SentDelivery,
): boolean =>
  id === lastDelivery?.id &&
  written.some(({ part, manifest }) => part === lastDelivery.part && manifest === lastDelivery.manifest);

/** The word of a receipt on a delivery under way that it names. */
function toInPart(
  delivery: SentDelivery,
  receipt: Receipt | undefined,
): Pick<ZoneBoard['deliveries'][number], 'inPart'> {
  if (receipt?.lastDelivery === undefined || !isNamedBy(receipt, delivery)) return {};
  const awaited = listAwaitedDisks(delivery, receipt);
  return {
    inPart: { part: receipt.lastDelivery.part, ...(awaited === undefined ? {} : { awaited: [...awaited] }) },
  };
}

/**
 * Selects the deliveries that no receipt confirms. A receipt confirms the delivery of which it names a medium that this sender
 * wrote, and those before. It also confirms each earlier delivery with all its recipes in the zone: nothing of it is missing,
 * and any medium may have brought it. Such a delivery says nothing of those before.
 */
export function selectUnderWay({
  deliveries,
  receipt,
}: Pick<KnownZone, 'deliveries' | 'receipt'>): readonly SentDelivery[] {
  const written = deliveries.filter(isSent);
  if (receipt === undefined) return written;
  const { lastDelivery, freshness, issuedAt } = receipt;
  // the zone has imported nothing yet
  if (lastDelivery === undefined && freshness === undefined) return written;
  const settled = new Set(
    receipt.recipes.flatMap(({ digest, state }) => (state === 'incomplete' ? [] : [digest])),
  );
  const isSettled = ({ recipes }: SentDelivery): boolean => recipes.every((digest) => settled.has(digest));
  const isHeld = (one: SentDelivery): boolean => one.startedAt <= issuedAt && isSettled(one);
  const last = deliveries.find((one) => isNamedBy(receipt, one));
  const isOver = (one: SentDelivery): boolean =>
    last !== undefined &&
    (one.sequence === last.sequence ? one.parts === 1 || isSettled(one) : one.sequence < last.sequence);
  return written.filter((one) => !isHeld(one) && !isOver(one));
}

/**
 * Selects the deliveries that were written and not proved, after the last one that was proved. One whose recipes the zone has
 * is over.
 */
function selectUnproved({
  deliveries,
  receipt,
}: Pick<KnownZone, 'deliveries' | 'receipt'>): readonly SentDelivery[] {
  const last = Math.max(0, ...deliveries.filter(isSent).map(({ sequence }) => sequence));
  const whole = new Set(
    receipt?.recipes.flatMap(({ digest, state }) => (state === 'present' ? [digest] : [])),
  );
  return deliveries.filter(
    (one) =>
      isWritten(one) &&
      !isSent(one) &&
      one.sequence > last &&
      !one.recipes.every((digest) => whole.has(digest)),
  );
}

function listRecipes(
  zone: KnownZone,
  { underWay, unproved }: Readonly<Record<'underWay' | 'unproved', readonly SentDelivery[]>>,
): Pick<ZoneBoard, 'recipes'> & Required<Pick<ZoneBoard, 'unwanted'>> {
  const { wanted, receipt, fork, names } = zone;
  const byDigest = new Map(receipt?.recipes.map((one) => [one.digest, one]));
  const ofWanted = new Map(
    wanted.recipes.map((one) => [one.digest, { name: one.name, version: one.version }]),
  );
  const versions = new Map<string, string[]>();
  /** Whether the zone has recipes whole whose names nobody here knows. */
  let hasUnnamed = false;
  for (const one of fork === undefined ? byDigest.values() : []) {
    const { digest, name, version } = one;
    const named =
      name !== undefined && version !== undefined
        ? { name, version }
        : (names?.get(digest) ?? ofWanted.get(digest));
    if (named?.version === undefined) {
      hasUnnamed ||= one.state === 'present';
      continue;
    }
    const known = versions.get(named.name) ?? [];
    versions.set(named.name, known);
    if (isServed(one)) known.push(named.version);
  }
  const presentOf = (name: string): Pick<ZoneBoardRecipe, 'present'> => {
    const present = versions.get(name) ?? [];
    const newest = selectNewest(present) ?? present[0];
    return newest === undefined ? {} : { present: newest };
  };
  if (isUnread(wanted))
    return {
      recipes: [...versions.keys()]
        .sort()
        .map((name) => ({ name, ...presentOf(name), state: 'unknown', code: wanted.code })),
      unwanted: [],
    };
  const wantedNames = new Set(wanted.recipes.map(({ name }) => name));
  const unwanted = [...versions.keys()]
    .filter((name) => !wantedNames.has(name))
    .sort()
    .flatMap((name) => {
      const { present } = presentOf(name);
      return present === undefined ? [] : [{ name, present }];
    });
  const carriers = toCarriers(underWay);
  const unprovedOf = toCarriers(unproved);
  const recipes = wanted.recipes.map((one): ZoneBoardRecipe => {
    const { name, requested, version, digest, code, error } = one;
    const base = { name, requested };
    if (digest === undefined || version === undefined)
      return {
        ...{ ...base, ...presentOf(name), state: 'unknown' },
        ...(code === undefined ? {} : { code }),
        ...(error === undefined ? {} : { error: toErrorRecord(error) }),
      };
    const named = { ...base, wanted: version, digest };
    const flaw = fork === undefined ? zone.unreadable : 'SVC-RCP-003';
    if (flaw !== undefined) return { ...named, state: 'unknown', code: flaw };
    const found = byDigest.get(digest);
    const present = found && isServed(found) ? { present: version } : presentOf(name);
    const carrier = carriers.get(digest);
    const judged = judge(
      found,
      carrier,
      receipt,
      'present' in present ? 'yes' : hasUnnamed ? 'unknown' : 'no',
    );
    const isUnbelieved = zone.unbelieved !== undefined && judged.state === 'unknown';
    return {
      ...{ ...named, ...present, ...judged },
      ...(isUnbelieved ? { code: 'SVC-RCP-001' } : {}),
      ...doubtsOf(one, judged, unprovedOf.get(digest)),
    };
  });
  return { recipes, unwanted };
}

/** The latest of these deliveries, which are the latest first, that has each recipe. */
function toCarriers(deliveries: readonly SentDelivery[]): ReadonlyMap<Digest, SentDelivery> {
  const carriers = new Map<Digest, SentDelivery>();
  for (const one of deliveries.toReversed()) for (const digest of one.recipes) carriers.set(digest, one);
  return carriers;
}

/** The reasons that may keep a recipe out of the zone: a delivery without a proof, and its signature. */
function doubtsOf(
  { signature, keyFingerprint }: WantedRecipe,
  { state, code = '' }: Pick<ZoneBoardRecipe, 'state' | 'code'>,
  unproved: SentDelivery | undefined,
): Pick<ZoneBoardRecipe, 'unproved' | 'unsigned' | 'signer'> {
  if (state === 'current') return {};
  const carried = state === 'in-transit' ? undefined : unproved;
  return {
    ...(carried === undefined ? {} : { unproved: carried.id }),
    ...(signature === 'unsigned-admitted' ? { unsigned: true } : {}),
    ...(code.startsWith('SVC-SIG-') && keyFingerprint !== undefined ? { signer: keyFingerprint } : {}),
  };
}

/**
 * @param found the recipe as the receipt has it
 * @param carrier the latest delivery under way that has the recipe
 * @param hasOther whether the zone has another version whole
 */
function judge(
  found: ReceivedRecipe | undefined,
  carrier: SentDelivery | undefined,
  receipt: Receipt | undefined,
  hasOther: 'yes' | 'no' | 'unknown',
): Pick<ZoneBoardRecipe, 'state' | 'since' | 'delivery' | 'lacks' | 'code'> {
  const since = receipt?.issuedAt;
  if (found && isServed(found)) return { state: 'current', since };
  const lacks = found?.missing === undefined ? {} : { lacks: found.missing };
  const code = found?.code === undefined ? {} : { code: found.code };
  if (carrier !== undefined)
    return { state: 'in-transit', since: carrier.startedAt, delivery: carrier.id, ...lacks, ...code };
  if (since === undefined) return { state: 'unknown' };
  if (found?.state === 'blocked') return { state: 'blocked', since, ...code };
  // it is whole, and a tag has other content
  if (found?.state === 'present') return { state: 'behind', since };
  return {
    state: ({ yes: 'behind', no: 'missing', unknown: 'unknown' } as const)[hasOther],
    since,
    ...lacks,
  };
}
