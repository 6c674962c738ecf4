import type { Digest } from '../../../base/digest.ts';
import { compareVersions } from '../../../recipe/constraint.ts';

/** The content that an import gave a tag of the registry of the zone. */
export interface GivenTag {
  readonly digest: Digest;
  /** Date of the medium, RFC 3339 in UTC. */
  readonly resolvedAt: string;
  /** When the medium was written, RFC 3339 in UTC: of two deliveries of one date, the later one. Absent in earlier records. */
  readonly writtenAt?: string | undefined;
  /** When the import gave it, RFC 3339 in UTC: the last one has the tag. */
  readonly givenAt: string;
  /** Version of the recipe that gave it; absent in records of earlier versions, which knew no passports. */
  readonly version?: string;
  /** Nominal cookbook of that recipe; absent in records of earlier versions. */
  readonly cookbook?: string | undefined;
  /** Date of the last medium that gave it content and for which a passport vouched. */
  readonly vouchedAt?: string;
  /** Whether a medium with a passport gave it this content; absent without `vouchedAt`, and in earlier records. */
  readonly vouched?: boolean;
  /** The peer whose passport did; absent in records of earlier versions. */
  readonly peer?: string | undefined;
  /** When the tag was last given on purpose, by any peer: nothing that was given before counts. */
  readonly waivedAt?: string;
  /** The tag had this content of the same peer by another recipe: only the dates count. */
  readonly repeats?: true;
}

/** With the recipe that gave it. */
export type NamedTag = GivenTag & { readonly name: string };

/** What is known of a tag: the content that was given last, and what the content of a medium must not fall behind. */
export type TagState = NamedTag & {
  /** One for each peer that counts. */ readonly records: readonly NamedTag[];
};

/** Content of a recipe that a medium would give a tag. */
export interface WantedTag {
  readonly digest: Digest;
  readonly resolvedAt: string;
  readonly writtenAt?: string | undefined;
  readonly name: string;
  readonly cookbook?: string | undefined;
  readonly version: string;
  /** Whether a passport vouched for the medium, and of which peer. */
  readonly isVouched?: boolean | undefined;
  readonly peer?: string | undefined;
}

export const isEarlier = (date: string, other: string): boolean => Date.parse(date) < Date.parse(other);

type Dated = Pick<GivenTag, 'resolvedAt' | 'writtenAt'>;

/** Whether two media have one date, as after one synchronization. */
const isOfOneDate = (one: Dated, other: Dated): boolean =>
  Date.parse(one.resolvedAt) === Date.parse(other.resolvedAt);

/** Whether two media have one date, and the first one was written earlier. */
const isWrittenEarlier = (one: Dated, other: Dated): boolean =>
  isOfOneDate(one, other) &&
  one.writtenAt !== undefined &&
  other.writtenAt !== undefined &&
  isEarlier(one.writtenAt, other.writtenAt);

const isOlder = (one: Dated, other: Dated): boolean =>
  isEarlier(one.resolvedAt, other.resolvedAt) || isWrittenEarlier(one, other);

/** Whether content came with a passport. Of an earlier record, the dates tell; those that knew no passports are none. */
const isOfPassport = ({ version, vouched, vouchedAt, resolvedAt }: GivenTag): boolean =>
  vouched ?? (version !== undefined && vouchedAt === resolvedAt);

/** Whether it may have come with a passport: nothing tells of records that knew none. */
const mayBeOfPassport = (given: GivenTag): boolean => given.version === undefined || isOfPassport(given);

type Giver = Pick<WantedTag, 'isVouched' | 'peer'>;

const giverOf = (given: GivenTag): Giver => ({ isVouched: isOfPassport(given), peer: given.peer });

/** Whether one peer gave both. All disks without a passport count as those of one peer. */
const isOfOneGiver = (a: Giver, b: Giver): boolean =>
  (a.isVouched === true) === (b.isVouched === true) && (a.isVouched !== true || a.peer === b.peer);

/** Whether the passports of two peers vouch for them. A record that names no peer is that of any. */
const isOfOtherPeer = (given: GivenTag, { isVouched, peer }: Giver): boolean =>
  isVouched === true && peer !== undefined && isOfPassport(given) && (given.peer ?? peer) !== peer;

type Recipe = Pick<NamedTag, 'name' | 'cookbook'>;

/** Whether two recipes have one name in one cookbook, where both name theirs. */
export const isSameRecipe = (a: Recipe, b: Recipe): boolean =>
  a.name === b.name && (a.cookbook ?? b.cookbook) === (b.cookbook ?? a.cookbook);

const laterOf = <T extends Dated>(one: T, { resolvedAt, writtenAt }: Dated): T =>
  isOlder(one, { resolvedAt, writtenAt }) ? { ...one, resolvedAt, ...(writtenAt ? { writtenAt } : {}) } : one;

/**
 * Sums up what was given a tag: the last content of each peer. What was given before a waiver does not count, nor that of a peer
 * which is no longer configured, nor that of disks without a passport beside content that came with one.
 *
 * @param peers names of the configured peers; undefined: all count
 */
