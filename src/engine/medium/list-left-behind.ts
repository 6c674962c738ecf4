import type { Digest } from '../../base/digest.ts';
import type { StoreIndex } from '../../catalog/model.ts';
import type { LeftBehind } from '../../contract/medium.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import type { MediumEntry } from '../../store/rest/media-manifest.ts';
import { toBlobDigest } from './inventory.ts';

/** Limit of names in a report; the others are counted. */
const maxNames = 20;

/**
 * Lists the content that an import leaves on the medium, because no passing recipe reaches it, by its names in the
 * store of the medium. The names are only reported: nobody signed them.
 *
 * @returns undefined when every file is reached
 */
export function listLeftBehind(
  index: Pick<StoreIndex, 'repositories' | 'tags'>,
  entries: ReadonlyMap<string, MediumEntry>,
  reached: ReadonlySet<Digest>,
): LeftBehind | undefined {
  let [files, bytes] = [0, 0];
  for (const [path, { size }] of entries) {
    const digest = toBlobDigest(path);
    if (!digest || reached.has(digest)) continue;
    files += 1;
    bytes += size;
  }
  if (files === 0) return undefined;
  const names: string[] = [];
  let unnamed = 0;
  for (const repository of index.repositories())
    for (const { tag, digest } of index.tags(repository)) {
      if (isAttachmentTag(tag) || reached.has(digest)) continue;
      if (names.length < maxNames) names.push(`${repository}:${tag}`);
      else unnamed += 1;
    }
  return { names, unnamed, files, bytes };
}
