import {
  appendFile,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { hashBytes } from '../../../../src/base/digest.ts';
import type { FreshnessRecord } from '../../../../src/engine/medium/freshness.ts';
import type { CarriedMedium } from '../../scene/carried-medium.ts';
import { damageFile } from '../damage-file.ts';
import { type Mutation, media } from './mutation.ts';

const record: FreshnessRecord = {
  mediaId: 'the-last-one',
  resolvedAt: '2026-01-02T03:04:05.000Z',
  importedAt: '2026-01-03T00:00:00.000Z',
  runId: 'r',
  recipes: {},
};
const editLine =
  (change: (line: { path: string; size: number; digest: string }) => unknown) =>
  async (medium: CarriedMedium) => {
    const { layer } = await medium.parts('shop');
    await medium.editManifest((_, lines) => {
      for (const line of lines) if (line.path.endsWith(layer.slice(7))) change(line);
      return undefined;
    });
  };

const editHeader = (change: (header: any) => void) => (medium: CarriedMedium) =>
  medium.editManifest((header) => {
    change(header);
    return undefined;
  });

export const manifestMutations: readonly Mutation[] = [
  { name: 'no media.jsonl', spoil: (medium) => rm(media(medium)), blocks: ['SVC-MED-001'] },
  { name: 'an empty media.jsonl', spoil: (medium) => truncate(media(medium)), blocks: ['SVC-MED-002'] },
  {
    name: 'a media.jsonl larger than the limit',
    spoil: async () => {},
    options: { maxManifestBytes: 500 },
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'a folder in the place of media.jsonl',
    spoil: async (medium) => {
      await rm(media(medium));
      await mkdir(media(medium));
    },
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'media.jsonl behind a link',
    spoil: async (medium) => {
      await rename(media(medium), join(medium.root, '_svc', 'media.jsonl'));
      await symlink('_svc/media.jsonl', media(medium));
    },
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'lines out of order',
    spoil: (medium) => medium.editManifest((_, lines) => lines.reverse()),
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'a line twice',
    spoil: (medium) => medium.editManifest((_, lines) => [lines[0]!, ...lines]),
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'a path that leads out',
    spoil: editLine((line) => Object.assign(line, { path: 'blobs/../../x' })),
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'a path with a backslash',
    spoil: editLine((line) => Object.assign(line, { path: 'blobs\\x' })),
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'an absolute path',
    spoil: editLine((line) => Object.assign(line, { path: '/etc/passwd' })),
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'totals that do not match',
    spoil: editHeader(({ totals }) => totals.bytes++),
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'a negative size',
    spoil: editLine((line) => Object.assign(line, { size: -1 })),
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'the last line cut off',
    spoil: async (medium) => truncate(media(medium), (await stat(media(medium))).size - 5),
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'the last line missing',
    spoil: async (medium) => {
      const text = await readFile(media(medium), 'utf8');
      await writeFile(media(medium), text.slice(0, text.trimEnd().lastIndexOf('\n') + 1));
    },
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'bytes that are not UTF-8',
    spoil: (medium) => appendFile(media(medium), Buffer.from([0xff, 0x0a])),
    blocks: ['SVC-MED-002'],
  },
  { name: 'no header', spoil: async (medium) => writeFile(media(medium), '[]\n'), blocks: ['SVC-MED-002'] },
  {
    name: 'another medium format',
    spoil: editHeader((header) => (header.mediaFormat += 2)),
    blocks: ['SVC-MED-003'],
  },
  {
    name: 'another store format',
    spoil: editHeader((header) => header.storeFormat++),
    blocks: ['SVC-MED-004'],
  },
  {
    name: 'a time that is none',
    spoil: editHeader((header) => Object.assign(header, { writtenAt: '2026-01-01 (\u001b[31m)' })),
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'the header of another medium',
    spoil: editHeader((header) => Object.assign(header, { mediaId: crypto.randomUUID() })),
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'a header that names one recipe less',
    spoil: editHeader(({ recipes }) => recipes.pop()),
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'a header that names another digest for a recipe',
    spoil: editHeader(({ recipes }) => Object.assign(recipes[0], { digest: hashBytes('x') })),
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'a medium re-zoned in its header',
    spoil: editHeader((header) => Object.assign(header, { zone: 'zone-c' })),
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-006'],
    findings: ['SVC-MED-022'],
  },
  {
    name: 'a medium for another zone',
    spoil: async () => {},
    options: { zone: 'zone-c' },
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-006'],
  },
  {
    name: 'a medium for another zone, waived',
    spoil: async () => {},
    options: { zone: 'zone-c', waive: { zoneMismatch: true, stale: false } },
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-006'],
    verdict: 'pushable',
  },
  {
    name: 'an older medium than the last one',
    spoil: async () => {},
    options: { freshness: { ...record, resolvedAt: '2026-01-02T03:04:05.001Z' } },
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-007'],
  },
  {
    name: 'an older medium than the last one, waived',
    spoil: async () => {},
    options: {
      freshness: { ...record, resolvedAt: '2026-01-02T03:04:05.001Z' },
      waive: { zoneMismatch: false, stale: true },
    },
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-007'],
    verdict: 'pushable',
  },
  {
    name: 'a medium as old as the last one',
    spoil: async () => {},
    options: { freshness: record },
    shop: 'pushable',
    depot: 'pushable',
  },
  {
    name: 'a resolution time two days ahead',
    spoil: async () => {},
    options: { now: () => Date.parse('2025-12-31T03:04:04Z') },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-024'],
  },
  {
    name: 'a version below the one that was imported',
    spoil: async () => {},
    options: { freshness: { ...record, recipes: { shop: '1.10.0', depot: '2.0.0', constructor: '9.0.0' } } },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-023'],
  },
  {
    name: 'a needed file taken out of the inventory',
    spoil: async (medium) => {
      const { layer } = await medium.parts('shop');
      await medium.editManifest((_, lines) => lines.filter(({ path }) => !path.endsWith(layer.slice(7))));
    },
    shop: 'SVC-MED-013',
    findings: ['SVC-MED-020'],
  },
  {
    name: 'a needed file and its line gone',
    spoil: async (medium) => {
      const { layer } = await medium.parts('shop');
      await rm(medium.blob(layer));
      await medium.editManifest((_, lines) => lines.filter(({ path }) => !path.endsWith(layer.slice(7))));
    },
    shop: 'SVC-MED-010',
  },
  {
    name: 'a line with another digest for content that is right',
    spoil: editLine((line) => Object.assign(line, { digest: hashBytes('x') })),
    shop: 'SVC-MED-012',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'a line with another size for content that is right',
    spoil: editLine((line) => Object.assign(line, { size: line.size + 1 })),
    shop: 'SVC-MED-011',
    findings: ['SVC-MED-011'],
  },
  {
    name: 'a listed file that no digest names',
    spoil: async (medium) => {
      await writeFile(join(medium.root, 'blobs', 'sha256', 'README'), 'x');
      await medium.relist('blobs/sha256/README');
    },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-015'],
  },
  {
    name: 'index.json altered',
    spoil: (medium) => damageFile(join(medium.root, 'index.json'), 40),
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-012'],
  },
  {
    name: 'index.json and oci-layout missing',
    spoil: async (medium) => {
      await rm(join(medium.root, 'index.json'));
      await rm(join(medium.root, 'oci-layout'));
    },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-010'],
  },
];
