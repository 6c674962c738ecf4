import { Semaphore } from '../base/concurrency.ts';
import type { Digest } from '../base/digest.ts';
import { releaseMemory } from '../base/release-memory.ts';
import type { CallOptions, ManifestContent, SignedSource, Source } from '../oci/ports.ts';
import { fallbackTag, signatureTag } from '../oci/reference.ts';
import type { SvcError } from '../text/error.ts';
import type { Rule } from '../text/rule.ts';
import { Candidates } from './candidates.ts';
import { signatureLimits } from './claim.ts';
import { Collector, TooLarge } from './collector.ts';
import { isOptional } from './is-optional.ts';
import type { SignatureEvidence } from './model.ts';

export interface FoundSignatures {
  /**
   * Classic signatures first, then bundles in the order of the listing, those announced as attestations last.
   */
  readonly evidence: readonly SignatureEvidence[];
  /** Number of listed signatures that were not read because a limit was reached. Absent: none. */
  readonly leftOut?: number;
  /** The limit that the lists of referrers exceeded, so that they were not read whole. Absent: none. */
  readonly crowded?: Rule;
  /** The referrers fallback index, if there is one; it is copied with the manifests it lists. */
  readonly fallbackIndex?: ManifestContent;
  /** Why lists and artifacts that may have been signatures cannot be used. Absent: all can. */
  readonly unusable?: readonly Rule[];
  /** The first failure of a request for a possible signature. `judgeFound` passes it on where nothing else verifies. */
  readonly unread?: SvcError;
}

/**
 * Bytes that one search may hold in memory while other searches run. Ordinary signatures have a few KiB;
 * larger searches run one at a time.
 */
const sharedBytes = 2_097_152;
const alone = new Semaphore(1);

interface SearchOptions extends CallOptions {
  /**
   * Whether referrers that are listed as something else (an SBOM, an index) are requested too, where nothing else
   * claims to be a signature. Needed to tell that there is none. Default: true.
   */
  readonly takesOthers?: boolean | undefined;
}

/**
 * Finds every signature of a subject: under the classic tag, by the referrers API, and under the fallback tag.
 * Attestations and SBOMs under their own tags are ignored. Sizes are checked before content is fetched. Unusable or
 * unreadable content of one place does not hide the signatures of another. It is part of the result, so that it is
 * never mistaken for absence.
 *
 * @throws the signal's reason, and faults of the program; a failure of the source is in `unread`
 */
export async function collectSignatures(
  source: SignedSource,
  subject: Digest,
  options: SearchOptions = {},
): Promise<FoundSignatures> {
  try {
    return await collect(source, subject, sharedBytes, options);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return alone.run(() => collect(source, subject, signatureLimits.totalBytes, options));
  }
}

/**
 * As `collectSignatures`, where all signatures are needed and nothing is judged: those that are listed as something
 * else are left out. A registry may send a page for people in place of signatures, or refuse access to them. Its
 * content can still be delivered: the failure is in `unread`.
 *
 * @throws also the first other failure of the source: unreachable is not unsigned
 */
export async function collectAll(
  source: SignedSource,
  subject: Digest,
  options: CallOptions = {},
): Promise<FoundSignatures> {
  const found = await collectSignatures(source, subject, { ...options, takesOthers: false });
  if (found.unread && !isOptional(found.unread)) throw found.unread;
  return found;
}

async function collect(
  source: SignedSource,
  subject: Digest,
  allowance: number,
  { takesOthers = true, ...options }: SearchOptions,
): Promise<FoundSignatures> {
  const classicTag = signatureTag(subject);
  const indexTag = fallbackTag(subject);
  const collector = new Collector(source, subject, allowance, options);
  const candidates = new Candidates(takesOthers);
  const [classic, referrers, fallback] = await Promise.all([
    classicTag === undefined ? undefined : collector.fetchManifest(classicTag),
    collector.listReferrers(source, candidates),
    collector.fetchManifest(indexTag),
  ]);
  if (classic) await collector.addClassic(classic, classicTag!);
  const listed = fallback && collector.readIndex(fallback, indexTag, candidates);
  for (const descriptor of listed ?? []) candidates.add({ descriptor, tag: indexTag });
  for (const descriptor of referrers) candidates.add({ descriptor });
  await collector.addReferrers(candidates);
  const { evidence, leftOut, crowded, unread } = collector;
  const unusable = [...collector.unusable.values()];
  return {
    evidence,
    ...(leftOut === 0 ? {} : { leftOut }),
    ...(crowded === undefined ? {} : { crowded }),
    ...(fallback && listed ? { fallbackIndex: fallback } : {}),
    ...(unusable.length === 0 ? {} : { unusable }),
    ...(unread === undefined ? {} : { unread }),
  };
}

/** Reads the signatures of a classic artifact, within the limits of a search. @throws errors of the source */
export async function readClassicEvidence(
  source: Source,
  subject: Digest,
  manifest: ManifestContent,
  tag: string,
  options: CallOptions = {},
): Promise<readonly SignatureEvidence[]> {
  const collector = new Collector(source, subject, signatureLimits.totalBytes, options);
  await alone.run(() => collector.addClassic(manifest, tag));
  if (collector.unread) throw collector.unread;
  return collector.evidence;
}

/**
 * Frees the memory of a large set immediately, before the next set is read. The evidence has no bytes
 * afterwards.
 */
export function releaseSignatures({ evidence }: FoundSignatures): void {
  for (const { layers } of evidence) for (const { bytes } of layers) releaseMemory(bytes);
}
