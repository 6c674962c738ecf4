import { contentLies } from './hostile-media/content-ledgers.ts';
import { documents, layouts } from './hostile-media/documents.ts';
import { files, forbidden } from './hostile-media/files.ts';
import { folders } from './hostile-media/folders.ts';
import type { HostileMedium } from './hostile-media/hostile-medium.ts';
import { manifests } from './hostile-media/manifests.ts';
import { special } from './hostile-media/places.ts';
import { planted } from './hostile-media/planted.ts';
import { recipeLies } from './hostile-media/recipe-ledgers.ts';

/** Media that somebody made with the program's sources at hand and bad intent. */
export const hostileMedia: readonly HostileMedium[] = [
  ...special,
  ...folders,
  ...planted,
  ...files,
  ...manifests,
  ...recipeLies,
  ...contentLies,
  ...layouts,
  ...documents,
  ...forbidden,
];
