import { type Digest, digestAlgorithm, hashBytes } from '../base/digest.ts';
import { svcError } from '../base/error.ts';
import { kindOf } from '../oci/kind.ts';
import {
  blobsOf,
  effectiveArtifactType,
  type Manifest,
  ManifestError,
  manifestLimits,
  parseManifest,
} from '../oci/manifest.ts';
import type { ManifestContent } from '../oci/ports.ts';
import type { Content } from './content.ts';
import { type ContentChange, isSameOwner, type ManifestChange } from './content-records.ts';
import { MissingBlobsError } from './missing-blobs.ts';
import type { PutOptions } from './model.ts';
import type { StoreCore } from './store-core.ts';

/** What a ledger line has room for. */
const maxTypeLength = 512;

/** Parses a manifest whose bytes have the digest. @throws SVC-SIG-002, ManifestError */
export function parseContent({ bytes, descriptor }: ManifestContent): Manifest {
  if (bytes.length > manifestLimits.bytes)
    throw new ManifestError(`larger than ${manifestLimits.bytes} bytes`);
  const { digest: expected } = descriptor;
  const actual = hashBytes(bytes, digestAlgorithm(expected));
  if (actual !== expected) throw svcError('SVC-SIG-002', { reference: expected, expected, actual });
  const manifest = parseManifest(bytes, descriptor.mediaType);
  const types = [manifest.mediaType, effectiveArtifactType(manifest) ?? ''];
  if (types.some((type) => type.length > maxTypeLength))
    throw new ManifestError(`a media type is longer than ${maxTypeLength} characters`);
  return manifest;
}

/**
 * The record of a manifest's facts. Layers that need not be distributed belong to it where they are present.
 *
 * @param isPresent whether a blob is in the store
 */
export function toFacts(
  manifest: Manifest,
  { bytes, descriptor }: ManifestContent,
  isPresent: (digest: Digest) => boolean,
): ManifestChange {
  const artifactType = effectiveArtifactType(manifest);
  const common = {
    op: 'manifest',
    digest: descriptor.digest,
    type: manifest.mediaType,
    size: bytes.length,
    ...(artifactType === undefined ? {} : { artifactType }),
    ...(manifest.subject === undefined ? {} : { subject: manifest.subject.digest }),
  } as const;
  if (manifest.kind === 'index')
    return { ...common, manifests: [...new Set(manifest.manifests.map(({ digest }) => digest))] };
  const required = blobsOf(manifest);
  const names = new Set(required.map(({ digest }) => digest));
  const optional = manifest.layers.filter(({ digest }) => !names.has(digest) && isPresent(digest));
  const blobs = new Map([...required, ...optional].map(({ digest, size }) => [digest, size]));
  return { ...common, blobs: [...blobs].flat() };
}

/** What a put found out before it records anything. */
interface Ground {
  readonly changes: readonly ContentChange[];
  /** Everything that must be durable first. */
  readonly reached: ReadonlySet<Content>;
}

/**
 * Stores a manifest, and points a tag at it when everything it reaches is durable.
 *
 * @throws SVC-SIG-002, ManifestError, MissingBlobsError, SVC-STO-00x, and what `requireWritable` throws
 */
export async function putManifest(
  core: StoreCore,
  repository: string,
  content: ManifestContent,
  options: PutOptions,
): Promise<void> {
  const manifest = parseContent(content);
  await core.requireWritable();
  const pins = new Set<Content>();
  const pin = (digest: Digest): Content => {
    const one = core.graph.intern(digest);
    if (!pins.has(one)) core.holds.pin(one);
    pins.add(one);
    return one;
  };
  try {
    const self = pin(content.descriptor.digest);
    const facts = toFacts(manifest, content, (digest) => core.graph.get(digest)?.present === true);
    const ground =
      manifest.kind === 'image'
        ? await prepareImage(core, repository, facts, options, pin)
        : await prepareIndex(core, facts, pin);
    if (!(await core.files.isWhole(self))) await core.files.put(content.bytes, self.digest);
    await core.files.makeDurable([self, ...ground.reached]);
    core.cache.set(self.digest, content.bytes);
    const kind = options.kind ?? kindOf(manifest);
    await core.gate.shared(async () => {
      const changes = [
        ...ground.changes,
        ...planPut(core, repository, facts, self, options),
        ...planTag(core, repository, self, kind, options),
      ];
      if (changes.length === 0) return;
      await core.keeper.change('content', () => core.record(changes));
      // Until a tag or an index reaches it, a manifest keeps what it needs by the time of its writing.
      if (self.refs > 0) return;
      core.holds.write(self);
      for (const one of ground.reached) if (one.refs === 0) core.holds.write(one);
    });
  } finally {
    for (const one of pins) core.holds.unpin(one);
  }
}

