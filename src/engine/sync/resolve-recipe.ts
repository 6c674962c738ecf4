import type { Digest } from '../../base/digest.ts';
import type { Once } from '../../base/once.ts';
import { mapInTurns, Pacer, runInTurns } from '../../base/pacer.ts';
import type { Report } from '../../base/report.ts';
import { isPublisher } from '../../catalog/tag-rules.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions, SignedSource } from '../../oci/ports.ts';
import {
  formatReference,
  isAttachmentTag,
  type RepositoryReference,
  signatureTag,
} from '../../oci/reference.ts';
import { selectRecipeLayer } from '../../recipe/artifact.ts';
import { findVersion, isConstraint } from '../../recipe/constraint.ts';
import { requireCooked } from '../../recipe/document.ts';
import { requireIdentity } from '../../recipe/identity.ts';
import type { CookedRecipe, RetrieverEntry } from '../../recipe/model.ts';
import { readRecipeDocument } from '../../recipe/read-document.ts';
import { localRepository, recipeRepository } from '../../recipe/relocation.ts';
import { listNewest } from '../../recipe/version.ts';
import type { RemoteRegistry, RemoteRepository } from '../../remote/model.ts';
import type { Store } from '../../store/model.ts';
import {
  fromErrorRecord,
  isSvcError,
  type SvcError,
  svcError,
  toErrorRecord,
  toSvcError,
} from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { collectSignatures, type FoundSignatures, releaseSignatures } from '../../trust/discover.ts';
import { findNewSignatures, readKnown, selectNew } from '../../trust/find-news.ts';
import { judgeFound } from '../../trust/judge-found.ts';
import type { SignatureVerdict, TrustPolicy } from '../../trust/model.ts';
import { toScopePath } from '../../trust/scope.ts';
import { type HeldContent, holdSignatures } from '../copy/held-content.ts';
import { localFirstSigned, localSigned, toRelister } from '../copy/local-source.ts';
import { nearSource } from '../copy/near-source.ts';
import { readBlob } from '../copy/read-blob.ts';
import { readManifest } from '../copy/read-manifest.ts';
import { reportIncomplete } from '../copy/report-incomplete.ts';
import type { SettledTags } from './settled-tags.ts';

/** Facts about a recipe, usable or not. */
interface RecipeFacts {
  readonly entry: RetrieverEntry;
  /** Nominal cookbook, `<host>/<path>`. */
  readonly cookbook: string;
  readonly version?: string;
  readonly digest?: Digest;
  /** The repository that was contacted, where it is not the nominal one. */
  readonly effective?: string;
  readonly verdict?: SignatureVerdict;
  /** Versions or constraints of further entries of the Retriever that resolve to this recipe. */
  readonly alsoRequested?: readonly string[];
}

interface FailedRecipe extends RecipeFacts {
  readonly outcome: 'failed';
  readonly error: SvcError;
}

/** A recipe whose signature was accepted and whose document was read. */
export interface VerifiedRecipe extends RecipeFacts {
  readonly outcome: 'verified';
  readonly version: string;
  readonly digest: Digest;
  readonly verdict: Exclude<SignatureVerdict, { outcome: 'refused' }>;
  /** `<name>@<version>`. */
  readonly key: string;
  /** `<nominal repository>:<version>`. */
  readonly reference: string;
  readonly nominal: RepositoryReference;
  /** Local repository of the artifact. */
  readonly repository: string;
  readonly descriptor: Descriptor;
  readonly config: Descriptor;
  readonly layer: Descriptor;
  readonly document: CookedRecipe;
  /** Where the accepted signatures came from. */
  readonly judgedAt: 'store' | 'source';
  /** `source`: the source has signatures that must be carried. */
  readonly signaturesFrom: 'store' | 'source';
  /** Signatures to carry; absent when too large to be kept in memory. They are then collected again. */
  readonly signatures?: FoundSignatures;
  /** Whether the source has signatures of a stored recipe that the store lacks. */
  readonly hasNewSignatures: boolean;
}

