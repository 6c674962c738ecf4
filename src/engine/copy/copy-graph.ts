import { forEachBounded, Semaphore } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { Once } from '../../base/once.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { type Manifest, manifestLimits } from '../../oci/manifest.ts';
import { isImageType, isNonDistributable } from '../../oci/media-types.ts';
import { formatPlatform, type Platform } from '../../oci/platform.ts';
import type { CallOptions, ManifestContent, Resolver, Source, Target } from '../../oci/ports.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { type ChosenChild, chooseChildren } from './choose-children.ts';
import { GraphMemory, refuseMore, takeTurn } from './read-child.ts';
import { readManifest } from './read-manifest.ts';
import { streamBlob } from './stream-blob.ts';

/** Content that is at the target: it was found there, or this call put it there. */
interface Fact {
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
  readonly mediaType: string;
}

interface CopyResult {
  readonly root: Descriptor;
  readonly facts: readonly Fact[];
  /** Number and bytes of the blobs and manifests that this call put. */
  readonly moved: { readonly count: number; readonly bytes: number };
}

/**
 * Moves one blob by another way than the stream from source to target, such as a resumable download or one
 * shared with another copy. Returns false where the stream must be used.
 */
export type BlobMover = (
  blob: Descriptor,
  options: { readonly onBytes: (count: number) => void },
) => Promise<boolean>;

/** A question about one blob at the target. */
export type BlobQuestion = (blob: Descriptor) => Promise<boolean>;

export interface CopyOptions extends CallOptions {
  /** Names the root in errors. */
  readonly reference: string;
  /** Platforms of a root index to carry, in nested indexes too; empty: all. Indexes are not changed. */
  readonly platforms?: readonly Platform[];
  /** Tag to point at the root when all it reaches is at the target. Without it the root has no tag. */
  readonly tag?: string;
  /** Limits the number of blobs that move at the same time, also across copies. Default: 4 for this copy. */
  readonly limiter?: Semaphore;
  /** Layers that need not be distributed: required (sync), or taken where present. Default `required`. */
  readonly foreignLayers?: 'required' | 'where-present';
  /** Layers that need not be distributed and are known to be absent. */
  readonly absentLayers?: readonly Digest[] | undefined;
  /**
   * Whether the target lacks a blob of an image that it has. Such a blob is put, and the manifest of the image after it.
   * Default: nothing is asked, as a registry keeps the content that its manifests name.
   */
  readonly isLost?: BlobQuestion | undefined;
  /** Children of an index: all requested, or those that the source has, at least one. Default `required`. */
  readonly children?: 'required' | 'where-present';
  /** Called when all blobs of a manifest are at the target, before its put. An error ends the copy. */
  readonly check?: (content: ManifestContent, manifest: Manifest) => void | Promise<void>;
  /**
   * Called when all children are at the target, before the root is put. Puts signatures that must precede the tag.
   *
   * @param carried digests of the manifests that were carried: the root first, then those below it
   */
  readonly beforeRoot?: (carried: readonly Digest[]) => Promise<void>;
  /** Returns a repository of the target to mount the blob from. Undefined: `moveBlob` is used. */
  readonly mountFrom?: (blob: Digest) => Promise<string | undefined>;
  readonly moveBlob?: BlobMover;
  /** Called with the number of bytes of blobs and manifests that have moved since the last call. */
  readonly onBytes?: (count: number) => void;
  /** Called when a blob or manifest has been put or mounted completely, with the number of bytes that moved. */
  readonly onPut?: (content: Descriptor, movedBytes: number) => void;
}

/**
 * Copies a manifest and everything below it to another repository, children before parents. Content at the target is
 * skipped. A second call moves nothing. Each pusher makes content visible only when its bytes have the digest. Success
 * means that everything requested is at the target, not that this call put it there.
 *
 * @param root the manifest, or a descriptor with which it is read from the source
 * @throws SVC-REG-005 (the source lacks a part), SVC-REG-009 (an unusable manifest, or limits exceeded),
 *   SVC-REG-008 (a platform that the index does not offer), SVC-SIG-002, errors of source and target
 */
