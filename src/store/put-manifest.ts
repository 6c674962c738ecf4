import { type Digest, digestAlgorithm, hashBytes } from '../base/digest.ts';
import type { Content } from '../catalog/content.ts';
import type { ContentChange, ManifestChange } from '../catalog/content-records.ts';
import type { TagDecision } from '../catalog/tag-rules.ts';
import { kindOf } from '../oci/kind.ts';
import {
  blobsOf,
  type DocumentLimits,
  effectiveArtifactType,
  intakeLimits,
  type Manifest,
  ManifestError,
  manifestLimits,
} from '../oci/manifest.ts';
import { isBundleType } from '../oci/media-types.ts';
import { parseManifestInTurns } from '../oci/parse-in-turns.ts';
import type { ManifestContent } from '../oci/ports.ts';
import { isAttachmentTag, subjectOfTag } from '../oci/reference.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { judgePut, planTag, requireSignatureRoom, type TagPut, toTagKey } from './judge-put.ts';
import { MissingBlobsError } from './missing-blobs.ts';
import type { PutOptions, PutTag, Store } from './model.ts';
import type { StoreCore } from './store-core.ts';

/** The longest media type, in characters, that fits in a ledger record. */
const maxTypeLength = 512;

/** Checks the digest of manifest bytes and parses them, in slices. @throws SVC-SIG-002, ManifestError */
export async function parseContent(
  { bytes, descriptor }: ManifestContent,
  limits?: DocumentLimits,
): Promise<Manifest> {
  if (bytes.length > manifestLimits.bytes)
    throw new ManifestError(
      rule(['larger than {bytes} bytes', fr`plus de {bytes} octets`], { bytes: manifestLimits.bytes }),
    );
  const { digest: expected } = descriptor;
  const actual = hashBytes(bytes, digestAlgorithm(expected));
  if (actual !== expected) throw svcError('SVC-SIG-002', { reference: expected, expected, actual });
  const manifest = await parseManifestInTurns(bytes, descriptor.mediaType, limits);
  const types = [manifest.mediaType, effectiveArtifactType(manifest) ?? ''];
  if (types.some((type) => type.length > maxTypeLength))
    throw new ManifestError(
      rule(
        [
          'a media type is longer than {maxTypeLength} characters',
          fr`un type de média a plus de {maxTypeLength} caractères`,
        ],
        { maxTypeLength },
      ),
    );
  return manifest;
}

/**
 * Makes the ledger record of a manifest. Non-distributable layers are included when they are present.
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

/** Preparation of a put, before it records anything. */
interface Preparation {
  readonly changes: readonly ContentChange[];
  /** Content that must be durable before the records are written. */
  readonly reached: ReadonlySet<Content>;
}

/**
 * Stores a manifest, and sets tags to it when everything it reaches is durable. The tag decisions are made
 * and recorded while no other put changes these tags: all tags are set, or none when a rule forbids one.
 *
 * @returns the result for each tag
 * @throws SVC-SIG-002, ManifestError, MissingBlobsError, SVC-POL-002, SVC-POL-004, SVC-POL-005, SVC-STO-00x, and the
 *   errors of `requireWritable`
 */
