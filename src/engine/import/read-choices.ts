import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { Once } from '../../base/once.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { IndexManifest } from '../../oci/manifest.ts';
import { isNonDistributable } from '../../oci/media-types.ts';
import { formatPlatform, type Platform } from '../../oci/platform.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { chooseChildren } from '../copy/choose-children.ts';
import { listImages } from '../copy/list-images.ts';
import { GraphMemory, takeTurn } from '../copy/read-child.ts';
import { type ManifestGraph, readGraph } from '../copy/read-graph.ts';
import type { ReadManifest } from '../copy/read-manifest.ts';
import { readOwnPlatform } from '../copy/read-own-platform.ts';
import { anyPlatform } from './model.ts';

interface WalkOptions extends CallOptions {
  /** Names the root in errors. */
  readonly reference: string;
  /** Results of earlier walks through the same artifact. */
  readonly memory?: GraphMemory;
}

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
 * Lists the platforms of an index by name, also those in nested indexes and in configurations, each with its first
 * image; `any` without one.
 *
 * @throws errors of `listImages`
 */
export async function listChoices(
  source: Source,
  index: IndexManifest,
  root: Digest,
  options: WalkOptions,
): Promise<readonly Choice[]> {
  const choices = new Map<string, Choice>();
  for (const { descriptor, platform } of await listImages(source, index, options)) {
    if (platform === undefined || platform.os === 'unknown') continue;
    const name = formatPlatform(platform);
    if (!choices.has(name)) choices.set(name, { name, platform, digest: descriptor.digest });
  }
  return choices.size === 0 ? [{ name: anyPlatform, digest: root }] : [...choices.values()];
}

/** Manifests and blobs that all choices of an artifact need together, each counted for each choice: 50 platforms need 500. */
const mostContents = 200_000;

/**
 * Lists the choices that an artifact offers for import, from its manifests. The only blobs read are configurations of
 * images whose descriptor names no platform.
 *
 * @throws SVC-REG-009 when the choices need more than 200 000 parts together; errors of `readGraph`
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
  const memory = new GraphMemory();
  const walk = { ...options, memory };
  let needed = 0;
  const read = async (platforms: readonly Platform[]): Promise<readonly Descriptor[]> => {
    const contents = contentsOf(await readGraph(source, root, { ...walk, platforms }));
    needed += contents.length;
    if (needed > mostContents)
      throw svcError('SVC-REG-009', {
        reference: options.reference,
        detail: rule(
          [
            'its platforms need more than {mostContents} manifests and blobs together',
            fr`ses plateformes exigent ensemble plus de {mostContents} manifestes et blobs`,
          ],
          { mostContents },
        ),
      });
    return contents;
  };
  if (manifest.kind === 'image') {
    const platform = await readOwnPlatform(source, manifest, options.reference, options);
    const contents = await read([]);
    const name = platform === undefined ? anyPlatform : formatPlatform(platform);
    return [{ name, ...(platform ? { platform } : {}), digest: root, contents }];
  }
  const listed = await listChoices(source, manifest, root, walk);
  const measured = new Array<MeasuredChoice | undefined>(listed.length);
  /** The content below the same children is listed once: an index may name one child for any number of platforms. */
  const shared = new Once<string, readonly Descriptor[]>();
  let absent: unknown;
  await forEachBounded(listed, 4, async (choice, i) => {
    await takeTurn(memory, options.signal);
    try {
      const platforms = choice.platform ? [choice.platform] : [];
      const children = await chooseChildren(source, manifest, { ...walk, platforms });
      const key = children.map((each) => [each.descriptor.digest, ...each.platforms.map(formatPlatform)]);
      const contents = await shared.run(key.join(' '), () => read(platforms));
      measured[i] = { ...choice, contents };
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
