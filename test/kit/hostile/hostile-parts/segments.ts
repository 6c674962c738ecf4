import { execFileSync } from 'node:child_process';
import { link, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Digest, hashBytes } from '../../../../src/base/digest.ts';
import { segmentPath } from '../../../../src/store/rest/absent-list.ts';
import type { CarriedMedium } from '../../scene/carried-medium.ts';
import { cutAt, layerSize, readBlob } from '../../scene/split-delivery.ts';
import { at, editLine, type HostilePart, ownSegment } from './hostile-part.ts';

type Make = (
  part: CarriedMedium,
  path: string,
  scene: Parameters<NonNullable<HostilePart['spoil']>>[1],
) => unknown;

/** A change of the one segment of part 1. */
const segment = (name: string, change: Make, expected: Partial<HostilePart>): HostilePart => ({
  name: `a segment ${name}`,
  spoil: (part, scene) => change(part, ownSegment(scene.delivery, 0), scene),
  ...expected,
});

/** Writes a file of a segment, with its folder and its line. */
async function put(part: CarriedMedium, path: string, bytes: Buffer | string): Promise<void> {
  await mkdir(dirname(at(part, path)), { recursive: true });
  await writeFile(at(part, path), bytes);
  await part.relist(path);
}

/** Cuts the blob of which part 1 has the first bytes into other ranges, which part 1 all has. */
const recut = (
  name: string,
  ranges: readonly (readonly [from: number, to: number])[],
  expected: Partial<HostilePart>,
): HostilePart => ({
  name: `segments ${name}`,
  spoil: async (part, { delivery }) => {
    const digest = delivery.layers.shop[2];
    const bytes = await readBlob(delivery, digest);
    await rm(at(part, ownSegment(delivery, 0)));
    await part.editManifest((_, lines) => lines.filter(({ path }) => path !== ownSegment(delivery, 0)));
    for (const [from, to] of ranges)
      await put(part, segmentPath({ digest, offset: from }), bytes.subarray(from, to));
  },
  ...expected,
});

const damaged = { shop: 'SVC-MED-012', findings: ['SVC-MED-012'] } as const;
const unreadable = { shop: 'SVC-MED-014', findings: ['SVC-MED-014'] } as const;
const missing = { shop: 'SVC-MED-010' } as const;
const wrong = { shop: 'SVC-MED-002' } as const;

/** Segments whose line in the manifest is not adapted, or cannot be. */
const files: readonly HostilePart[] = [
  segment('that is gone', (part, path) => rm(at(part, path)), { ...missing, findings: ['SVC-MED-010'] }),
  segment('whose folder is gone', (part) => rm(at(part, 'segments'), { recursive: true }), {
    ...missing,
    findings: ['SVC-MED-010'],
  }),
  segment(
    'with one other bit',
    async (part, path) => {
      const bytes = await readFile(at(part, path));
      bytes[500]! ^= 1;
      await writeFile(at(part, path), bytes);
    },
    damaged,
  ),
  segment('of other bytes', (part, path) => writeFile(at(part, path), Buffer.alloc(cutAt, 7)), damaged),
  segment('that is cut short', (part, path) => truncate(at(part, path), cutAt - 1), {
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-011'],
  }),
  segment('with a byte more', (part, path) => writeFile(at(part, path), 'x', { flag: 'a' }), {
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-011'],
  }),
  segment('of eight tebibytes that take no room', (part, path) => truncate(at(part, path), 2 ** 43), {
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-011'],
  }),
  segment(
    'of eight tebibytes that take no room, its line adapted',
    async (part, path) => {
      await truncate(at(part, path), 2 ** 43);
      await part.editManifest((_, lines) =>
        lines.map((own) => (own.path === path ? { ...own, size: 2 ** 43 } : own)),
      );
    },
    { shop: 'SVC-MED-002', findings: ['SVC-MED-014'] },
  ),
  segment(
    'that leads out of the medium',
    async (part, path, { canary }) => {
      await rm(at(part, path));
      await symlink(canary.file, at(part, path));
    },
    unreadable,
  ),
  segment(
    'that leads to the right bytes',
    async (part, path) => {
      await rename(at(part, path), at(part, '_svc/segment'));
      await symlink('../../../_svc/segment', at(part, path));
    },
    unreadable,
  ),
  segment(
    'whose folder leads out of the medium',
    async (part, path, { canary }) => {
      await rm(dirname(at(part, path)), { recursive: true });
      await symlink(canary.folder, dirname(at(part, path)));
    },
    { ...missing, findings: ['SVC-MED-010', 'SVC-MED-020'] },
  ),
  segment(
    'in a tree that leads out of the medium',
    async (part, _path, { canary }) => {
      await rm(at(part, 'segments'), { recursive: true });
      await symlink(canary.folder, at(part, 'segments'));
    },
    { ...missing, findings: ['SVC-MED-010', 'SVC-MED-020'] },
  ),
  segment(
    'that is a pipe',
    async (part, path) => {
      await rm(at(part, path));
      execFileSync('mkfifo', [at(part, path)]);
    },
    unreadable,
  ),
  segment(
    'that is a folder',
    async (part, path) => {
      await rm(at(part, path));
      await mkdir(at(part, path));
    },
    unreadable,
  ),
  segment(
    'that is a second name of a file out of the medium',
    async (part, path, { canary }) => {
      await rm(at(part, path));
      await link(canary.file, at(part, path));
    },
    { shop: 'SVC-MED-011', findings: ['SVC-MED-011'] },
  ),
  segment(
    'that is a folder in the place of the folder of a blob',
    async (part, path) => {
      await rm(dirname(at(part, path)), { recursive: true });
      await writeFile(dirname(at(part, path)), 'x');
    },
    { ...missing, findings: ['SVC-MED-010', 'SVC-MED-020'] },
  ),
  segment(
    'that no line lists',
    (part, path) => part.editManifest((_, lines) => lines.filter((own) => own.path !== path)),
    { findings: ['SVC-MED-020'] },
  ),
];

