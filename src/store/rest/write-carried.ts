import { join } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import { ContentGraph } from '../../catalog/content-graph.ts';
import type { ContentChange } from '../../catalog/content-records.ts';
import type { RecipeChange } from '../../catalog/recipe-book.ts';
import { writeFileAtomic } from '../../disk/atomic-file.ts';
import type { HeldTree } from '../../disk/place/held-tree.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { formatGenerationName } from '../../ledger/generation.ts';
import { toSlices, writeGeneration } from '../../ledger/write-generation.ts';
import { layoutPath, layoutText } from '../../oci/layout.ts';
import { toMedium } from '../medium.ts';
import { ledgerFolder } from '../opening/read-ledgers.ts';
import { withMedium } from './compact-ledgers.ts';
import type { MediumEntry, MediumHeader } from './media-manifest.ts';
import { type WrittenManifest, writeIndex, writeMediumManifest } from './rest-files.ts';

/** A store that is written at once, to be carried. */
export interface CarriedStore {
  readonly header: Omit<MediumHeader, 'totals' | 'otherRecipes'>;
  readonly content: readonly ContentChange[];
  readonly recipes: readonly RecipeChange[];
  /** Files below `blobs`, which are there, with sizes in bytes. */
  readonly present: ReadonlyMap<Digest, number>;
  /** Other files of the medium, which are there. */
  readonly others: readonly MediumEntry[];
}

/** Folder of unfinished files of a store, relative to its root. */
export const unfinishedFolder = '_svc/tmp';

/**
 * Writes the records of a store whose blobs are in place: unkeyed ledgers, marker, `index.json`, and at last `media.jsonl`,
 * which makes it a medium. What an interrupted writing left is written again. The same store gives the same bytes.
 *
 * @param tree the root, held open; {@link unfinishedFolder} is there
 * @returns figures of `media.jsonl`
 * @throws SVC-STO-002, SVC-STO-004, SVC-STO-005, RestAbandoned when the signal is aborted
 */
export async function writeCarriedStore(
  tree: HeldTree,
  { header, content, recipes, present, others }: CarriedStore,
  signal: AbortSignal,
): Promise<WrittenManifest> {
  const graph = new ContentGraph(present.size);
  for (const [digest, size] of present) {
    const file = graph.intern(digest);
    file.size = size;
    file.present = true;
  }
  for (const change of content) graph.apply(change);
  const ledgers = [
    await writeLedger(tree, 'content', withMedium(toMedium(header.mediaId), content)),
    await writeLedger(tree, 'recipes', withMedium(toMedium(header.mediaId), recipes)),
  ];
  const root = (await tree.folder('')).pathOf('');
  const unfinished = (await tree.folder(unfinishedFolder)).pathOf('');
  await writeFileAtomic(join(root, layoutPath), layoutText, { mode: 0o644, temporaryFolder: unfinished });
  await writeIndex(root, graph, { signal, unfinished });
  // a folder that was exchanged meanwhile has none of the files
  await tree.requireInPlace();
  return writeMediumManifest(
    root,
    { ...header, graph, others: [...ledgers, ...others], measure: () => undefined },
    { signal, unfinished },
  );
}

async function writeLedger(tree: HeldTree, ledger: string, records: Iterable<unknown>): Promise<MediumEntry> {
  const name = formatGenerationName(ledger, 1);
  try {
    const folder = await tree.folder(ledgerFolder);
    await folder.remove(name);
    const options = { ledger, generation: 1, predecessor: undefined, key: undefined };
    const { file, hash, length } = await writeGeneration(folder, options, toSlices(records));
    await file.close();
    return { path: `${ledgerFolder}/${name}`, size: length, digest: `sha256:${hash.digest('hex')}` };
  } catch (error) {
    throw toWriteError(error, join(tree.root, ledgerFolder, name));
  }
}
