import type { Digest } from '../base/digest.ts';
import { isSvcError } from '../base/error.ts';
import type {
  CallOptions,
  ManifestContent,
  ManifestFetcher,
  ReferrersLister,
  SignedSource,
} from '../oci/ports.ts';
import { signatureTag } from '../oci/reference.ts';
import { collectSignatures, type FoundSignatures, mayBeBundle } from './discover.ts';
import { listNewClassic } from './merge-classic.ts';
import type { SignatureEvidence } from './model.ts';

/** The signatures of one subject that are at hand. */
interface KnownSignatures {
  /** The manifest of the classic artifact. */
  readonly classic?: ManifestContent | undefined;
  /** Manifests that refer to the subject. */
  readonly referrers: ReadonlySet<Digest>;
}

export const noSignatures: KnownSignatures = { referrers: new Set() };

interface FindNewOptions extends CallOptions {
  /** The tags of the source, where they are known: a classic tag that is not among them is not asked for. */
  readonly listed?: ReadonlySet<string> | undefined;
}

/** What a repository at hand has for a subject. */
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
 * The signatures that a source has of a subject beside those at hand: they can arrive later than what they sign. Two
 * requests where there are none: the classic tag and the referrers.
 *
 * @param lister the source's referrers, asked as cheaply as it can be done
 * @returns undefined when there are none
 * @throws whatever the source throws when it cannot be asked: unreachable is not "nothing new"
 */
export async function findNewSignatures(
  source: SignedSource,
  lister: ReferrersLister,
  known: KnownSignatures,
  subject: Digest,
  { listed, ...options }: FindNewOptions = {},
): Promise<FoundSignatures | undefined> {
  const tag = signatureTag(subject);
  const classic = tag !== undefined && (listed?.has(tag) ?? true) ? tag : undefined;
  if (!(await mayHaveNews(source, lister, known, subject, classic, options))) return undefined;
  const found = await collectSignatures(source, subject, options);
  const isNew = ({ layout, manifest }: SignatureEvidence): boolean =>
    layout === 'classic'
      ? listNewClassic(known.classic, manifest).length > 0
      : !known.referrers.has(manifest.descriptor.digest);
  const evidence = found.evidence.filter(isNew);
  return evidence.length === 0 ? undefined : { ...found, evidence };
}

/** Judged by what lists the signatures: a referrer that does not say its type may be one. */
async function mayHaveNews(
  source: ManifestFetcher,
  lister: ReferrersLister,
  known: KnownSignatures,
  subject: Digest,
  tag: string | undefined,
  options: CallOptions,
): Promise<boolean> {
  const [classic, referrers] = await Promise.all([
    tag === undefined
      ? undefined
      : source.fetchManifest(tag, options).catch((error: unknown) => {
          // other bytes than the digest they are named by: no signature
          if (isSvcError(error, 'SVC-SIG-002')) return undefined;
          throw error;
        }),
    lister.listReferrers(subject, undefined, options),
  ]);
  return (
    (classic !== undefined && listNewClassic(known.classic, classic).length > 0) ||
    referrers.some((descriptor) => mayBeBundle(descriptor) && !known.referrers.has(descriptor.digest))
  );
}