export type ResolvedRecipe = FailedRecipe | VerifiedRecipe;

export interface ResolveOptions {
  readonly registry: RemoteRegistry;
  readonly policy: TrustPolicy;
  /** Absent when the store does not exist yet. */
  readonly store?: Store | undefined;
  readonly basePrefix?: string | undefined;
  readonly held: HeldContent;
  /** Tags that need no request in every run. Without it each run requests all tags. */
  readonly tags?: SettledTags | undefined;
  /** Current time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
}

const candidateLimit = 20;

interface SelectedTag {
  readonly version: string;
  /** All tags of the repository, where the version required the list. */
  readonly listed?: ReadonlySet<string>;
}

/**
 * Selects the tag of a version: itself, or the highest one in the repository that a constraint allows.
 *
 * @param reference names the repository in errors, and its list in `tagLists`
 * @throws SVC-REG-006, errors of the source
 */
export async function selectTag(
  entry: Pick<RetrieverEntry, 'version'>,
  remote: Pick<RemoteRepository, 'listTags'>,
  reference: string,
  tagLists: Once<string, readonly string[]>,
  call: CallOptions,
): Promise<SelectedTag> {
  if (!isConstraint(entry.version)) return { version: entry.version };
  const all = await tagLists.run(reference, () => remote.listTags(call));
  const pacer = new Pacer();
  const tags = await mapInTurns(all, (tag) => (isAttachmentTag(tag) ? undefined : tag), pacer);
  const selected = await runInTurns(findVersion(entry.version, tags), pacer);
  if (selected !== undefined) {
    const listed = new Set<string>();
    await mapInTurns(all, (tag) => void listed.add(tag), pacer);
    return { version: selected, listed };
  }
  const candidates = await runInTurns(listNewest(tags, candidateLimit));
  throw svcError('SVC-REG-006', {
    reference,
    constraint: entry.version,
    candidates,
    ...(tags.length === 0 ? { empty: 'yes' } : {}),
  });
}

interface Judged {
  readonly verdict: SignatureVerdict;
  readonly judgedAt: 'store' | 'source';
  readonly signaturesFrom: 'store' | 'source';
  readonly signatures?: FoundSignatures;
  readonly hasNewSignatures: boolean;
}

// bytes; many recipes are resolved before the first is transferred
const keptSignatureBytes = 256 << 10;

function isSmall({ evidence }: FoundSignatures): boolean {
  let size = 0;
  for (const { manifest, layers } of evidence) {
    size += manifest.bytes.length;
    for (const { bytes } of layers) size += bytes.length;
  }
  return size <= keptSignatureBytes;
}

/**
 * Verifies a recipe under the current roots: first with the signatures in the store, then with those of the
 * source, since keys are rotated. Signatures can be published after their recipe: the source is queried each
 * time. A source that cannot be queried is an error, not an absence of signatures.
 *
 * @param listed tags of the source, where known; a tag that is not listed is not requested
 */
