import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { isSvcError } from '../../base/error.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { IndexManifest } from '../../oci/manifest.ts';
import { isNonDistributable } from '../../oci/media-types.ts';
import { formatPlatform, type Platform } from '../../oci/platform.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import { listImages } from '../copy/list-images.ts';
import { type ManifestGraph, readGraph } from '../copy/read-graph.ts';
import type { ReadManifest } from '../copy/read-manifest.ts';
import { readOwnPlatform } from '../copy/read-own-platform.ts';
import { anyPlatform } from './model.ts';

/** One choice that an artifact offers. */
export interface Choice {
  readonly name: string;
  readonly platform?: Platform;
  readonly digest: Digest;
}

/** A choice with all content that it needs, the root included. */
export interface MeasuredChoice extends Choice {
  readonly contents: readonly Descriptor[];
}

/**
 * Lists the platforms of an index by name, those in nested indexes and in configurations included, each with
 * its first image; `any` where there is none.
 *
 * @throws errors of `listImages`
 */
export async function listChoices(
  source: Source,
  index: IndexManifest,
  root: Digest,
  options: CallOptions & { readonly reference: string },
): Promise<readonly Choice[]> {
  const choices = new Map<string, Choice>();
  for (const { descriptor, platform } of await listImages(source, index, options)) {
    if (platform === undefined || platform.os === 'unknown') continue;
    const name = formatPlatform(platform);
    if (!choices.has(name)) choices.set(name, { name, platform, digest: descriptor.digest });
  }
  return choices.size === 0 ? [{ name: anyPlatform, digest: root }] : [...choices.values()];
}

/**
 * Lists what an artifact offers for import, from the manifests it reaches. The only blobs read are
 * configurations of images whose descriptor names no platform.
 *
 * @throws errors of `readGraph`
 */
export async function readChoices(
  source: Source,
  { content, manifest }: ReadManifest,
  options: CallOptions & { readonly reference: string },
): Promise<readonly MeasuredChoice[]> {
  const root = content.descriptor.digest;
  // layers that need not be distributed are not counted: their absence does not make an image incomplete
  const contentsOf = ({ manifests, blobs }: ManifestGraph) => [
    ...manifests,
    ...blobs.filter(({ mediaType }) => !isNonDistributable(mediaType)),
  ];
  const read = (platforms: readonly Platform[]) => readGraph(source, root, { ...options, platforms });
  if (manifest.kind === 'image') {
    const platform = await readOwnPlatform(source, manifest, options.reference, options);
    const contents = contentsOf(await read([]));
    const name = platform === undefined ? anyPlatform : formatPlatform(platform);
    return [{ name, ...(platform ? { platform } : {}), digest: root, contents }];
  }
  const listed = await listChoices(source, manifest, root, options);
  const measured = new Array<MeasuredChoice | undefined>(listed.length);
  let absent: unknown;
  await forEachBounded(listed, 4, async (choice, i) => {
    try {
      const graph = await read(choice.platform ? [choice.platform] : []);
      measured[i] = { ...choice, contents: contentsOf(graph) };
    } catch (error) {
      // a sparse index offers only the platforms that it has
      if (!isSvcError(error, 'SVC-REG-005')) throw error;
      absent ??= error;
    }
  });
  const choices = measured.filter((choice) => choice !== undefined);
  if (choices.length === 0) throw absent;
  return choices;
}
