import type { Digest } from '../base/digest.ts';
import { isSvcError, type SvcError } from '../base/error.ts';
import type {
  CallOptions,
  ManifestContent,
  ManifestFetcher,
  ReferrersLister,
  SignedSource,
} from '../oci/ports.ts';
import { signatureTag } from '../oci/reference.ts';
import { signatureLimits } from './claim.ts';
import { collectSignatures, type FoundSignatures, mayBeBundle } from './discover.ts';
import { listSound } from './judge.ts';
import { listNewClassic, mergeClassic } from './merge-classic.ts';
import type { SignatureEvidence } from './model.ts';
import { type SignatureTrust, selectCarried } from './select-carried.ts';
import { isBroken, toWholeClassic } from './whole-classic.ts';

/** The local signatures of one subject. */
interface KnownSignatures {
  /** The manifest of the classic artifact. */
  readonly classic?: ManifestContent | undefined;
  /** Digests of manifests that refer to the subject. */
  readonly referrers: ReadonlySet<Digest>;
}

export const noSignatures: KnownSignatures = { referrers: new Set() };

interface FindNewOptions extends CallOptions {
  /** Decides which signatures verify; absent: none does. */
  readonly trust?: SignatureTrust | undefined;
  /** Tags of the source, where they are known: a classic tag that is not among them is not requested. */
  readonly listed?: ReadonlySet<string> | undefined;
  /**
   * Whether a local signature verifies. Then a source that answers in part is enough: what it does not answer is asked for
   * again in the next run.
   */
  readonly isVerified?: boolean | undefined;
}

/** Reads the signatures of a subject in a local repository. */
export async function readKnown(
  local: ManifestFetcher & ReferrersLister,
  subject: Digest,
  options: CallOptions = {},
): Promise<KnownSignatures> {
  const tag = signatureTag(subject);
  const classic = tag === undefined ? undefined : await local.fetchManifest(tag, options);
  const referrers = await local.listReferrers(subject, undefined, options);
  return { classic, referrers: new Set(referrers.map(({ digest }) => digest)) };
}

/**
 * Finds the signatures that a source has and the local repository does not: signatures can be added later
 * than their subject. Where the local repository has no room for all, only those that verify are new. Without new signatures it takes two requests, for the classic tag and the referrers.
 *
 * @param lister lists the referrers of the source, at the lowest cost
 * @returns undefined when there are none
 * @throws the error of the source when it cannot be queried: unreachable is not "nothing new"
 */
export async function findNewSignatures(
  source: SignedSource,
  lister: ReferrersLister,
  known: KnownSignatures,
  subject: Digest,
  news: FindNewOptions = {},
): Promise<FoundSignatures | undefined> {
  const { listed, trust, isVerified = false, ...options } = news;
  const tag = signatureTag(subject);
  const classic = tag !== undefined && (listed?.has(tag) ?? true) ? tag : undefined;
  if (!(await mayHaveNews(source, lister, known, subject, classic, news))) return undefined;
  const found = await collectSignatures(source, subject, options);
  if (found.unread && !isVerified) throw found.unread;
  const findSound = async (): Promise<ReadonlySet<string>> =>
    trust ? listSound(subject, found.evidence, trust.policy, trust.scopePath) : new Set();
  const added: SignatureEvidence[] = [];
  for (const one of found.evidence) {
    // signatures whose payload the source lacks are not carried, and stay new for ever
    const arriving = isBroken(one) ? toWholeClassic(one)?.manifest : one.manifest;
    if (arriving === undefined) continue;
    const isNew =
      one.layout === 'classic'
        ? listNewClassic(known.classic, arriving).length > 0 &&
          (await mergeClassic(known.classic, arriving, findSound)) !== undefined
        : !known.referrers.has(one.manifest.descriptor.digest);
    if (isNew) added.push(one);
  }
  const room = Math.max(0, signatureLimits.count - known.referrers.size);
  const { evidence } = await selectCarried(subject, added, room, trust);
  return evidence.length === 0 ? undefined : { ...found, evidence };
}

/** Whether the listings of the source show new signatures. @throws where they cannot be had, as `isVerified` says */
async function mayHaveNews(
  source: ManifestFetcher,
  lister: ReferrersLister,
  known: KnownSignatures,
  subject: Digest,
  tag: string | undefined,
  { isVerified = false, trust: _, listed: __, ...options }: FindNewOptions,
): Promise<boolean> {
  const failures: SvcError[] = [];
  const fetchClassic = async (reference: string): Promise<ManifestContent | undefined> => {
    try {
      return await source.fetchManifest(reference, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!isSvcError(error)) throw error;
      // a manifest that does not match its digest, or is too large, is not a signature
      if (error.code !== 'SVC-SIG-002' && error.code !== 'SVC-VAL-002') failures.push(error);
      return undefined;
    }
  };
  const [classic, referrers] = await Promise.all([
    tag === undefined ? undefined : fetchClassic(tag),
    lister.listReferrers(subject, undefined, {
      ...options,
      accepts: mayBeBundle,
      onFault: ({ kind, error }) => {
        if (kind === 'transfer') failures.push(error);
      },
    }),
  ]);
  const [failure] = failures;
  const asked = tag === undefined ? 1 : 2;
  if (failure && !(isVerified && failures.length < asked)) throw failure;
  return (
    (classic !== undefined && listNewClassic(known.classic, classic).length > 0) ||
    // a referrer without a type may be a signature
    referrers.some((descriptor) => mayBeBundle(descriptor) && !known.referrers.has(descriptor.digest))
  );
}
