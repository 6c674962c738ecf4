import { chmod, copyFile, link, mkdir, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toBlobDigest } from '../../../../src/engine/medium/inventory.ts';
import { blobPath } from '../../../../src/oci/layout.ts';
import type { CarriedMedium } from '../../scene/carried-medium.ts';
import { type HostileMedium, harmless, media, reported, unreadable, whereIs } from './hostile-medium.ts';

/** Makes a file of so many bytes that take no room, and lists it so; the last layer where no path is given. */
async function growTo(medium: CarriedMedium, path: string, size: number): Promise<void> {
  const name = path || blobPath((await medium.parts('shop')).layer);
  await writeFile(join(medium.root, name), '', { flag: 'a' });
  await truncate(join(medium.root, name), size);
  await medium.editManifest((_, lines) => {
    const digest = toBlobDigest(name)!;
    const others = lines.filter((line) => line.path !== name);
    return [...others, { path: name, size, digest }].sort((a, b) => (a.path < b.path ? -1 : 1));
  });
}

/** Files of a size, a name or a place that costs a careless reader dear. */
export const files: HostileMedium[] = [
  {
    name: 'a layer of eight tebibytes that take no room',
    spoil: async (medium) => truncate(await whereIs(medium, 'layer'), 2 ** 43),
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-011'],
  },
  {
    name: 'a layer of eight tebibytes that take no room, its line adapted',
    spoil: (medium) => growTo(medium, '', 2 ** 43),
    shop: 'SVC-MED-014',
    findings: ['SVC-MED-014'],
  },
  {
    name: 'a listed stranger of eight tebibytes that take no room',
    spoil: (medium) => growTo(medium, `blobs/sha256/${'e'.repeat(64)}`, 2 ** 43),
    ...harmless,
    findings: ['SVC-MED-014'],
  },
  {
    name: 'a file beside the ledgers that is none, and listed',
    spoil: async (medium) => {
      await writeFile(join(medium.root, 'ledger', 'notes.txt'), 'anything');
      await medium.relist('ledger/notes.txt');
    },
    ...harmless,
    findings: ['SVC-MED-015'],
  },
  {
    name: 'a document of eight tebibytes that take no room',
    spoil: async (medium) => truncate(await whereIs(medium, 'document'), 2 ** 43),
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-011'],
  },
  {
    name: 'a stranger of eight tebibytes that take no room',
    spoil: async (medium) => {
      const path = join(medium.root, 'blobs', 'sha256', 'e'.repeat(64));
      await writeFile(path, '');
      await truncate(path, 2 ** 43);
    },
    ...reported,
  },
  {
    name: 'a manifest of a gibibyte that takes no room',
    spoil: (medium) => truncate(media(medium), 2 ** 30),
    ...unreadable,
  },
  {
    name: 'a recipe ledger of a gibibyte that takes no room',
    spoil: async (medium) => truncate(await whereIs(medium, 'recipe ledger'), 2 ** 30),
    ...harmless,
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'a content ledger of a gibibyte that takes no room',
    spoil: async (medium) => truncate(await whereIs(medium, 'content ledger'), 2 ** 30),
    ...harmless,
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'two layers that are one file',
    spoil: async (medium) => {
      const path = await whereIs(medium, 'layer');
      await rm(path);
      await link(medium.blob((await medium.parts('depot')).layer), path);
    },
    shop: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a right layer with a second name outside',
    spoil: async (medium) => {
      const path = await whereIs(medium, 'layer');
      await link(path, `${medium.root}-second-name`);
    },
    ...harmless,
  },
  {
    name: 'a layer that is a second name of a file out of the medium',
    spoil: async (medium, canary) => {
      const path = await whereIs(medium, 'layer');
      await rm(path);
      await link(canary.file, path);
    },
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-011'],
  },
  {
    name: 'an image manifest and its config exchanged',
    spoil: async (medium) => {
      const one = await whereIs(medium, 'manifest');
      const other = await whereIs(medium, 'config');
      await rename(one, `${one}.x`);
      await rename(other, one);
      await rename(`${one}.x`, other);
    },
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-011'],
  },
  {
    name: 'a document exchanged for the neighbour’s, lines adapted',
    spoil: async (medium) => {
      const path = await whereIs(medium, 'document');
      await copyFile(medium.blob((await medium.parts('depot')).document), path);
      await medium.relist(path.slice(medium.root.length + 1));
    },
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'every blob gone',
    spoil: async (medium) => {
      const folder = join(medium.root, 'blobs', 'sha256');
      for (const name of await readdir(folder)) await rm(join(folder, name));
    },
    shop: 'SVC-MED-010',
    depot: 'SVC-MED-010',
    findings: ['SVC-MED-010'],
  },
  {
    name: 'blobs under an algorithm that nobody knows',
    spoil: async (medium) => {
      await mkdir(join(medium.root, 'blobs', 'md5'));
      await writeFile(join(medium.root, 'blobs', 'md5', 'd41d8cd98f00b204e9800998ecf8427e'), '');
    },
    ...reported,
  },
];

/** Permissions mean nothing to the superuser: only others are kept out by them. */
export const forbidden: HostileMedium[] =
  process.getuid?.() === 0
    ? []
    : [
        {
          name: 'a layer that nobody may read',
          spoil: async (medium) => chmod(await whereIs(medium, 'layer'), 0),
          shop: 'SVC-MED-014',
          findings: ['SVC-MED-014'],
        },
      ];