export async function putManifest(
  { core }: Store,
  repository: string,
  content: ManifestContent,
  options: PutOptions,
): Promise<readonly PutTag[]> {
  // the store may have a manifest from before these limits
  const isKnown = core.graph.get(content.descriptor.digest)?.facts !== undefined;
  const manifest = await parseContent(content, isKnown ? manifestLimits : intakeLimits);
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
    const prepared =
      manifest.kind === 'image'
        ? await prepareImage(core, repository, facts, options, pin)
        : await prepareIndex(core, facts, options, pin);
    const puts = toTagPuts(repository, self.digest, manifest, options);
    const judge = async (): Promise<TagDecision[]> => {
      const decisions = await Promise.all(puts.map((put) => judgePut(core, put)));
      requireRoom(core, repository, manifest, content, options);
      options.require?.();
      return decisions;
    };
    if (!(await core.files.isWhole(self))) {
      // a refused put leaves no file, which another tag of this digest would present without a record
      await judge();
      await core.files.put(content.bytes, self.digest);
    }
    await core.files.makeDurable([self, ...prepared.reached]);
    core.cache.set(self.digest, content.bytes);
    return await core.gate.shared(() =>
      core.tagging.run(puts.map(toTagKey), async () => {
        const decisions = await judge();
        const outcome = puts.map(({ tag }, i): PutTag => {
          const previous = core.graph.tag(repository, tag)?.digest;
          return { tag, isSet: decisions[i] !== 'keep', ...(previous === undefined ? {} : { previous }) };
        });
        const changes = [
          ...prepared.changes,
          ...planPut(core, repository, facts, self, options),
          ...puts.flatMap((put, i) => planTag(core, put, decisions[i]!)),
        ];
        if (changes.length === 0) return outcome;
        await core.keeper.change('content', () => core.record(changes));
        // Until a tag or an index reaches the manifest, a hold protects it and its parts.
        if (self.refs > 0) return outcome;
        core.holds.write(self);
        for (const one of prepared.reached) if (one.refs === 0) core.holds.write(one);
        return outcome;
      }),
    );
  } finally {
    for (const one of pins) core.holds.unpin(one);
  }
}

function toTagPuts(
  repository: string,
  digest: Digest,
  manifest: Manifest,
  { owner, kind, tag = [] }: PutOptions,
): readonly TagPut[] {
  return (typeof tag === 'string' ? [tag] : tag).map((one) => ({
    repository,
    tag: one,
    digest,
    // a signature does not have the kind of its subject
    kind: isAttachmentTag(one) ? kindOf(manifest) : (kind ?? kindOf(manifest)),
    owner,
    manifest,
  }));
}

/** @throws SVC-POL-002 when a client pushes a signature that it must not add */
function requireRoom(
  core: StoreCore,
  repository: string,
  manifest: Manifest,
  { descriptor, bytes }: ManifestContent,
  { owner, tag = [] }: PutOptions,
): void {
  if (owner.provenance !== 'push') return;
  const added = { digest: descriptor.digest, bytes: bytes.length };
  const subjects = (typeof tag === 'string' ? [tag] : tag).flatMap((one) => subjectOfTag(one) ?? []);
  if (manifest.subject && isBundleType(effectiveArtifactType(manifest)))
    subjects.push(manifest.subject.digest);
  for (const subject of subjects) requireSignatureRoom(core, repository, subject, added);
}

async function prepareImage(
  core: StoreCore,
  repository: string,
  { blobs = [] }: ManifestChange,
  { owner }: PutOptions,
  pin: (digest: Digest) => Content,
): Promise<Preparation> {
  const missing: Content[] = [];
  const reached = new Set<Content>();
  for (let i = 0; i < blobs.length; i += 2) {
    const blob = pin(blobs[i] as Digest);
    const isVisible =
      owner.provenance !== 'push' ||
      core.index.isBlobIn(repository, blob.digest) ||
      core.holds.isPromised(blob, repository);
    if (!isVisible || !(await core.files.isWhole(blob))) missing.push(blob);
    else if (core.index.sizeOf(blob.digest) !== blobs[i + 1] && (await measure(core, blob)) !== blobs[i + 1])
      throw new ManifestError(
        rule(['{digest} has {size} bytes, not {stated}', fr`{digest} a {size} octets, pas {stated}`], {
          digest: blob.digest,
          size: blob.size,
          stated: blobs[i + 1],
        }),
      );
    reached.add(blob);
  }
  for (const blob of missing) core.files.requireKept(blob);
  if (missing.length > 0) throw new MissingBlobsError(missing.map(({ digest }) => digest));
  return { changes: [], reached };
}

