import { type Digest, hashBytes } from '../base/digest.ts';
import { type SvcError, svcError, toSvcError } from '../base/error.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { CallOptions, SignedSource } from '../oci/ports.ts';
import { isAttachmentTag, type RepositoryReference } from '../oci/reference.ts';
import { selectRecipeLayer } from '../recipe/artifact.ts';
import { compareVersions, isConstraint, selectVersion } from '../recipe/constraint.ts';
import { parseRecipe, requireCooked } from '../recipe/document.ts';
import { requireIdentity } from '../recipe/identity.ts';
import type { CookedRecipe, RetrieverEntry } from '../recipe/model.ts';
import { localRepository, recipeRepository } from '../recipe/relocation.ts';
import type { RemoteRegistry, RemoteRepository } from '../remote/model.ts';
import type { Store } from '../store/model.ts';
import { collectSignatures, type FoundSignatures, releaseSignatures } from '../trust/discover.ts';
import { judgeSignatures } from '../trust/judge.ts';
import type { SignatureVerdict, TrustPolicy } from '../trust/model.ts';
import { toScopePath } from '../trust/scope.ts';
import { type HeldContent, withHeld } from './held-content.ts';
import { localFirst, localFirstSigned, localSigned } from './local-source.ts';
import type { Once } from './once.ts';
import { readBlob } from './read-blob.ts';
import { readManifest } from './read-manifest.ts';

export { toScopePath };

/** What is known of a recipe whether or not it can be used. */
interface RecipeFacts {
  readonly entry: RetrieverEntry;
  /** Nominal cookbook, `<host>/<path>`. */
  readonly cookbook: string;
  readonly version?: string;
  readonly digest?: Digest;
  /** The place that was asked, where it is not the nominal one. */
  readonly effective?: string;
  readonly verdict?: SignatureVerdict;
}

export interface FailedRecipe extends RecipeFacts {
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
  /** Where the accepted signatures were found: those of the source must be carried. */
  readonly signaturesFrom: 'store' | 'source';
  /** The signatures of the source, unless they are too large to be kept: they are collected and judged again then. */
  readonly signatures?: FoundSignatures;
}

export type ResolvedRecipe = FailedRecipe | VerifiedRecipe;

export interface ResolveOptions {
  readonly registry: RemoteRegistry;
  readonly policy: TrustPolicy;
  /** Absent when there is none yet. */
  readonly store?: Pick<Store, 'index' | 'readManifest' | 'openBlob' | 'repository'> | undefined;
  readonly basePrefix?: string | undefined;
  readonly held: HeldContent;
  readonly signal?: AbortSignal | undefined;
}

const candidateLimit = 20;

async function selectTag(
  entry: RetrieverEntry,
  remote: RemoteRepository,
  reference: string,
  tagLists: Once<string, readonly string[]>,
  call: CallOptions,
): Promise<string> {
  if (!isConstraint(entry.version)) return entry.version;
  const all = await tagLists.run(reference, () => remote.listTags(call));
  const tags = all.filter((tag) => !isAttachmentTag(tag));
  const selected = selectVersion(entry.version, tags);
  if (selected !== undefined) return selected;
  const candidates = [...tags].sort((a, b) => compareVersions(b, a)).slice(0, candidateLimit);
  throw svcError('SVC-REG-006', { reference, constraint: entry.version, candidates });
}

/** Holds the bytes of signatures, so that those judged are those carried. */
export function holdSignatures(held: HeldContent, { evidence }: Pick<FoundSignatures, 'evidence'>): void {
  for (const { manifest, layers } of evidence) {
    held.holdManifest(manifest);
    for (const { bytes } of layers) held.holdBlob(hashBytes(bytes), bytes);
  }
}

interface Judged {
  readonly verdict: SignatureVerdict;
  readonly from: 'store' | 'source';
  readonly found?: FoundSignatures;
}

// many recipes are resolved before the first one moves
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
 * Judges a recipe under today's roots: by the signatures the store has, and when these do not suffice by the source's,
 * because keys rotate. A source that cannot be asked is an error, never an absence.
 */