export async function copyGraph(
  source: Source,
  target: Target & Partial<Resolver>,
  root: ManifestContent | Descriptor,
  options: CopyOptions,
): Promise<CopyResult> {
  const { signal, reference, platforms = [], tag, limiter = new Semaphore(4) } = options;
  const call: CallOptions = { signal };
  const facts = new Map<Digest, Fact>();
  const moved = { count: 0, bytes: 0 };
  const manifests = new Once<string, void>();
  const blobs = new Once<Digest, void>();
  const carried = new Set<Digest>();
  const memory = new GraphMemory();
  // content found at the target must still be there when the root is put
  using keeper = await target.keepContent?.();

  const learn = ({ digest, size, mediaType }: Descriptor) => facts.set(digest, { digest, size, mediaType });
  const put = (content: Descriptor, bytes: number) => {
    moved.count += 1;
    moved.bytes += bytes;
    learn(content);
    options.onPut?.(content, bytes);
  };

  const copyBlob = async (blob: Descriptor): Promise<void> => {
    signal?.throwIfAborted();
    keeper?.add(blob.digest);
    if (await target.hasBlob(blob, call)) {
      learn(blob);
      return;
    }
    const mountable = await options.mountFrom?.(blob.digest);
    if (mountable !== undefined && (await target.mountBlob?.(blob, mountable, call))) {
      put(blob, 0);
      return;
    }
    let arrived = 0;
    const onBytes = (count: number) => {
      arrived += count;
      options.onBytes?.(count);
    };
    if (!(await options.moveBlob?.(blob, { onBytes }))) {
      await streamBlob(source, target, blob, { ...call, onBytes });
    }
    put(blob, arrived);
  };

  const copyBlobs = async (needed: readonly Descriptor[]): Promise<void> => {
    await forEachBounded(needed, needed.length, (blob) =>
      blobs.run(blob.digest, () => limiter.run(() => copyBlob(blob))),
    );
  };

  const selectBlobs = async (manifest: Manifest & { kind: 'image' }): Promise<Descriptor[]> => {
    const all = new Map<Digest, Descriptor>();
    for (const blob of [manifest.config, ...manifest.layers]) {
      if (isNonDistributable(blob.mediaType) && options.absentLayers?.includes(blob.digest)) continue;
      if (isNonDistributable(blob.mediaType) && options.foreignLayers === 'where-present') {
        // a layer that the source lacks was not required when the source was filled
        if (!(await isAtSource(blob))) continue;
      }
      all.set(blob.digest, blob);
    }
    return [...all.values()];
  };

  /** The blobs that the target lacks below an image that it has. */
  const selectLost = async (manifest: Manifest & { kind: 'image' }): Promise<Descriptor[]> => {
    const { isLost } = options;
    if (isLost === undefined) return [];
    const blobs = await selectBlobs(manifest);
    const answers = await Promise.all(blobs.map((blob) => isLost(blob)));
    return blobs.filter((_, i) => answers[i]);
  };

  const prober = source as Partial<Target>;
  const isAtSource = async (blob: Descriptor): Promise<boolean> =>
    prober.hasBlob ? prober.hasBlob(blob, call) : true;

  /** The children that the source has, where a sparse index is allowed. */
  const selectPresent = async (children: readonly ChosenChild[]): Promise<readonly ChosenChild[]> => {
    if (options.children !== 'where-present' || !prober.hasManifest) return children;
    const present: ChosenChild[] = [];
    for (const child of children)
      if (await prober.hasManifest(child.descriptor.digest, call)) present.push(child);
    if (present.length === 0 && children.length > 0)
      throw svcError('SVC-REG-005', { reference: `${reference} (${children[0]!.descriptor.digest})` });
    return present;
  };

  /** Copies the content below the manifest, then the manifest. The root is put last, under its tag. */
  const copyManifest = async (
    descriptor: Descriptor,
    asked: readonly Platform[],
    depth: number,
    given?: ManifestContent,
  ): Promise<void> => {
    await takeTurn(memory, signal);
    carried.add(descriptor.digest);
    if (carried.size > manifestLimits.children) refuseMore(reference);
    if (depth > manifestLimits.nesting)
      throw svcError('SVC-REG-009', {
        reference,
        detail: rule(['nested deeper than {nesting}', fr`imbriqué à plus de {nesting} niveaux`], {
          nesting: manifestLimits.nesting,
        }),
      });
    const isRoot = depth === 0;
    keeper?.add(descriptor.digest);
    const isThere = await target.hasManifest(descriptor.digest, call);
    // an image at the target counts as complete; an index may lack children that are requested now
    if (isThere && !isRoot && isImageType(descriptor.mediaType) && options.isLost === undefined) {
      learn(descriptor);
      return;
    }
    const { content, manifest } = await readManifest(source, given ?? descriptor, reference, call);
    let isWhole = isThere;
    if (manifest.kind === 'index') {
      const children = await chooseChildren(source, manifest, {
        ...call,
        reference,
        platforms: asked,
        memory,
      });
      await forEachBounded(await selectPresent(children), 4, (child) =>
        manifests.run(`${child.descriptor.digest} ${child.platforms.map(formatPlatform)}`, () =>
          copyManifest(child.descriptor, child.platforms, depth + 1),
        ),
      );
    } else {
      const needed = await (isThere ? selectLost(manifest) : selectBlobs(manifest));
      await copyBlobs(needed);
      isWhole &&= needed.length === 0;
    }
    if (!isWhole || isRoot) await options.check?.(content, manifest);
    if (isRoot) await options.beforeRoot?.([...carried]);
    const isExposed =
      !isRoot ||
      tag === undefined ||
      (await target.resolve?.(tag, call))?.digest === content.descriptor.digest;
    if (isWhole && isExposed) {
      learn(content.descriptor);
      return;
    }
    signal?.throwIfAborted();
    // a tag that leads to it already is not put: registries may keep tags from being put again
    const isTagged = isRoot && tag !== undefined && !(isThere && isExposed);
    await target.pushManifest(isTagged ? tag : content.descriptor.digest, content, call);
    if (isWhole) learn(content.descriptor);
    else {
      options.onBytes?.(content.bytes.length);
      put(content.descriptor, content.bytes.length);
    }
  };

  const start = 'bytes' in root ? root.descriptor : root;
  await manifests.run(start.digest, () =>
    copyManifest(start, platforms, 0, 'bytes' in root ? root : undefined),
  );
  return { root: start, facts: [...facts.values()], moved };
}
