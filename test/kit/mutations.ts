import { execFileSync } from 'node:child_process';
import {
  appendFile,
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorCode } from '../../src/base/catalogue.ts';
import { hashBytes } from '../../src/base/digest.ts';
import type { FreshnessRecord } from '../../src/engine/medium/freshness.ts';
import type { MediumReport } from '../../src/engine/model.ts';
import { type CarriedMedium, remake } from './carried-medium.ts';
import { damageFile } from './damage-file.ts';
import { buildMedium } from './medium.ts';
import type { verifyCarried } from './verify-carried.ts';

export type Outcome = 'pushable' | ErrorCode;

/** One way to spoil a good medium, and everything that must come of it. */
export interface Mutation {
  readonly name: string;
  readonly spoil: (medium: CarriedMedium) => Promise<void>;
  /** What becomes of each recipe; absent when none is judged. */
  readonly shop?: Outcome;
  readonly depot?: Outcome;
  /** What stands against the whole medium. */
  readonly blocks?: readonly ErrorCode[];
  /** Codes among the findings, each once; nothing else may be found but content that is left behind. */
  readonly findings?: readonly ErrorCode[];
  readonly options?: Parameters<typeof verifyCarried>[2];
  /** Default: what follows from blocks and recipes. */
  readonly verdict?: MediumReport['verdict'];
}

const record: FreshnessRecord = {
  mediaId: 'the-last-one',
  resolvedAt: '2026-01-02T03:04:05.000Z',
  importedAt: '2026-01-03T00:00:00.000Z',
  runId: 'r',
  recipes: {},
};
const relative = (medium: CarriedMedium, path: string) => path.slice(medium.root.length + 1);
const media = (medium: CarriedMedium) => join(medium.root, 'media.jsonl');

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

/** The recipe ledger as its maker would have written it with other recipes, listed as if it belonged. */
const swapRecipes =
  (names: readonly string[], change = (one: any) => one) =>
  async (medium: CarriedMedium) => {
    const [first] = medium.made.records;
    const { zone, runId, resolvedAt } = first!;
    const records = medium.made.records.filter(({ name }) => names.includes(name)).map(change);
    const other = await remake(medium.made, (store) =>
      store.recordSync({ zone, runId, resolvedAt }, records),
    );
    const path = await medium.ledger('recipes');
    await copyFile(join(other, path), join(medium.root, path));
    await medium.relist(path);
  };