async function judgeRecipe(
  remote: RemoteRepository,
  listed: ReadonlySet<string> | undefined,
  local: SignedSource | undefined,
  subject: Digest,
  scopePath: string,
  options: ResolveOptions,
): Promise<Judged> {
  const { policy, store, signal } = options;
  const call = { signal };
  // an interrupted run may have stored signatures without their recipe: the source lists which ones apply
  const source = localFirstSigned(store, remote);
  const keep = (found: FoundSignatures): Pick<Judged, 'signaturesFrom' | 'signatures'> => {
    if (!isSmall(found)) {
      releaseSignatures(found);
      return { signaturesFrom: 'source' };
    }
    holdSignatures(options.held, found);
    return { signaturesFrom: 'source', signatures: found };
  };
  if (local) {
    const stored = await collectSignatures(local, subject, call);
    const verdict = await judgeFound(subject, stored, policy, scopePath);
    if (verdict.outcome !== 'refused') {
      const known = await readKnown(local, subject, call);
      const isVerified = verdict.outcome === 'verified';
      const onIncomplete = (signature: Digest) =>
        reportIncomplete(options.report, { source: formatReference(remote.nominal), digest: signature });
      const news = { ...call, listed, trust: { policy, scopePath }, isVerified, onIncomplete };
      const carry = (found: FoundSignatures | undefined) =>
        found
          ? { hasNewSignatures: true, ...keep(found) }
          : { hasNewSignatures: false, signaturesFrom: 'store' as const };
      if (isVerified) {
        const lister = toRelister(remote, listed);
        const found = await findNewSignatures(source, lister, known, subject, news);
        return { verdict, judgedAt: 'store', ...carry(found) };
      }
      // a recipe without a signature: every signature at its source counts now, incomplete ones included
      const collected = await collectSignatures(source, subject, call);
      const latest = await judgeFound(subject, collected, policy, scopePath);
      const found = await selectNew(source, collected, known, subject, news);
      return { verdict: latest, judgedAt: 'source', ...carry(found) };
    }
  }
  const collected = await collectSignatures(source, subject, call);
  const { evidence } = collected;
  const verdict = await judgeFound(subject, collected, policy, scopePath);
  const hasNewSignatures = local !== undefined && evidence.length > 0;
  return { verdict, judgedAt: 'source', hasNewSignatures, ...keep(collected) };
}

/** The content that a recipe has published under its version. Other content under the tag is ignored. */
function findPublished(
  store: ResolveOptions['store'],
  repository: string,
  version: string,
): Descriptor | undefined {
  const known = store?.index.tag(repository, version);
  const isPublished = known?.owners.some((owner) => isPublisher(owner, { repository, tag: version }));
  if (!known || known.held || known.kind !== 'Recipe' || !isPublished) return undefined;
  return { mediaType: '', digest: known.digest, size: 0 };
}

interface AskedTag {
  readonly repository: string;
  readonly version: string;
  readonly reference: string;
  readonly listed: ReadonlySet<string> | undefined;
}

/**
 * Returns the published recipe of a listed version, without a request. Its signature tag is listed, and the list is
 * unchanged since the last request of the tag.
 */
function recallTag(
  { store, tags, now }: ResolveOptions,
  { repository, version, reference, listed }: AskedTag,
): Descriptor | undefined {
  if (!listed || !tags?.isSettled(reference, listed, now())) return undefined;
  const published = findPublished(store, repository, version);
  return published && listed.has(signatureTag(published.digest) ?? '') ? published : undefined;
}

/** Records that a tag was requested. One that leads elsewhere than the published recipe is requested in each run. */
function settleTag(
  { store, tags, now }: ResolveOptions,
  { repository, version, reference, listed }: AskedTag,
  digest: Digest,
): void {
  if (!listed || !tags || tags.isSettled(reference, listed, now())) return;
  const published = findPublished(store, repository, version);
  if (!published || published.digest === digest) tags.record(reference, listed, now());
}

/**
 * Requires that a published recipe has not changed: a version in the store must have the same document.
 *
 * @throws SVC-POL-004
 */
function requireImmutable(
  store: ResolveOptions['store'],
  repository: string,
  version: string,
  digest: Digest,
  layer: Digest,
  reference: string,
): void {
  const known = findPublished(store, repository, version);
  if (!known || known.digest === digest) return;
  const isSameDocument = store?.index.manifest(known.digest)?.blobs.some((blob) => blob.digest === layer);
  if (!isSameDocument)
    throw svcError('SVC-POL-004', { reference, published: known.digest, candidate: digest });
}

/** Converts a refusing verdict to its error. */
export function toSignatureError(
  verdict: Extract<SignatureVerdict, { outcome: 'refused' }>,
  subject: string,
): SvcError {
  return svcError(
    'SVC-SIG-001',
    {
      subject,
      reason: verdict.reason,
      ...(verdict.fingerprints.length > 0 ? { fingerprints: verdict.fingerprints } : {}),
      ...(verdict.attested ? { attested: verdict.attested } : {}),
      ...(verdict.crowded === undefined ? {} : { limit: verdict.crowded }),
    },
    { detail: verdict.detail },
  );
}