/** The size of a blob by its bytes; earlier manifests may have declared another. */
async function measure(core: StoreCore, blob: Content): Promise<number> {
  const { file, size } = await core.files.open(blob);
  await file.close();
  return size;
}

/**
 * Collects the present children of an index, at all levels, whichever process wrote them. A child without a
 * record (its writer was killed) is parsed. A child that is not vouched for is hashed; a damaged child counts
 * as absent.
 *
 * @throws SVC-MED-030 when a push would serve content that is held until a verified recipe reaches it
 */
async function prepareIndex(
  core: StoreCore,
  { manifests = [] }: ManifestChange,
  { owner }: PutOptions,
  pin: (digest: Digest) => Content,
): Promise<Preparation> {
  const changes: ContentChange[] = [];
  const reached = new Set<Content>();
  /** The greatest depth at which a child was met: content below it is visited again on each longer way. */
  const depths = new Map<Content, number>();
  const below = new Map<Content, readonly Digest[]>();
  const todo = manifests.map((digest) => ({ digest, depth: 1 }));
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { depth } = next;
    const child = pin(next.digest);
    if ((depths.get(child) ?? 0) >= depth || !child.present) continue;
    const known = below.get(child);
    if (known !== undefined) {
      requireDepth(depth);
      depths.set(child, depth);
      for (const digest of known) todo.push({ digest, depth: depth + 1 });
      continue;
    }
    if (owner.provenance === 'push' && isHeldOnly(child))
      throw svcError('SVC-MED-030', { mediaId: core.state.mediaId });
    if (!(await core.files.isWhole(child))) continue;
    reached.add(child);
    requireDepth(depth);
    depths.set(child, depth);
    const learnt = child.facts === undefined ? await readOrphan(core, child) : undefined;
    if (learnt) changes.push(learnt);
    const { contents } = core.graph;
    const blobs = child.facts?.blobs.map((id) => contents.digestOf(id)) ?? learnt?.blobs ?? [];
    for (const blob of blobs) {
      const one = typeof blob === 'string' ? pin(blob) : undefined;
      if (one !== undefined && (await core.files.isWhole(one))) reached.add(one);
    }
    const children = child.facts?.manifests.map((one) => one.digest) ?? learnt?.manifests ?? [];
    below.set(child, children);
    for (const digest of children) todo.push({ digest, depth: depth + 1 });
  }
  return { changes, reached };
}

/** @throws ManifestError */
function requireDepth(depth: number): void {
  if (depth > manifestLimits.nesting)
    throw new ManifestError(
      rule(
        [
          'indexes are nested deeper than {nesting}',
          fr`les index sont imbriqués à plus de {nesting} niveaux`,
        ],
        { nesting: manifestLimits.nesting },
      ),
    );
}

/** Whether only held tags of an adopted store reach this content. */
function isHeldOnly({ links }: Content): boolean {
  const homes = links?.homes ?? [];
  return homes.length > 0 && homes.every(({ shadow }) => shadow);
}

/**
 * Reads the facts of a manifest file without a record.
 *
 * @returns undefined when it is not a usable manifest, or when one of its blobs is missing or has another size
 */
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
    const manifest = await parseContent(read);
    const facts = toFacts(manifest, read, (digest) => core.graph.get(digest)?.present === true);
    const { blobs = [] } = facts;
    for (let i = 0; i < blobs.length; i += 2) {
      const blob = core.graph.intern(blobs[i] as Digest);
      if (!(await core.files.isWhole(blob))) return undefined;
      // a false size would count for every other manifest with this blob
      if ((await measure(core, blob)) !== blobs[i + 1]) return undefined;
    }
    return facts;
  } catch (error) {
    if (error instanceof ManifestError) return undefined;
    throw error;
  }
}

/**
 * Plans the records of a manifest; called within the gate, so that known content cannot be removed before
 * they are written.
 */
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
