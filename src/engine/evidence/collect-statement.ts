import { readApproval } from '../../attest/approval.ts';
import { readCheckpoint } from '../../attest/checkpoint.ts';
import type { OwnStatement } from '../../attest/own-statement.ts';
import { readPassport } from '../../attest/passport.ts';
import { ownPredicates } from '../../attest/predicate-types.ts';
import { toKeyHint } from '../../attest/public-key.ts';
import { readReceipt, toReceiptFacts } from '../../attest/receipt.ts';
import { type Digest, digestHex, hashBytes } from '../../base/digest.ts';
import type { CustodyPoint } from '../../contract/custody.ts';
import type { Passport } from '../../contract/passport.ts';
import type { Receipt } from '../../contract/receipt.ts';
import type { EvidenceKey, EvidenceSignature, PackFile } from './model.ts';
import { toPlainName } from './plain-name.ts';
import { toSignedFiles } from './sign-files.ts';

/** A statement of a site, or the approval of a recipe, with its files in a pack. */
export interface CollectedStatement {
  readonly signature: EvidenceSignature;
  readonly files: readonly PackFile[];
  /** The site or zone that speaks in it; absent in the passport of a sender without a name. */
  readonly site?: string | undefined;
  /** Digest of the lines that came with a checkpoint. */
  readonly part?: Digest;
  /** The digest by which lines name it; that of its line for a checkpoint; absent for the signature of a recipe. */
  readonly digest?: Digest;
  readonly passport?: Passport;
  /** Hint of its key, from its unsigned part. */
  readonly hint?: string | undefined;
}

type Described = Pick<EvidenceSignature, 'path' | 'about' | 'subjects' | 'statedAt' | 'receipt'> &
  Pick<CollectedStatement, 'site' | 'part' | 'digest' | 'passport'> & {
    readonly points?: readonly CustodyPoint[];
    readonly read: Pick<OwnStatement<unknown>, 'signed' | 'signature' | 'hint'>;
  };

/** The digest of a statement in the names of its files. */
export const toShortDigest = (digest: Digest): string => digestHex(digest).slice(0, 12);

/** The description of a statement, by its kind. @returns undefined for bytes that are none */
const describe: Readonly<
  Record<
    Exclude<EvidenceSignature['kind'], 'recipe'>,
    (bundle: Buffer, shown: ReadonlySet<Digest>) => Described | undefined
  >
> = {
  receipt: (bundle, shown) => {
    const read = readReceipt(bundle);
    if ('flaw' in read) return undefined;
    const { zone, sequence, issuedAt, lastDelivery: last } = read.receipt;
    return {
      path: `statements/receipt-${toPlainName(zone)}-${sequence}`,
      about: [
        `receipt ${sequence} of ${zone}`,
        ...(last === undefined ? [] : [`after part ${last.part} of ${last.id}`]),
      ],
      statedAt: issuedAt,
      subjects: read.subjects.map(({ digest }) => digest),
      receipt: toReceiptFacts(read, shown),
      points: toReceiptPoints(read.receipt),
      site: zone,
      digest: read.digest,
      read,
    };
  },
  checkpoint: (bundle) => {
    const read = readCheckpoint(bundle);
    if ('flaw' in read) return undefined;
    const { point, lines, digest } = read;
    return {
      path: `statements/checkpoint-${toPlainName(point.site)}-${point.seq}-${toShortDigest(digest)}`,
      about: [`line ${point.seq} of ${point.site}`],
      subjects: [point.head, lines],
      points: [point],
      site: point.site,
      part: lines,
      digest: point.head,
      read,
    };
  },
  passport: (bundle) => {
    const read = readPassport(bundle);
    if ('flaw' in read) return undefined;
    const { zone, from, delivery, base, issuedAt } = read.passport;
    const { id, part, parts } = delivery;
    return {
      path: `statements/passport-${toPlainName(id)}-${part}-${toShortDigest(read.digest)}`,
      about: [
        `part ${part} of ${parts} of ${id} for ${zone}`,
        ...(base === undefined ? [] : [`base: receipt ${base.sequence} of ${base.zone}`]),
      ],
      statedAt: issuedAt,
      subjects: read.subjects.map(({ digest }) => digest),
      site: from,
      digest: read.digest,
      passport: read.passport,
      read,
    };
  },
  approval: (bundle) => {
    const read = readApproval(bundle);
    if (read === undefined) return undefined;
    const { site, actor, approvedAt, recipe } = read.predicate;
    const { name, version } = recipe;
    const digest = hashBytes(bundle);
    return {
      path: `statements/approval-${toPlainName(`${name}-${version}`)}-${toShortDigest(digest)}`,
      about: [`${name}@${version}`, `by ${actor} of ${site}`],
      statedAt: approvedAt,
      subjects: read.subjects.map((one) => one.digest),
      site,
      digest,
      read,
    };
  },
};

/** The ends of ledgers that a receipt names: that of the zone, and those of its senders. */
function toReceiptPoints({ custody }: Receipt): readonly CustodyPoint[] {
  if (custody === undefined) return [];
  const { peers = [], ...own } = custody;
  return [own, ...peers].map(({ site, seq, head }) => ({ site, seq, head }));
}

/** The keys with the name of a site first: one key may have the names of several. */
function sortKeys(keys: readonly EvidenceKey[], site: string | undefined): readonly EvidenceKey[] {
  const ofSite = keys.filter(({ name }) => name === site);
  return [...ofSite, ...keys.filter((one) => !ofSite.includes(one))];
}

/**
 * Makes the files of a statement. The same bytes and keys give the same files. Its signature need not be valid.
 *
 * @param bundle of limited size, untrusted
 * @param recipes those of the pack, which are shown of a receipt
 * @returns undefined for bytes that are no statement of this kind
 */
export function collectStatement(
  kind: keyof typeof describe,
  bundle: Buffer,
  keys: readonly EvidenceKey[],
  recipes: readonly { readonly digest: Digest }[] = [],
): CollectedStatement | undefined {
  const described = describe[kind](bundle, new Set(recipes.map(({ digest }) => digest)));
  if (described === undefined) return undefined;
  const { path, about, statedAt, subjects, receipt, points, site, part, digest, passport, read } = described;
  const { signature, files } = toSignedFiles(
    {
      path,
      kind,
      about,
      subjects,
      ...(statedAt && { statedAt }),
      ...(receipt && { receipt }),
      ...(points && { points }),
    },
    read,
    // nothing signs the hint: one of another key was changed
    sortKeys(keys, site).filter(({ key }) => toKeyHint(key) === read.hint),
    { bytes: bundle, predicateType: ownPredicates[kind] },
  );
  return {
    ...{ signature, files, site, hint: read.hint },
    ...(part && { part }),
    ...(digest && { digest }),
    ...(passport && { passport }),
  };
}