const blobMutations: readonly Mutation[] = [
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

const manifestMutations: readonly Mutation[] = [
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
    spoil: editHeader((header) => header.mediaFormat++),
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

const strangerMutations: readonly Mutation[] = [
  {
    name: 'folders of other systems, with anything in them',
    spoil: async (medium) => {
      for (const name of ['lost+found', 'System Volume Information', '$RECYCLE.BIN']) {
        await mkdir(join(medium.root, name, 'deep'), { recursive: true });
        execFileSync('mkfifo', [join(medium.root, name, 'deep', 'pipe')]);
      }
      await symlink('/', join(medium.root, 'root'));
    },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-020'],
  },
  {
    name: 'names that differ only by case',
    spoil: async (medium) => {
      await writeFile(join(medium.root, 'MEDIA.JSONL'), '{}');
      await mkdir(join(medium.root, 'Blobs'));
      const [name] = await readdir(join(medium.root, 'blobs', 'sha256'));
      await writeFile(join(medium.root, 'blobs', 'sha256', name!.toUpperCase()), 'x');
    },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-020'],
  },
  {
    name: 'a blob that nothing lists',
    spoil: async (medium) =>
      writeFile(join(medium.root, 'blobs', 'sha256', hashBytes('stowaway').slice(7)), 'stowaway'),
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-020'],
  },
  {
    name: 'a listed blob that no recipe reaches',
    spoil: async (medium) => {
      const path = `blobs/sha256/${hashBytes('stowaway').slice(7)}`;
      await writeFile(join(medium.root, path), 'stowaway');
      await medium.relist(path);
    },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-021'],
  },
  {
    name: 'queue entries, journals, locks and keys planted under _svc',
    spoil: async (medium) => {
      const svc = join(medium.root, '_svc');
      for (const name of ['tasks', 'state', 'media', 'trust', 'tmp'])
        await mkdir(join(svc, name), { recursive: true });
      await writeFile(join(svc, 'tasks', 'tsk_0123456789ab.json'), '{"type":"sync","status":"pending"}');
      await writeFile(
        join(svc, 'media', 'freshness.json'),
        '{"zone-b":{"resolvedAt":"2099-01-01T00:00:00Z"}}',
      );
      await writeFile(join(svc, 'trust', 'roots.pem'), 'a key that vouches for everything');
      await writeFile(join(svc, 'store.key'), `${'0'.repeat(64)}\n`);
      await writeFile(join(medium.root, 'svc.yaml'), 'trust: { roots: [] }');
    },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-020'],
  },
  {
    name: 'journals planted beside the lock',
    spoil: async (medium) => {
      for (const suffix of ['-journal', '-wal', '-shm'])
        await writeFile(join(medium.root, '_svc', `lock${suffix}`), 'planted');
    },
    shop: 'pushable',
    depot: 'pushable',
  },
  {
    name: '_svc gone',
    spoil: (medium) => rm(join(medium.root, '_svc'), { recursive: true }),
    shop: 'pushable',
    depot: 'pushable',
  },
  {
    name: '_svc behind a link',
    spoil: async (medium) => {
      await rm(join(medium.root, '_svc'), { recursive: true });
      await symlink('/tmp', join(medium.root, '_svc'));
    },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-020'],
  },
];

const ledgerPath = (name: 'content' | 'recipes') => async (medium: CarriedMedium) =>
  join(medium.root, await medium.ledger(name));

const ledgerMutations: readonly Mutation[] = [
  {
    name: 'the content ledger extended',
    spoil: async (medium) => appendFile(await ledgerPath('content')(medium), 'x'),
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-022'],
  },
  {
    name: 'the content ledger extended, and its line adapted',
    spoil: async (medium) => {
      await appendFile(await ledgerPath('content')(medium), 'x');
      await medium.relist(await medium.ledger('content'));
    },
    shop: 'pushable',
    depot: 'pushable',
  },
  {
    name: 'the recipe ledger extended',
    spoil: async (medium) => appendFile(await ledgerPath('recipes')(medium), 'x'),
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'a byte of a recipe record flipped',
    spoil: async (medium) => {
      const path = await ledgerPath('recipes')(medium);
      await damageFile(path, (await stat(path)).size - 30);
    },
    blocks: ['SVC-MED-005', 'SVC-MED-005'],
  },
  {
    name: 'the recipe ledger missing',
    spoil: async (medium) => rm(await ledgerPath('recipes')(medium)),
    blocks: ['SVC-MED-005', 'SVC-MED-005'],
  },
  {
    name: 'the recipe ledger missing without a trace, as if there were no recipes',
    spoil: async (medium) => {
      const path = await medium.ledger('recipes');
      await rm(join(medium.root, path));
      await medium.editManifest((header, lines) => {
        header.recipes = [];
        return lines.filter((line) => line.path !== path);
      });
    },
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'a recipe ledger with one recipe less, listed as if it belonged',
    spoil: swapRecipes(['shop']),
    shop: 'pushable',
    blocks: ['SVC-MED-005'],
    findings: ['SVC-MED-021'],
  },
  {
    name: 'a recipe ledger with one recipe more, listed as if it belonged',
    spoil: swapRecipes(['shop', 'depot'], (one) =>
      one.name === 'depot' ? { ...one, name: 'depot', version: '3.0.0', tag: '3.0.0' } : one,
    ),
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-005', 'SVC-MED-005'],
  },
  {
    name: 'the ledgers of another medium',
    spoil: async (medium) => {
      await using other = await buildMedium();
      await rm(join(medium.root, 'ledger'), { recursive: true });
      await cp(join(other.root, 'ledger'), join(medium.root, 'ledger'), { recursive: true });
    },
    blocks: ['SVC-MED-005', 'SVC-MED-005'],
    findings: ['SVC-MED-022'],
  },
  {
    name: 'the recipe ledger of another medium, listed as if it belonged',
    spoil: async (medium) => {
      await using other = await buildMedium();
      const path = await medium.ledger('recipes');
      await copyFile(join(other.root, path), join(medium.root, path));
      await medium.relist(path);
    },
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'a ledger that is planted beside the listed one',
    spoil: async (medium) => {
      const other = await remake(medium.made, (store) => store.reset().then(() => {}));
      for (const name of await readdir(join(other, 'ledger')))
        await copyFile(join(other, 'ledger', name), join(medium.root, 'ledger', name));
    },
    blocks: ['SVC-MED-005', 'SVC-MED-005'],
    findings: ['SVC-MED-022', 'SVC-MED-020'],
  },
  {
    name: 'a leftover beside the ledgers, which counts for nothing',
    spoil: (medium) => writeFile(join(medium.root, 'ledger', 'recipes-00000009.jsonl'), 'x'),
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-020'],
  },
  {
    name: 'no ledgers at all',
    spoil: (medium) => rm(join(medium.root, 'ledger'), { recursive: true }),
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'the content ledger missing',
    spoil: async (medium) => rm(await ledgerPath('content')(medium)),
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'a pipe in the place of the recipe ledger',
    spoil: async (medium) => {
      const path = await ledgerPath('recipes')(medium);
      await rm(path);
      execFileSync('mkfifo', [path]);
    },
    blocks: ['SVC-MED-005'],
  },
];

/** The ways that are tried first: one spoilt medium each. */
export const mutations: readonly Mutation[] = [
  ...blobMutations,
  ...manifestMutations,
  ...strangerMutations,
  ...ledgerMutations,
];
