import type { Digest } from '../base/digest.ts';
import { isPageAnswer } from '../base/page-answer.ts';
import type {
  BlobFetcher,
  CallOptions,
  ManifestContent,
  ManifestFetcher,
  ReferrersLister,
  SignedSource,
} from '../oci/ports.ts';
import { signatureTag } from '../oci/reference.ts';
import { isSvcError, type SvcError } from '../text/error.ts';
import { Candidates } from './candidates.ts';
import { signatureLimits } from './claim.ts';
import { collectSignatures, type FoundSignatures } from './discover.ts';
import { isOptional } from './is-optional.ts';
import { listSound } from './judge.ts';
import { listNewClassic, mergeClassic } from './merge-classic.ts';
import type { SignatureEvidence } from './model.ts';
import { type SignatureTrust, selectCarried } from './select-carried.ts';
import { isWholeBundle } from './whole-bundle.ts';
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
   * Whether a local signature verifies. Then a partial answer of the source is enough: the next run repeats the failed
   * requests.
   */
  readonly isVerified?: boolean | undefined;
  /** Called for a signature artifact of which the source lacks a part. */
  readonly onIncomplete?: ((signature: Digest) => void) | undefined;
  /**
   * Called for a failure that may hide signatures of content that needs none. Without it a refusal of access is thrown.
   */
  readonly onUnread?: ((error: SvcError) => void) | undefined;
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
 * than their subject. Without new signatures it takes two requests, for the classic tag and the referrers.
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
  const { isVerified = false, signal } = news;
  if (!(await mayHaveNews(source, lister, known, subject, news))) return undefined;
  const found = await collectSignatures(source, subject, { signal, takesOthers: false });
  if (found.unread && !isVerified && !isAcceptable(found.unread, news)) throw found.unread;
  return selectNew(source, found, known, subject, news);
}

/**
 * Selects the signatures that are new and can be carried. Where the local repository has no room for all, only those
 * that verify are new. A signature that is incomplete at its source is not carried: it would be new in every run.
 *
 * @returns undefined when there are none
 */
export async function selectNew(
  source: BlobFetcher,
  found: FoundSignatures,
  known: KnownSignatures,
  subject: Digest,
  { trust, signal, isVerified = false, onIncomplete }: FindNewOptions,
): Promise<FoundSignatures | undefined> {
  const isWhole = async (one: SignatureEvidence): Promise<boolean> => {
    try {
      return await isWholeBundle(one, subject, source, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      // the next run asks again
      if (isVerified && isSvcError(error)) return false;
      throw error;
    }
  };
  const findSound = async (): Promise<ReadonlySet<string>> =>
    trust ? listSound(subject, found.evidence, trust.policy, trust.scopePath) : new Set();
  const added: SignatureEvidence[] = [];
  for (const one of found.evidence) {
    const { digest } = one.manifest.descriptor;
    if (one.layout === 'bundle') {
      if (known.referrers.has(digest)) continue;
      if (await isWhole(one)) added.push(one);
      else onIncomplete?.(digest);
      continue;
    }
    if (isBroken(one)) onIncomplete?.(digest);
    const arriving = isBroken(one) ? toWholeClassic(one)?.manifest : one.manifest;
    if (arriving === undefined || listNewClassic(known.classic, arriving).length === 0) continue;
    if (await mergeClassic(known.classic, arriving, findSound)) added.push(one);
  }
  const room = Math.max(0, signatureLimits.count - known.referrers.size);
  const { evidence } = await selectCarried(subject, added, room, trust);
  return evidence.length === 0 ? undefined : { ...found, evidence };
}

/** Whether a failure keeps nothing from being delivered: that of a request for signatures of content that needs none. */
function isAcceptable(error: SvcError, { trust, onUnread }: FindNewOptions): boolean {
  if (trust !== undefined || !(onUnread ? isOptional(error) : isPageAnswer(error))) return false;
  onUnread?.(error);
  return true;
}

/**
 * Whether the listings of the source show possible new signatures.
 *
 * @throws where they cannot be had, as `isVerified` says
 */
async function mayHaveNews(
  source: ManifestFetcher,
  lister: ReferrersLister,
  known: KnownSignatures,
  subject: Digest,
  news: FindNewOptions,
): Promise<boolean> {
  const { isVerified = false, listed, signal } = news;
  const options = { signal };
  const tag = signatureTag(subject);
  // the list of tags answers for a classic tag that it lacks
  const isListed = tag !== undefined && (listed?.has(tag) ?? true);
  /** The first failure of each place. */
  const failures = new Map<'classic' | 'list', SvcError>();
  const candidates = new Candidates(false);
  const fetchClassic = async (reference: string): Promise<ManifestContent | undefined> => {
    try {
      return await source.fetchManifest(reference, options);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isSvcError(error)) throw error;
      // a manifest that does not match its digest, or is too large, is not a signature
      const isNone = error.code === 'SVC-SIG-002' || error.code === 'SVC-VAL-002';
      if (!isNone && !isAcceptable(error, news)) failures.set('classic', error);
      return undefined;
    }
  };
  const [classic, referrers] = await Promise.all([
    isListed ? fetchClassic(tag) : undefined,
    lister.listReferrers(subject, undefined, {
      ...options,
      accepts: (entry) => candidates.accepts(entry),
      onFault: ({ kind, error }) => {
        if (kind === 'transfer' && !isAcceptable(error, news))
          failures.set('list', failures.get('list') ?? error);
      },
    }),
  ]);
  const [failure] = failures.values();
  const places = tag === undefined ? 1 : 2;
  if (failure && !(isVerified && failures.size < places)) throw failure;
  return (
    (classic !== undefined && listNewClassic(known.classic, classic).length > 0) ||
    referrers.some((entry) => candidates.accepts(entry) && !known.referrers.has(entry.digest))
  );
}
