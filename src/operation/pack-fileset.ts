import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { audited } from '../base/audited.ts';
import type { Digest } from '../base/digest.ts';
import type { Report } from '../base/report.ts';
import { requireShownTag } from '../catalog/shown-tag.ts';
import type { Config } from '../config/model.ts';
import { isInside, resolveLinks } from '../config/resolve-links.ts';
import type { PackedFileset } from '../contract/fileset.ts';
import { toUnreadableFolder } from '../disk/named-file-error.ts';
import { inspectVolume } from '../disk/volume.ts';
import { judgeVolume } from '../engine/sync/preflight/judge-volume.ts';
import { passPreflight } from '../engine/sync/preflight/pass-preflight.ts';
import { type FilesetName, requireFilesetName } from '../fileset/fileset-name.ts';
import { type FilesetImage, toFilesetImage } from '../fileset/pack-image.ts';
import { openTreePack, type TreePack } from '../fileset/pack-tree.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { mediaTypes } from '../oci/media-types.ts';
import { formatReference, type Reference } from '../oci/reference.ts';
import { localRepository } from '../recipe/relocation.ts';
import type { Store } from '../store/model.ts';
import { putManifest } from '../store/put-manifest.ts';
import { createBlobWriter } from '../store/write-blob.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import type { Instance } from './instance/instance.ts';

export interface PackFilesetInput {
  /** Path of the folder to pack. */
  readonly source: string;
  readonly name: string;
  readonly version: string;
  /** Returns the store opened for writing. Called while the tree is scanned. */
  readonly store: () => Promise<Store>;
  /**
   * Scans the tree at a real path. Default: `openTreePack`. A caller can pass a scan that it has already
   * started.
   */
  readonly look?: (root: string) => Promise<TreePack>;
  /** Folders that must contain the real path of the source. Absent: any path is allowed. */
  readonly within?: readonly string[] | undefined;
  /** As of `fingerprintTag`: the content of the version when the pack was confirmed; nothing else is replaced. */
  readonly replaces?: string | undefined;
  /** Actor of the audit record. */
  readonly actor: string;
  readonly origin?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onBytes?: (done: number, total: number) => void;
}

export interface PackOutcome {
  readonly fileset: PackedFileset;
  /** Digest of the version before; equal to the new one when nothing has changed. */
  readonly previous: Digest | undefined;
}

type PackContext = { readonly config: Config; readonly report: Report };

/**
 * Packs a folder into the local store as an image with one layer. The bytes are the same on every machine. A
 * version that was packed before is moved to the new content; a version that a recipe owns is not.
 *
 * @throws SVC-FIL-001, SVC-FIL-002, SVC-FIL-003, SVC-POL-002, SVC-POL-004, SVC-SRV-007, SVC-STO-004 and the errors of the
 *   store; nothing is stored then
 */
export async function packFileset(context: PackContext, input: PackFilesetInput): Promise<PackOutcome> {
  const { report } = context;
  const { actor, origin, source, name, version } = input;
  const target = `${name}:${version}`.slice(0, 512);
  return audited(
    report,
    { actor, action: 'fileset.pack', target, origin, details: { source } },
    () => pack(context, input),
    {
      success: ({ fileset: { digest }, previous }) => ({
        digest,
        ...(previous === undefined || previous === digest ? {} : { replaced: previous }),
      }),
      failure: ({ code }) => ({
        ...(input.signal?.aborted ? { interrupted: true } : { code }),
        correlationId: input.correlationId,
      }),
    },
  );
}

/**
 * Packs a folder below `files.packRoots` for an instance, and reviews the FileSets that it serves.
 *
 * @throws the reason of the signal, and the errors of {@link packFileset}
 */
export function packBelowRoots(
  { context, store, filesets, packs }: Pick<Instance, 'context' | 'store' | 'filesets' | 'packs'>,
  input: Omit<PackFilesetInput, 'store' | 'within' | 'look' | 'onBytes'>,
): Promise<PackedFileset> {
  return packs.run(async () => {
    input.signal?.throwIfAborted();
    const within = context.config.files.packRoots;
    const packed = await packFileset(context, { ...input, store: async () => store, within });
    filesets.review(input.actor, input.origin);
    return packed.fileset;
  });
}

