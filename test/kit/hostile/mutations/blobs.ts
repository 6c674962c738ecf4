import { execFileSync } from 'node:child_process';
import {
  appendFile,
  copyFile,
  mkdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { hashBytes } from '../../../../src/base/digest.ts';
import type { CarriedMedium } from '../../scene/carried-medium.ts';
import { damageFile } from '../damage-file.ts';
import { type Mutation, relative } from './mutation.ts';

const flip =
  (recipe: string, part: 'layer' | 'config' | 'manifest' | 'document' | 'signature' | 'payload' | 'recipe') =>
  async (medium: CarriedMedium) =>
    damageFile(medium.blob((await medium.parts(recipe))[part]), 20);

/** Puts something else in the place of the layer of `shop`. */
const replaceLayer =
  (put: (path: string, medium: CarriedMedium) => Promise<unknown>) => async (medium: CarriedMedium) => {
    const path = medium.blob((await medium.parts('shop')).layer);
    await rm(path);
    await put(path, medium);
  };

export const blobMutations: readonly Mutation[] = [
  {
    name: 'a byte of a layer flipped',
    spoil: flip('shop', 'layer'),
    shop: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a byte of a config flipped',
    spoil: flip('shop', 'config'),
    shop: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a byte of an image manifest flipped',
    spoil: flip('shop', 'manifest'),
    shop: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a byte of a platform manifest flipped',
    spoil: flip('depot', 'manifest'),
    depot: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a byte of a recipe manifest flipped',
    spoil: flip('shop', 'recipe'),
    shop: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a byte of a recipe document flipped',
    spoil: flip('depot', 'document'),
    depot: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a byte of a classic signature manifest flipped',
    spoil: flip('shop', 'signature'),
    shop: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a byte of a classic signature payload flipped',
    spoil: flip('shop', 'payload'),
    shop: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a byte of a bundle manifest flipped',
    spoil: flip('depot', 'signature'),
    depot: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a byte of a bundle flipped',
    spoil: flip('depot', 'payload'),
    depot: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a layer truncated',
    spoil: async (medium) => truncate(medium.blob((await medium.parts('shop')).layer), 7),
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-011'],
  },
  {
    name: 'a layer extended',
    spoil: async (medium) => appendFile(medium.blob((await medium.parts('shop')).layer), 'x'),
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-011'],
  },
  {
    name: 'a layer emptied',
    spoil: async (medium) => truncate(medium.blob((await medium.parts('shop')).layer), 0),
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-011'],
  },
  {
    name: 'a signature manifest truncated',
    spoil: async (medium) => truncate(medium.blob((await medium.parts('shop')).signature), 40),
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-011'],
  },
  {
    name: 'a layer missing',
    spoil: replaceLayer(async () => {}),
    shop: 'SVC-MED-010',
    findings: ['SVC-MED-010'],
  },
  {
    name: 'a recipe document missing',
    spoil: async (medium) => rm(medium.blob((await medium.parts('shop')).document)),
    shop: 'SVC-MED-010',
    findings: ['SVC-MED-010'],
  },
  {
    name: 'a signature payload missing',
    spoil: async (medium) => rm(medium.blob((await medium.parts('depot')).payload)),
    depot: 'SVC-MED-010',
    findings: ['SVC-MED-010'],
  },
  {
    name: 'a folder in the place of a layer',
    spoil: replaceLayer((path) => mkdir(path)),
    shop: 'SVC-MED-014',
    findings: ['SVC-MED-014'],
  },
  {
    name: 'a link inside the medium in the place of a layer, to the same bytes',
    spoil: replaceLayer(async (path, medium) => {
      const original = join(medium.made.root, relative(medium, path));
      await copyFile(original, join(medium.root, 'blobs', 'copy'));
      await symlink('../copy', path);
    }),
    shop: 'SVC-MED-014',
    findings: ['SVC-MED-014', 'SVC-MED-020'],
  },
  {
    name: 'a link out of the medium in the place of a layer, to the same bytes',
    spoil: replaceLayer((path, medium) => symlink(join(medium.made.root, relative(medium, path)), path)),
    shop: 'SVC-MED-014',
    findings: ['SVC-MED-014'],
  },
  {
    name: 'a pipe in the place of a layer',
    spoil: replaceLayer(async (path) => execFileSync('mkfifo', [path])),
    shop: 'SVC-MED-014',
    findings: ['SVC-MED-014'],
  },
  {
    name: 'the folder of blobs behind a link',
    spoil: async (medium) => {
      const folder = join(medium.root, 'blobs', 'sha256');
      await rename(folder, join(medium.root, '_svc', 'elsewhere'));
      await symlink('../_svc/elsewhere', folder);
    },
    blocks: ['SVC-MED-014'],
  },
  {
    name: 'two layers exchanged',
    spoil: async (medium) => {
      const one = medium.blob((await medium.parts('shop')).layer);
      const other = medium.blob((await medium.parts('depot')).layer);
      await rename(one, `${one}.x`);
      await rename(other, one);
      await rename(`${one}.x`, other);
    },
    shop: 'SVC-MED-012',
    depot: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a layer right in size and wrong in content',
    spoil: async (medium) => {
      const path = medium.blob((await medium.parts('shop')).layer);
      await writeFile(path, Buffer.alloc((await stat(path)).size));
    },
    shop: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'altered content whose line was adapted: caught by its name',
    spoil: async (medium) => {
      const path = medium.blob((await medium.parts('shop')).layer);
      await damageFile(path, 3);
      await medium.relist(relative(medium, path));
    },
    shop: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'another recipe document under the same line, name and all',
    spoil: async (medium) => {
      const { document } = await medium.parts('shop');
      await rm(medium.blob(document));
      const bytes = Buffer.from('{}');
      const path = `blobs/sha256/${hashBytes(bytes).slice(7)}`;
      await writeFile(join(medium.root, path), bytes);
      await medium.editManifest((_, lines) => lines.filter((line) => !line.path.endsWith(document.slice(7))));
      await medium.relist(path);
    },
    shop: 'SVC-MED-010',
  },
];