async function prepareImage(
  core: StoreCore,
  repository: string,
  { blobs = [] }: ManifestChange,
  { owner }: PutOptions,
  pin: (digest: Digest) => Content,
): Promise<Ground> {
  const missing: Content[] = [];
  const reached = new Set<Content>();
  for (let i = 0; i < blobs.length; i += 2) {
    const blob = pin(blobs[i] as Digest);
    const isVisible = owner.provenance !== 'push' || core.index.isBlobIn(repository, blob.digest);
    if (!isVisible || !(await core.files.isWhole(blob))) missing.push(blob);
    else if (core.index.sizeOf(blob.digest) !== blobs[i + 1])
      throw new ManifestError(`${blob.digest} has ${blob.size} bytes, not ${blobs[i + 1]}`);
    reached.add(blob);
  }
  for (const blob of missing) core.files.requireKept(blob);
  if (missing.length > 0) throw new MissingBlobsError(missing.map(({ digest }) => digest));
  return { changes: [], reached };
}

/**
 * Children that are in the store belong to it from now on, whatever wrote them: those that no record speaks of (their
 * writer was killed) are read.
 */
async function prepareIndex(
  core: StoreCore,
  { manifests = [] }: ManifestChange,
  pin: (digest: Digest) => Content,
): Promise<Ground> {
  const changes: ContentChange[] = [];
  const reached = new Set<Content>();
  const todo = manifests.map((digest) => ({ digest, depth: 1 }));
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const child = pin(next.digest);
    if (reached.has(child) || !child.present) continue;
    reached.add(child);
    if (next.depth > manifestLimits.nesting)
      throw new ManifestError(`indexes are nested deeper than ${manifestLimits.nesting}`);
    const learnt = child.facts === undefined ? await readOrphan(core, child) : undefined;
    if (learnt) changes.push(learnt);
    const { contents } = core.graph;
    const blobs = child.facts?.blobs.map((id) => contents.digestOf(id)) ?? learnt?.blobs ?? [];
    for (const blob of blobs) {
      const one = typeof blob === 'string' ? pin(blob) : undefined;
      if (one?.present) reached.add(one);
    }
    const children = child.facts?.manifests.map((one) => one.digest) ?? learnt?.manifests ?? [];
    for (const digest of children) todo.push({ digest, depth: next.depth + 1 });
  }
  return { changes, reached };
}

/** The facts of a manifest file that nothing has recorded; undefined when it is no usable manifest, or lacks blobs. */
async function readOrphan(core: StoreCore, content: Content): Promise<ManifestChange | undefined> {
  if (!(await core.files.isWhole(content)) || content.size > manifestLimits.bytes) return undefined;
  const { file } = await core.files.open(content);
  let bytes: Buffer;
  try {
    bytes = await file.readFile();
  } finally {
    await file.close();
  }
  try {
    const read = { bytes, descriptor: { mediaType: '', digest: content.digest, size: bytes.length } };
    const manifest = parseContent(read);
    const facts = toFacts(manifest, read, (digest) => core.graph.get(digest)?.present === true);
    for (const blob of facts.blobs ?? []) {
      if (typeof blob === 'string' && !(await core.files.isWhole(core.graph.intern(blob)))) return undefined;
    }
    return facts;
  } catch (error) {
    if (error instanceof ManifestError) return undefined;
    throw error;
  }
}

/** Asked when nothing can be taken away any more, so that what is known now stays known. */
function planPut(
  core: StoreCore,
  repository: string,
  facts: ManifestChange,
  self: Content,
  { owner }: PutOptions,
): ContentChange[] {
  const isPushed = owner.provenance === 'push';
  const membership = core.graph.repositories.get(repository)?.manifests.get(self);
  const isKnown = self.facts !== undefined && !core.graph.isUnvouched(self);
  const isMember = membership?.put === true && (membership.pushed || !isPushed);
  return [
    ...(isKnown ? [] : [facts]),
    ...(isMember
      ? []
      : [
          {
            op: 'put',
            repo: repository,
            digest: self.digest,
            ...(isPushed ? { pushed: true as const } : {}),
          } as const,
        ]),
  ];
}

function planTag(
  core: StoreCore,
  repository: string,
  self: Content,
  kind: ReturnType<typeof kindOf>,
  { owner, tag }: PutOptions,
): ContentChange[] {
  if (tag === undefined) return [];
  const known = core.graph.tag(repository, tag);
  const isSame =
    known?.content === self &&
    !known.held &&
    known.kind === kind &&
    known.owners.some((other) => isSameOwner(other, owner));
  return isSame ? [] : [{ op: 'tag', repo: repository, tag, digest: self.digest, kind, owner }];
}
