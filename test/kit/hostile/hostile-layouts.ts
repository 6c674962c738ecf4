import { mutateArchives } from './hostile-layouts/archives.ts';
import { mutateFolders } from './hostile-layouts/folders.ts';
import { mutateIndex } from './hostile-layouts/indexes.ts';
import { mutateManifests } from './hostile-layouts/manifests.ts';
import type { Mutation } from './hostile-layouts/mutation.ts';

export const hostileLayouts: readonly Mutation[] = [
  ...mutateIndex(),
  ...mutateManifests(),
  ...mutateArchives(),
  ...mutateFolders(),
];