async function judgeRecipe(
  remote: SignedSource,
  local: SignedSource | undefined,
  subject: Digest,
  scopePath: string,
  options: ResolveOptions,
): Promise<Judged> {
  const call = options.signal ? { signal: options.signal } : {};
  if (local) {
    const { evidence } = await collectSignatures(local, subject, call);
    const verdict = judgeSignatures(subject, evidence, options.policy, scopePath);
    if (verdict.outcome === 'verified') return { verdict, from: 'store' };
  }
  // an interrupted run may have left signatures whose recipe it did not reach: which ones count, the source says
  const source = localFirstSigned(options.store, remote);
  const collected = await collectSignatures(source, subject, call);
  const verdict = judgeSignatures(subject, collected.evidence, options.policy, scopePath);
  if (!isSmall(collected)) {
    releaseSignatures(collected);
    return { verdict, from: 'source' };
  }
  holdSignatures(options.held, collected);
  return { verdict, from: 'source', found: collected };
}

/**
 * A published recipe never changes: what a recipe brought under this version must have the same document.
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
  const known = store?.index.tag(repository, version);
  if (!known || known.held || known.digest === digest) return;
  if (!known.owners.some(({ provenance }) => provenance === 'recipe')) return;
  const isSameDocument = store?.index.manifest(known.digest)?.blobs.some((blob) => blob.digest === layer);
  if (!isSameDocument)
    throw svcError('SVC-POL-004', { reference, published: known.digest, candidate: digest });
}

/** The refusal that a verdict stands for. */
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
    },
    verdict.detail === undefined ? {} : { detail: verdict.detail },
  );
}

/**
 * Resolves one entry of the Retriever: version, artifact, signature, document. Nothing of it is acted on before its
 * signature is accepted. When the store has artifact and signatures, the source is asked for the tag only, and for the
 * list of tags where the version is a constraint. Never throws but for an aborted signal: the failure is the answer.
 */
export async function resolveRecipe(
  entry: RetrieverEntry,
  tagLists: Once<string, readonly string[]>,
  options: ResolveOptions,
): Promise<ResolvedRecipe> {
  const { registry, store, held, signal } = options;
  const call: CallOptions = signal ? { signal } : {};
  let facts: RecipeFacts = { entry, cookbook: `${entry.cookbook.host}/${entry.cookbook.repository}` };
  try {
    const nominal = recipeRepository(entry.cookbook, entry.name);
    const named = `${nominal.host}/${nominal.repository}`;
    const repository = localRepository(nominal, options.basePrefix);
    const remote = registry.repository(nominal);
    if (remote.substituted)
      facts = { ...facts, effective: `${remote.effective.host}/${remote.effective.repository}` };

    const version = await selectTag(entry, remote, named, tagLists, call);
    const reference = `${named}:${version}`;
    facts = { ...facts, version };
    const descriptor = await remote.resolve(version, call);
    if (!descriptor) throw remote.toNotFound(version);
    const { digest } = descriptor;
    facts = { ...facts, digest };

    const source = withHeld(localFirst(store, remote), held);
    const { content, manifest } = await readManifest(source, descriptor, reference, call);
    held.holdManifest(content);
    const layer = selectRecipeLayer(manifest);
    if (manifest.kind === 'index')
      throw svcError('SVC-SIG-003', { expected: 'an image manifest', actual: 'an index' });

    const local = store?.index.isManifestIn(repository, digest) ? localSigned(store, repository) : undefined;
    const { verdict, from, found } = await judgeRecipe(
      remote,
      local,
      digest,
      toScopePath(entry.cookbook),
      options,
    );
    facts = { ...facts, verdict };
    if (verdict.outcome === 'refused') throw toSignatureError(verdict, reference);

    requireImmutable(store, repository, version, digest, layer.digest, reference);
    const bytes = await readBlob(source, layer, reference, call);
    held.holdBlob(layer.digest, bytes);
    const recipe = parseRecipe(bytes, reference);
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
      signaturesFrom: from,
      ...(found ? { signatures: found } : {}),
    };
  } catch (error) {
    signal?.throwIfAborted();
    return { ...facts, outcome: 'failed', error: toSvcError(error) };
  }
}