/** Names of segments that are none. */
const names: readonly HostilePart[] = (
  [
    ['with a leading zero', '00'],
    ['with a plus', '+0'],
    ['with a minus', '-0'],
    ['in hexadecimal', '0x0'],
    ['with an exponent', '0e0'],
    ['with a fraction', '0.0'],
    ['with a suffix', '0.part'],
    ['beyond all numbers', '99999999999999999999'],
    ['that is a word', 'first'],
    ['deeper', '0/0'],
  ] as const
).map(([name, file]) =>
  segment(
    `under a name ${name}`,
    async (part, path) => {
      const bytes = await readFile(at(part, path));
      await rm(at(part, path));
      await part.editManifest((_, lines) => lines.filter((own) => own.path !== path));
      await put(part, `${dirname(path)}/${file}`, bytes);
    },
    { findings: file.includes('/') ? ['SVC-MED-015', 'SVC-MED-020'] : ['SVC-MED-015'] },
  ),
);

/** Segments with right lines, and wrong places. */
const ranges: readonly HostilePart[] = [
  recut('that begin a byte too late', [[1, cutAt]], {}),
  recut(
    'with a gap between them',
    [
      [0, 500],
      [501, cutAt],
    ],
    {},
  ),
  recut(
    'that overlap by a byte',
    [
      [0, 501],
      [500, cutAt],
    ],
    wrong,
  ),
  recut(
    'that lie in each other',
    [
      [0, cutAt],
      [100, 200],
    ],
    wrong,
  ),
  recut(
    'of which one is empty',
    [
      [0, cutAt],
      [cutAt, cutAt],
    ],
    wrong,
  ),
  recut(
    'of which the last is beyond the blob',
    [
      [0, cutAt],
      [layerSize, layerSize],
    ],
    wrong,
  ),
  recut(
    'that are all of a blob that the list says to be cut',
    [
      [0, cutAt],
      [cutAt, layerSize],
    ],
    {},
  ),
  recut(
    'of a byte each',
    Array.from({ length: 200 }, (_, i) => [i * 5, i * 5 + 5] as const),
    {},
  ),
  segment(
    'that exceeds its blob',
    (part, _path, { delivery }) =>
      put(part, segmentPath({ digest: delivery.layers.shop[2], offset: cutAt }), Buffer.alloc(layerSize)),
    wrong,
  ),
  segment(
    'that begins far beyond its blob',
    (part, _path, { delivery }) =>
      put(part, segmentPath({ digest: delivery.layers.shop[2], offset: 2 ** 50 }), 'x'),
    wrong,
  ),
  {
    name: 'the ends of a blob exchanged, lines adapted',
    spoil: async (part, { delivery }) => {
      const bytes = await readBlob(delivery, delivery.layers.shop[2]);
      await put(part, ownSegment(delivery, 0), bytes.subarray(cutAt, 2 * cutAt));
    },
  },
  {
    name: 'a segment of other bytes before the honest rest, its line adapted',
    spoil: (part, { delivery }) => put(part, ownSegment(delivery, 0), Buffer.alloc(cutAt, 7)),
  },
  {
    name: 'a segment of other bytes after the honest beginning, its line adapted',
    before: [1],
    part: 2,
    spoil: (part, { delivery }) => put(part, ownSegment(delivery, cutAt), Buffer.alloc(layerSize - cutAt, 7)),
    shop: 'SVC-MED-047',
    says: /parts 1 and 2/,
  },
  {
    name: 'an honest rest after a kept segment of other bytes',
    before: [2],
    spoil: (part, { delivery }) => put(part, ownSegment(delivery, 0), Buffer.alloc(cutAt, 7)),
    shop: 'SVC-MED-047',
    says: /parts 1 and 2/,
  },
  {
    name: 'a segment of another blob, its line adapted',
    spoil: async (part, { delivery }) => {
      const bytes = await readBlob(delivery, delivery.layers.depot[2]);
      await put(part, ownSegment(delivery, 0), bytes.subarray(0, cutAt));
    },
  },
  {
    name: 'a segment in the folder of a whole blob of the medium',
    spoil: (part, { delivery }) =>
      put(part, segmentPath({ digest: delivery.layers.depot[0], offset: 0 }), 'another layer'),
  },
  {
    name: 'a segment of a blob of the base',
    spoil: (part, { delivery }) =>
      put(part, segmentPath({ digest: delivery.layers.yard[0], offset: 0 }), 'another layer'),
  },
  {
    name: 'a segment beyond a blob of the base',
    spoil: (part, { delivery }) =>
      put(part, segmentPath({ digest: delivery.layers.yard[0], offset: layerSize }), 'more'),
    yard: 'SVC-MED-002',
  },
  {
    name: 'a segment of an image manifest',
    spoil: (part, { delivery }) =>
      put(
        part,
        segmentPath({ digest: delivery.artifacts.depot.manifest.descriptor.digest, offset: 0 }),
        '{}',
      ),
  },
  {
    name: 'an image manifest in a segment instead of whole',
    spoil: async (part, { delivery }) => {
      const { digest } = delivery.artifacts.depot.manifest.descriptor;
      await inSegment(part, digest, await readBlob(delivery, digest));
    },
    depot: 'SVC-MED-010',
  },
  {
    name: 'a recipe in a segment instead of whole',
    spoil: async (part, { delivery }) => {
      const { digest } = delivery.medium.records.find(({ name }) => name === 'depot')!;
      await inSegment(part, digest, await readBlob(delivery, digest));
    },
    depot: 'SVC-MED-010',
  },
  {
    name: 'a whole layer in one segment, without a line in the list',
    spoil: async (part, { delivery }) => {
      const [digest] = delivery.layers.depot;
      await inSegment(part, digest, await readBlob(delivery, digest));
    },
  },
  {
    name: 'other bytes in one segment of a whole layer, without a line in the list',
    spoil: (part, { delivery }) => inSegment(part, delivery.layers.depot[0], Buffer.alloc(layerSize, 7)),
    depot: 'SVC-MED-047',
    says: /segments of sha256|part \d/,
  },
  {
    name: 'segments of content of nobody',
    spoil: (part) => put(part, segmentPath({ digest: hashBytes('nobody'), offset: 0 }), 'nobody'),
    findings: ['SVC-MED-021'],
  },
  {
    name: 'segments of an algorithm of nobody',
    spoil: (part) => put(part, `segments/md5/${'a'.repeat(32)}/0`, 'x'),
    findings: ['SVC-MED-015', 'SVC-MED-020'],
  },
  {
    name: 'a segment whose folder has a digest in capitals',
    spoil: (part) => put(part, `segments/sha256/${'A'.repeat(64)}/0`, 'x'),
    findings: ['SVC-MED-015', 'SVC-MED-020'],
  },
  {
    name: 'a segment beside the whole blob, which the list says to be absent',
    spoil: async (part, { delivery }) => {
      const digest = delivery.layers.shop[2];
      const path = `blobs/${digest.replace(':', '/')}`;
      await put(part, path, await readBlob(delivery, digest));
    },
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'a segment beside the whole blob, which no line lists',
    spoil: async (part, { delivery }) => {
      const digest = delivery.layers.shop[2];
      await writeFile(part.blob(digest), await readBlob(delivery, digest));
    },
    findings: ['SVC-MED-020'],
  },
  {
    name: 'a segment beside other bytes under the name of the whole blob, and no line in the list',
    spoil: async (part, { delivery }) => {
      const digest = delivery.layers.shop[2];
      await put(part, `blobs/${digest.replace(':', '/')}`, Buffer.alloc(layerSize, 7));
      await editLine(part, digest, () => undefined);
    },
    ...damaged,
  },
  {
    name: 'a whole blob beside its segment, and no line in the list',
    spoil: async (part, { delivery }) => {
      const digest = delivery.layers.shop[2];
      await put(part, `blobs/${digest.replace(':', '/')}`, await readBlob(delivery, digest));
      await editLine(part, digest, () => undefined);
    },
  },
];

/** Replaces a blob of a part by one segment of it. */
async function inSegment(part: CarriedMedium, digest: Digest, bytes: Buffer): Promise<void> {
  await rm(part.blob(digest));
  const path = `blobs/${digest.replace(':', '/')}`;
  await part.editManifest((_, lines) => lines.filter((own) => own.path !== path));
  await put(part, segmentPath({ digest, offset: 0 }), bytes);
}

export const segments: readonly HostilePart[] = [...files, ...names, ...ranges];
