import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { isSvcError } from '../../base/error.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { IndexManifest } from '../../oci/manifest.ts';
import { formatPlatform, type Platform, toPlatform } from '../../oci/platform.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import { type ContentGraph, readGraph } from '../read-graph.ts';
import type { ReadManifest } from '../read-manifest.ts';
import { readOwnPlatform } from '../read-own-platform.ts';
import { anyPlatform } from './model.ts';

/** One choice that an artifact offers. */
export interface Choice {
  readonly name: string;
  readonly platform?: Platform;
  readonly digest: Digest;
}

/** A choice with everything that it needs beside the root. */
export interface MeasuredChoice extends Choice {
  readonly contents: readonly Descriptor[];
}

/** The platforms of an index by name, each with its first manifest; `any` where it names none. */
export function listChoices(index: IndexManifest, root: Digest): readonly Choice[] {
  const choices = new Map<string, Choice>();
  for (const child of index.manifests) {
    if (child.platform === undefined || child.platform.os === 'unknown') continue;
    const platform = toPlatform(child.platform);
    const name = formatPlatform(platform);
    if (!choices.has(name)) choices.set(name, { name, platform, digest: child.digest });
  }
  return choices.size === 0 ? [{ name: anyPlatform, digest: root }] : [...choices.values()];
}

/**
 * What an artifact offers to be imported, from the manifests it reaches; of blobs only the config of a single image is
 * read.
 *
 * @throws as `readGraph`
 */
export async function readChoices(
  source: Source,
  { content, manifest }: ReadManifest,
  options: CallOptions & { readonly reference: string },
): Promise<readonly MeasuredChoice[]> {
  const root = content.descriptor.digest;
  const contentsOf = (graph: ContentGraph) => [...graph.manifests, ...graph.blobs];
  const read = (platforms: readonly Platform[]) => readGraph(source, root, { ...options, platforms });
  if (manifest.kind === 'image') {
    const platform = await readOwnPlatform(source, manifest, options.reference, options);
    const contents = contentsOf(await read([]));
    const name = platform === undefined ? anyPlatform : formatPlatform(platform);
    return [{ name, ...(platform ? { platform } : {}), digest: root, contents }];
  }
  const listed = listChoices(manifest, root);
  const measured = new Array<MeasuredChoice | undefined>(listed.length);
  let absent: unknown;
  await forEachBounded(listed, 4, async (choice, i) => {
    try {
      const graph = await read(choice.platform ? [choice.platform] : []);
      measured[i] = { ...choice, contents: contentsOf(graph) };
    } catch (error) {
      // an index that was itself carried for some of its platforms offers those
      if (!isSvcError(error, 'SVC-REG-005')) throw error;
      absent ??= error;
    }
  });
  const choices = measured.filter((choice) => choice !== undefined);
  if (choices.length === 0) throw absent;
  return choices;
}