/** Says of a tag, or a repository, that the cookbook has not: the recipe may not be published yet. */
function toUnpublished(error: SvcError, recipe: string): SvcError {
  const record = toErrorRecord(error);
  return fromErrorRecord({ ...record, params: { reference: recipe, ...record.params, recipe } });
}

/**
 * Resolves one entry of the Retriever: version, artifact, signature, document. The document is not parsed before its
 * signature was accepted. When the store has artifact and signatures, the source is queried only for the tag, the list
 * of signatures and, with a constraint, of tags. Tags that the list lacks are not requested. Throws only when the
 * signal is aborted: an error is part of the result.
 */
export async function resolveRecipe(
  entry: RetrieverEntry,
  tagLists: Once<string, readonly string[]>,
  options: ResolveOptions,
): Promise<ResolvedRecipe> {
  const { registry, store, held, signal } = options;
  const call: CallOptions = { signal };
  let facts: RecipeFacts = { entry, cookbook: `${entry.cookbook.host}/${entry.cookbook.repository}` };
  try {
    const nominal = recipeRepository(entry.cookbook, entry.name);
    const named = `${nominal.host}/${nominal.repository}`;
    const repository = localRepository(nominal, options.basePrefix);
    const remote = registry.repository(nominal);
    if (remote.substituted)
      facts = { ...facts, effective: `${remote.effective.host}/${remote.effective.repository}` };

    const { version, listed } = await selectTag(entry, remote, named, tagLists, call);
    const reference = `${named}:${version}`;
    facts = { ...facts, version };
    const asked = { repository, version, reference, listed };
    const descriptor = recallTag(options, asked) ?? (await remote.resolve(version, call));
    if (!descriptor) throw remote.toNotFound(version);
    settleTag(options, asked, descriptor.digest);
    const { digest } = descriptor;
    facts = { ...facts, digest };

    const source = nearSource(held, store, remote);
    const { content, manifest } = await readManifest(source, descriptor, reference, call);
    held.holdManifest(content);
    const layer = selectRecipeLayer(manifest);
    if (manifest.kind === 'index')
      throw svcError('SVC-SIG-003', {
        expected: rule(['an image manifest', fr`un manifeste d’image`]),
        actual: rule(['an index', fr`un index`]),
      });

    const local = store?.index.isManifestIn(repository, digest) ? localSigned(store, repository) : undefined;
    const judged = await judgeRecipe(remote, listed, local, digest, toScopePath(nominal), options);
    const { verdict, judgedAt, signaturesFrom, signatures, hasNewSignatures } = judged;
    facts = { ...facts, verdict };
    if (verdict.outcome === 'refused') throw toSignatureError(verdict, reference);

    requireImmutable(store, repository, version, digest, layer.digest, reference);
    const bytes = await readBlob(source, layer, reference, call);
    held.holdBlob(layer.digest, bytes);
    const recipe = await readRecipeDocument(bytes, reference, call);
    requireIdentity(recipe, { repository: nominal.repository, tag: version }, reference);
    const document = requireCooked(recipe, reference);
    return {
      ...facts,
      outcome: 'verified',
      version,
      digest,
      verdict,
      key: `${entry.name}@${version}`,
      reference,
      nominal,
      repository,
      descriptor: content.descriptor,
      config: manifest.config,
      layer,
      document,
      judgedAt,
      signaturesFrom,
      hasNewSignatures,
      ...(signatures ? { signatures } : {}),
    };
  } catch (error) {
    signal?.throwIfAborted();
    const isUnpublished = facts.digest === undefined && isSvcError(error, 'SVC-REG-005');
    const failure = isUnpublished ? toUnpublished(error, entry.name) : toSvcError(error);
    return { ...facts, outcome: 'failed', error: failure };
  }
}