export function toTagState(
  all: readonly NamedTag[],
  peers?: ReadonlySet<string> | undefined,
): TagState | undefined {
  const moved = all
    .filter(({ repeats }) => repeats !== true)
    .sort((a, b) => Date.parse(a.givenAt) - Date.parse(b.givenAt));
  const last = moved.at(-1);
  if (last === undefined) return undefined;
  const counts = (one: NamedTag): boolean =>
    all.every(({ waivedAt }) => waivedAt === undefined || !isEarlier(one.givenAt, waivedAt)) &&
    (peers === undefined || one.peer === undefined || !isOfPassport(one) || peers.has(one.peer));
  const counting = moved.filter(counts);
  const vouched = counting.filter(mayBeOfPassport);
  const heard = vouched.length > 0 ? vouched : counting;
  const records = heard
    .filter(
      (one, i) =>
        !heard.slice(i + 1).some((other) => {
          const isDated = (one.version === undefined) === (other.version === undefined);
          return isDated && isOfOneGiver(giverOf(one), giverOf(other));
        }),
    )
    .map((record) =>
      all
        .filter(({ repeats, digest }) => repeats === true && digest === record.digest)
        .filter(
          (one) => isOfOneGiver(giverOf(one), giverOf(record)) && !isEarlier(one.givenAt, record.givenAt),
        )
        .reduce(laterOf, record),
    );
  return { ...last, records };
}

/** Whether a record keeps the tag from other content. */
function isHeldBy(record: NamedTag, wanted: WantedTag): boolean {
  const { version } = record;
  const order = version === undefined ? 0 : compareVersions(wanted.version, version);
  const isSame = isSameRecipe(record, wanted);
  if (isOfOtherPeer(record, wanted)) return !isSame || order <= 0;
  const isLower = isSame && order < 0;
  if (!isOlder(wanted, record)) {
    const isTied = isOfOneDate(wanted, record) && !isOlder(record, wanted);
    return (!wanted.isVouched && isOfPassport(record)) || (isTied && isLower);
  }
  if (!wanted.isVouched || version === undefined || isOfPassport(record)) return true;
  const { vouchedAt } = record;
  return isLower || (vouchedAt !== undefined && isEarlier(wanted.resolvedAt, vouchedAt));
}

/**
 * Whether a tag keeps its content, which a medium would replace. It must not fall behind the record of any peer. Beside the
 * record of its own peer the dates count, as anybody can write a date: of another peer, a higher version of the same recipe. A disk
 * with a passport takes a tag from disks without one, except with a lower version of the recipe of a later disk; one without
 * takes none of content that came with a passport.
 */
export const isKept = (state: TagState, wanted: WantedTag): boolean =>
  state.digest !== wanted.digest && state.records.some((record) => isHeldBy(record, wanted));

/** Whether a medium with a passport takes a tag from other content of a later medium without. */
export const isTakenBack = (state: TagState, wanted: WantedTag): boolean =>
  state.digest !== wanted.digest &&
  !isOfOtherPeer(state, wanted) &&
  isOlder(wanted, state) &&
  !isKept(state, wanted);

/**
 * The records of a tag by one recipe after an import that gave it content. Content that the tag has already moves nothing, and
 * makes no record of its own: only the record of the same peer gets the later date, and the higher version. Content with a passport
 * is a move where that of the tag came without one, or from a peer that no longer counts.
 *
 * @returns the same array where nothing changes
 */
export function giveTag(
  before: readonly GivenTag[],
  state: TagState | undefined,
  wanted: WantedTag & { readonly givenAt: string; readonly isForced?: boolean | undefined },
): readonly GivenTag[] {
  const { digest, resolvedAt, writtenAt, givenAt, name, cookbook, version, isVouched = false, peer } = wanted;
  const dates = { resolvedAt, ...(writtenAt ? { writtenAt } : {}) };
  const vouchedBy = isVouched
    ? { vouchedAt: resolvedAt, vouched: true, ...(peer === undefined ? {} : { peer }) }
    : {};
  const given = { digest, ...dates, givenAt, version, ...(cookbook ? { cookbook } : {}), ...vouchedBy };
  const replace = (entry: GivenTag): readonly GivenTag[] => [
    ...before.filter((one) => !isOfOneGiver(giverOf(one), wanted)),
    entry,
  ];
  const holder = state?.records.find((one) => isOfOneGiver(giverOf(one), giverOf(state)));
  const isThere = holder?.digest === digest && (!isVouched || isOfPassport(holder));
  if (!isThere) {
    const waivedAt = wanted.isForced
      ? givenAt
      : before.reduce<string | undefined>((last, one) => one.waivedAt ?? last, undefined);
    return replace({ ...given, ...(waivedAt ? { waivedAt } : {}) });
  }
  const own = state?.records.find((one) => one.digest === digest && isOfOneGiver(giverOf(one), wanted));
  if (own === undefined) return before;
  const isHigher = compareVersions(version, own.version ?? version) > 0;
  const isLater = isOlder(own, dates);
  if (!isSameRecipe(own, { name, cookbook })) return isLater ? replace({ ...given, repeats: true }) : before;
  if (!isLater && !isHigher) return before;
  const entry = before.find((one) => one.givenAt === own.givenAt && isOfOneGiver(giverOf(one), wanted));
  if (entry === undefined) return before;
  const later = isLater ? { ...entry, ...dates, ...vouchedBy } : entry;
  return replace({ ...later, ...(isHigher ? { version } : {}) });
}