async function pack({ config, report }: PackContext, input: PackFilesetInput): Promise<PackOutcome> {
  const { name, version, signal, onBytes } = input;
  const nominal = toReference({ name, version });
  const { repository } = toFilesetPlace(config, input);
  const root = await requirePackSource(input, config);
  const looking = input.look?.(root) ?? openTreePack(root, signal);
  const opening = input.store();
  await Promise.allSettled([looking, opening]);
  await using tree = await looking;
  const store = await opening;
  const { bytes, ...counts } = tree.measure;
  await requireSpace(store.root, bytes, config, report);
  const layer = await storeLayer(store, tree, (done) => {
    signal?.throwIfAborted();
    onBytes?.(done, bytes);
  });
  const image = toFilesetImage(layer);
  const previous = await putImage(store, { repository, tag: version }, image, input.replaces);
  return {
    fileset: {
      reference: formatReference(nominal),
      repository,
      name,
      version,
      digest: image.digest,
      layerDigest: layer.digest,
      ...counts,
      bytes,
      signed: false,
    },
    previous,
  };
}

/** Where a version of a FileSet is in the local store. @throws SVC-FIL-001 for an unusable name or version */
export function toFilesetPlace(
  { storage }: Pick<Config, 'storage'>,
  { name, version }: FilesetName,
): { readonly repository: string; readonly tag: string } {
  return {
    repository: localRepository(toReference({ name, version }), storage.basePrefix),
    tag: version,
  };
}

/** @throws SVC-FIL-001 */
function toReference({ name, version }: FilesetName): Reference & { readonly tag: string } {
  requireFilesetName({ name, version });
  return { host: 'localhost', repository: `filesets/${name}`, tag: version };
}

/**
 * Resolves the real path of the folder to pack.
 *
 * @throws SVC-FIL-001, SVC-FIL-002 when it contains the store or the state, or is in one of them; SVC-FIL-003
 */
export async function requirePackSource(
  { source, within }: Pick<PackFilesetInput, 'source' | 'within'>,
  { storage, state }: Pick<Config, 'storage' | 'state'>,
): Promise<string> {
  if (within !== undefined) {
    const place = await resolveLinks(source);
    const roots = await Promise.all(within.map(resolveLinks));
    if (!isAbsolute(source) || !roots.some((root) => isInside(place, root)))
      throw svcError('SVC-FIL-003', { path: source });
  }
  const path = await realpath(source).catch((cause: unknown) => {
    throw svcError('SVC-FIL-001', { path: source, rule: toUnreadableFolder(cause) }, { cause });
  });
  for (const [what, own] of [
    [rule(['store', fr`du stockage`]), storage.root],
    [rule(['state', fr`d’état`]), state.root],
  ] as const) {
    if (own === undefined) continue;
    const root = await resolveLinks(own);
    if (isInside(path, root) || isInside(root, path))
      throw svcError('SVC-FIL-002', {
        path: source,
        rule: rule(
          [
            'it contains the {what} folder or is inside it',
            fr`il contient le dossier {what} ou se trouve dedans`,
          ],
          { what },
        ),
      });
  }
  return path;
}

/** @throws SVC-STO-004, SVC-STO-005 */
async function requireSpace(
  root: string,
  bytes: number,
  { preflight }: Config,
  report: Report,
): Promise<void> {
  const demand = {
    target: 'store',
    path: root,
    volume: await inspectVolume(root),
    neededBytes: bytes,
    largestFileBytes: bytes,
    folderEntries: 0,
  } as const;
  const judged = judgeVolume(demand, preflight.safetyMarginPercent);
  passPreflight([judged], preflight.disabled, report);
}

/** @throws the errors of the tree and the store; nothing is stored then */
async function storeLayer(
  store: Store,
  tree: TreePack,
  onBytes: (done: number) => void,
): Promise<Descriptor> {
  const { bytes } = tree.measure;
  const writer = await createBlobWriter(store, { size: bytes, direct: true });
  try {
    for await (const { bytes: chunk, giveBack } of tree.chunks()) {
      await writer.write(chunk, { disposable: giveBack });
      // flush to disk during the last scan of the tree
      if (writer.received === bytes) void writer.flush();
      onBytes(writer.received);
    }
    return { mediaType: mediaTypes.ociLayer, ...(await writer.commit()) };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** @returns the digest of the version before. @throws SVC-POL-002, SVC-POL-004, SVC-SRV-007 when it may not be moved */
async function putImage(
  store: Store,
  place: { readonly repository: string; readonly tag: string },
  image: FilesetImage,
  replaces: string | undefined,
): Promise<Digest | undefined> {
  const writer = await createBlobWriter(store, { size: image.config.length });
  try {
    await writer.write(image.config);
    await writer.commit();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const descriptor = { mediaType: mediaTypes.ociManifest, digest: image.digest, size: image.manifest.length };
  const [put] = await putManifest(
    store,
    place.repository,
    { descriptor, bytes: image.manifest },
    {
      tag: place.tag,
      kind: 'FileSet',
      owner: { provenance: 'local-pack' },
      require: () => requireShownTag(store.index, place, image.digest, replaces),
    },
  );
  return put?.previous;
}
