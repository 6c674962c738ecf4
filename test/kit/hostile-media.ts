import { execFileSync } from 'node:child_process';
import {
  chmod,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { hashBytes } from '../../src/base/digest.ts';
import { toBlobDigest } from '../../src/engine/medium/inventory.ts';
import { blobPath } from '../../src/oci/layout.ts';
import type { Canary } from './canary.ts';
import type { CarriedMedium } from './carried-medium.ts';
import { forgeLedger } from './forge-ledger.ts';
import { buildMedium } from './medium.ts';
import type { Mutation } from './mutations.ts';
import { replaceRecipe } from './replace-recipe.ts';

/** One more way to spoil a good medium. Canaries lie outside of it. */
export interface HostileMedium extends Omit<Mutation, 'spoil'> {
  readonly spoil: (medium: CarriedMedium, canary: Canary) => Promise<unknown>;
}

/** What nothing is wrong with, and what is only reported. */
const harmless = { shop: 'pushable', depot: 'pushable' } as const;
const reported = { ...harmless, findings: ['SVC-MED-020'] } as const;
const unreadable = { blocks: ['SVC-MED-002'] } as const;
const lying = { ...harmless, blocks: ['SVC-MED-005'] } as const;

const media = (medium: CarriedMedium): string => join(medium.root, 'media.jsonl');
const svc = (medium: CarriedMedium, ...names: string[]): string => join(medium.root, '_svc', ...names);

type Part = 'layer' | 'document' | 'manifest' | 'signature' | 'payload' | 'recipe' | 'config';

async function whereIs(medium: CarriedMedium, place: string): Promise<string> {
  if (place === 'content ledger') return join(medium.root, await medium.ledger('content'));
  if (place === 'recipe ledger') return join(medium.root, await medium.ledger('recipes'));
  const parts = await medium.parts('shop');
  if (Object.hasOwn(parts, place)) return medium.blob(parts[place as Part]);
  return join(medium.root, place);
}

/** What may stand where a file should, and would make a careless reader follow, wait or read for ever. */
const strangers: readonly [name: string, put: (path: string, canary: Canary) => Promise<unknown>][] = [
  ['a link out of the medium', (path, canary) => symlink(canary.file, path)],
  ['a link to itself', (path) => symlink(path, path)],
  ['a pipe', async (path) => execFileSync('mkfifo', [path])],
  ['a socket', leaveSocket],
  ['an empty folder', (path) => mkdir(path)],
];
/** Bound under a short name, since a long one is none for a socket, and left behind under its own. */
async function leaveSocket(path: string, canary: Canary): Promise<void> {
  const bound = `${canary.folder}-socket`;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(bound, resolve));
  await rename(bound, path);
  await new Promise((resolve) => server.close(resolve));
}

const places: readonly [place: string, expected: Omit<Mutation, 'name' | 'spoil'>][] = [
  ['media.jsonl', unreadable],
  ['index.json', { ...harmless, findings: ['SVC-MED-014'] }],
  ['oci-layout', { ...harmless, findings: ['SVC-MED-014'] }],
  ['content ledger', { blocks: ['SVC-MED-005'] }],
  ['recipe ledger', { blocks: ['SVC-MED-005'] }],
  ['layer', { shop: 'SVC-MED-014', findings: ['SVC-MED-014'] }],
  ['document', { shop: 'SVC-MED-014', findings: ['SVC-MED-014'] }],
  ['manifest', { shop: 'SVC-MED-014', findings: ['SVC-MED-014'] }],
  ['signature', { shop: 'SVC-MED-014', findings: ['SVC-MED-014'] }],
  ['recipe', { shop: 'SVC-MED-014', findings: ['SVC-MED-014'] }],
  ['_svc/lock', harmless],
  ['_svc/logs/operations.log', harmless],
];

const special: HostileMedium[] = places.flatMap(([place, expected]) =>
  strangers.map(([name, put]) => ({
    name: `${name} in the place of ${place}`,
    spoil: async (medium: CarriedMedium, canary: Canary) => {
      const path = await whereIs(medium, place);
      await rm(path, { force: true });
      await mkdir(dirname(path), { recursive: true });
      await put(path, canary);
    },
    ...expected,
  })),
);

const folders: HostileMedium[] = [
  {
    name: 'the ledgers behind a link',
    spoil: async (medium) => {
      await rename(join(medium.root, 'ledger'), svc(medium, 'ledger'));
      await symlink('_svc/ledger', join(medium.root, 'ledger'));
    },
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'the ledgers behind a link out of the medium',
    spoil: async (medium, canary) => {
      await rm(join(medium.root, 'ledger'), { recursive: true });
      await symlink(canary.folder, join(medium.root, 'ledger'));
    },
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'all blobs behind a link out of the medium',
    spoil: async (medium, canary) => {
      await rm(join(medium.root, 'blobs'), { recursive: true });
      await symlink(canary.folder, join(medium.root, 'blobs'));
    },
    blocks: ['SVC-MED-014'],
  },
  {
    name: '_svc behind a link out of the medium',
    spoil: async (medium, canary) => {
      await rm(svc(medium), { recursive: true });
      await symlink(canary.folder, svc(medium));
    },
    ...reported,
  },
  {
    name: 'the folder of the log behind a link out of the medium',
    spoil: (medium, canary) => symlink(canary.folder, svc(medium, 'logs')),
    ...harmless,
  },
  {
    name: 'the log as a second name of a file out of the medium',
    spoil: async (medium, canary) => {
      await mkdir(svc(medium, 'logs'));
      await link(canary.file, svc(medium, 'logs', 'operations.log'));
    },
    ...harmless,
  },
  {
    name: 'the lock as a second name of a file out of the medium',
    spoil: async (medium, canary) => {
      await rm(svc(medium, 'lock'));
      await link(canary.file, svc(medium, 'lock'));
    },
    ...harmless,
  },
  {
    name: 'a lock that is a database with something to say',
    spoil: async (medium) => {
      const { DatabaseSync } = await import('node:sqlite');
      await rm(svc(medium, 'lock'));
      const database = new DatabaseSync(svc(medium, 'lock'));
      database.exec('create table t (x); create trigger y after insert on t begin delete from t; end');
      database.close();
    },
    ...harmless,
  },
  {
    name: 'a line that leads through a link out of the medium',
    spoil: async (medium, canary) => {
      await symlink(canary.folder, join(medium.root, 'zone'));
      const size = canary.text.length;
      await medium.editManifest((_, lines) => [
        ...lines,
        { path: 'zone/secret.txt', size, digest: hashBytes(canary.text) },
      ]);
    },
    ...harmless,
    findings: ['SVC-MED-020', 'SVC-MED-015'],
  },
];

const planted: HostileMedium[] = [
  {
    name: 'pending tasks, a schedule and partial downloads, wherever a state could be',
    spoil: async (medium) => {
      const task = JSON.stringify({
        record: { sequence: 1, request: { type: 'sync', reference: 'evil', actor: 'admin' } },
      });
      for (const folder of ['', '_svc', 'state', '_svc/state', '.svc'])
        for (const name of ['tasks', 'queue', 'downloads', 'media', 'accounts']) {
          const at = join(medium.root, folder, name);
          await mkdir(at, { recursive: true });
          await writeFile(join(at, 'tsk_000000000001.json'), task);
          await writeFile(join(at, 'interval'), '1');
          await writeFile(join(at, 'freshness.json'), '{}');
        }
    },
    ...reported,
  },
  {
    name: 'programs, hooks and settings for whoever looks into a folder',
    spoil: async (medium, canary) => {
      const script = `#!/bin/sh\necho ran >> ${canary.trace}\n`;
      const names = ['svc', 'node', 'cosign', 'autorun.inf', '.git/hooks/post-checkout', '_svc/logs/hook.sh'];
      for (const name of [...names, 'blobs/sha256/run.sh', 'ledger/run.sh', '_svc/tmp/run.sh']) {
        const path = join(medium.root, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, script);
        await chmod(path, 0o777);
      }
      const settings = [
        'package.json',
        'svc.yaml',
        'svc.config.ts',
        '.env',
        '.npmrc',
        'node_modules/x/index.js',
      ];
      for (const name of settings) {
        const path = join(medium.root, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, `require('fs').writeFileSync('${canary.trace}', '')`);
      }
    },
    ...reported,
  },
  {
    name: 'a journal of an import that never was, beside the log',
    spoil: async (medium) => {
      await mkdir(svc(medium, 'logs'));
      await writeFile(
        svc(medium, 'logs', 'operations.log'),
        '{"msg":"medium verified","verdict":"pushable"}\n',
      );
      await writeFile(svc(medium, 'import-run.json'), '{"task":{"status":"completed","items":[]}}');
    },
    ...harmless,
  },
  {
    name: 'names of devices and names that other systems change',
    spoil: async (medium) => {
      for (const folder of ['', 'blobs/sha256', 'ledger'])
        for (const name of ['con', 'NUL', 'aux.txt', 'COM1', 'lpt9', 'dot.', 'blank ', 'a:stream', '~$x'])
          await writeFile(join(medium.root, folder, name), 'x');
    },
    ...reported,
  },
  {
    name: 'lines for names of devices',
    spoil: async (medium) => {
      for (const name of ['aux', 'nul.txt']) {
        await writeFile(join(medium.root, 'ledger', name), 'x');
        await medium.relist(`ledger/${name}`);
      }
    },
    ...harmless,
  },
  {
    name: 'names that differ by case from every folder and ledger',
    spoil: async (medium, canary) => {
      for (const name of ['LEDGER', 'Blobs', '_SVC']) await symlink(canary.folder, join(medium.root, name));
      for (const name of ['INDEX.JSON', 'Oci-Layout', 'Media.jsonl'])
        await writeFile(join(medium.root, name), '{}');
      const path = await medium.ledger('recipes');
      await copyFile(join(medium.root, path), join(medium.root, 'ledger', 'RECIPES-00000001.JSONL'));
      await mkdir(join(medium.root, 'blobs', 'SHA256'));
    },
    ...reported,
  },
  {
    name: 'names that are no UTF-8, everywhere',
    spoil: async (medium) => {
      for (const folder of ['', 'blobs', 'blobs/sha256', 'ledger', '_svc'])
        for (const name of [
          [0xff, 0xfe],
          [0x61, 0x0a, 0x62],
          [0x1b, 0x5b, 0x33, 0x31, 0x6d],
        ])
          await writeFile(
            Buffer.concat([Buffer.from(`${join(medium.root, folder)}/`), Buffer.from(name)]),
            'x',
          );
    },
    ...reported,
  },
  {
    name: 'three thousand strangers',
    spoil: async (medium) => {
      for (let i = 0; i < 3000; i += 1)
        await open(join(medium.root, 'blobs', 'sha256', `x${i}`), 'w').then((file) => file.close());
    },
    ...reported,
  },
];

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

const files: HostileMedium[] = [
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
    findings: ['SVC-MED-022'],
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

/** Changes the text of the manifest as it stands. */
const edit = (change: (text: string) => string | Buffer) => async (medium: CarriedMedium) =>
  writeFile(media(medium), change(await readFile(media(medium), 'utf8')));
/** Gives the last line another path. */
const path = (value: string) => async (medium: CarriedMedium) =>
  edit((text) => {
    const lines = text.trimEnd().split('\n');
    const last = JSON.parse(lines.pop()!);
    return `${[...lines, JSON.stringify({ ...last, path: value })].join('\n')}\n`;
  })(medium);
/** Puts a member into the header, as text. */
const member = (text: string) => edit((all) => `{${text},${all.slice(1)}`);

const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const manifests: HostileMedium[] = [
  ...[
    '../../etc/passwd',
    'zz/../../etc/passwd',
    './zz',
    'zz//x',
    'zz/',
    'C:/zz',
    'zz:stream',
    '\\\\host\\share',
    'zz\0x',
    'z'.repeat(1100),
    '',
  ].map((value) => ({
    name: `a line for ${JSON.stringify(value).slice(0, 40)}`,
    spoil: path(value),
    ...unreadable,
  })),
  ...['zz\u202egnp.x', '\u001b]0;x\u0007', 'zz\nx', '％2e％2e/zz', '~root/zz', '$(id)'].map((value) => ({
    name: `a line for ${JSON.stringify(value)}, which is only a name`,
    spoil: async (medium: CarriedMedium) =>
      medium.editManifest((_, lines) =>
        [...lines, { path: value, size: 1, digest: hashBytes('x') }].sort((a, b) =>
          a.path < b.path ? -1 : 1,
        ),
      ),
    ...harmless,
    findings: ['SVC-MED-015' as const],
  })),
  { name: 'the manifest twice in one file', spoil: edit((text) => text + text), ...unreadable },
  { name: 'a manifest of nulls', spoil: edit(() => 'null\nnull\n'), ...unreadable },
  {
    name: 'a manifest that begins with a mark of byte order',
    spoil: edit((text) => `\ufeff${text}`),
    ...harmless,
  },
  {
    name: 'lines that end as on other systems',
    spoil: edit((text) => text.replaceAll('\n', '\r\n')),
    ...harmless,
  },
  { name: 'a header nested 100 000 deep', spoil: member(`"x":${nest(100_000)}`), ...harmless },
  {
    name: 'recipes nested 100 000 deep',
    spoil: edit(() => `{"mediaFormat":1,"storeFormat":1,"recipes":${nest(100_000)}}\n`),
    ...unreadable,
  },
  { name: 'a header with a key of a mebibyte', spoil: member(`"${'k'.repeat(1 << 20)}":1`), ...harmless },
  {
    name: 'a header with 100 000 keys',
    spoil: member(Array.from({ length: 100_000 }, (_, i) => `"k${i}":${i}`).join()),
    ...harmless,
  },
  { name: 'a header of 40 mebibytes', spoil: member(`"x":"${'k'.repeat(40 << 20)}"`), ...unreadable },
  {
    name: 'a line of a mebibyte',
    spoil: edit((text) => `${text}{"path":"zz","x":"${'k'.repeat(1 << 20)}"}\n`),
    ...unreadable,
  },
  { name: 'a line nested deep', spoil: edit((text) => `${text}${nest(2000)}\n`), ...unreadable },
  {
    name: 'a prototype in the header',
    spoil: member('"__proto__":{"zone":"zone-b","recipes":[]}'),
    ...harmless,
  },
  {
    name: 'a header whose prototype is its content',
    spoil: edit((text) => `{"__proto__":${text.split('\n')[0]}}\n`),
    ...unreadable,
  },
  {
    name: 'a size that is no safe number',
    spoil: edit((text) => `${text}{"path":"zz","size":1e300,"digest":"${hashBytes('x')}"}\n`),
    ...unreadable,
  },
  {
    name: 'a size that is text',
    spoil: edit((text) => text.replace(/"size":(\d+)/, '"size":"$1"')),
    ...unreadable,
  },
  {
    name: 'a digest in capitals',
    spoil: edit((text) => text.replace(/"digest":"sha256:[0-9a-f]+"}\n/g, (one) => one.toUpperCase())),
    ...unreadable,
  },
  {
    name: 'totals that are no numbers',
    spoil: (medium) =>
      medium.editManifest((header) => {
        header.totals = { files: null, bytes: [] };
        return undefined;
      }),
    ...unreadable,
  },
  {
    name: 'a medium identifier with a path in it',
    spoil: (medium) =>
      medium.editManifest((header) => {
        header.mediaId = '../../../etc';
        return undefined;
      }),
    ...unreadable,
  },
  {
    name: '50 000 recipes in the header',
    spoil: (medium) =>
      medium.editManifest((header) => {
        const digest = hashBytes('x');
        for (let i = 0; i < 50_000; i += 1)
          header.recipes.push({ name: `r${i}`, version: '1.0.0', repository: 'r', digest });
        return undefined;
      }),
    ...lying,
  },
  {
    name: 'a header with names that would paint a terminal',
    spoil: (medium) =>
      medium.editManifest((header) => {
        header.recipes[0].name = '\u001b[2J\u202eshop';
        header.producedBy.runId = '\u001b[31m\nrun';
        return undefined;
      }),
    ...lying,
  },
  {
    name: 'the manifest of another medium',
    spoil: async (medium) => {
      await using other = await buildMedium();
      await copyFile(join(other.root, 'media.jsonl'), media(medium));
    },
    blocks: ['SVC-MED-005', 'SVC-MED-005'],
  },
  {
    name: 'a line for what is not of the medium',
    spoil: async (medium) => {
      await medium.relist('_svc/lock');
    },
    ...harmless,
  },
  {
    name: 'a line for the manifest itself',
    spoil: async (medium) => {
      await medium.relist('media.jsonl');
    },
    ...harmless,
  },
];

/** A recipe ledger that says something else in one member of its first recipe. */
const recipeLie = (
  name: string,
  change: (record: any) => void,
  expected: Omit<Mutation, 'name' | 'spoil'> = lying,
): HostileMedium => ({
  name: `a forged recipe ledger with another ${name}`,
  spoil: async (medium) => {
    let record: any;
    await forgeLedger(medium, 'recipes', (records) => {
      record = records.find((one) => one.op === 'recipe');
      change(record);
      return records;
    });
    // whoever forges the ledger forges the header with it
    await medium.editManifest((header) => {
      const { name, version, repository, digest } = record;
      header.recipes[0] = { name, version, repository, digest };
      return undefined;
    });
  },
  ...expected,
});
const ingredientLie = (name: string, change: (ingredient: any) => void): HostileMedium =>
  recipeLie(`ingredient ${name}`, (record) => change(record.ingredients[0]));

const recipeLies: HostileMedium[] = [
  recipeLie('name', (r) => {
    r.name = 'depot';
  }),
  recipeLie('name that is a path', (r) => {
    r.name = '../../../../tmp/evil';
  }),
  recipeLie('version', (r) => {
    r.version = '9.9.9';
  }),
  recipeLie('version and tag: an older signed recipe under a newer name', (r) => {
    r.version = '9.9.9';
    r.tag = '9.9.9';
  }),
  recipeLie('tag', (r) => {
    r.tag = '../../latest';
  }),
  recipeLie('cookbook', (r) => {
    r.cookbook = 'evil.example/cookbook';
  }),
  recipeLie('cookbook that is an address of the inside', (r) => {
    r.cookbook = '169.254.169.254/cookbook';
  }),
  recipeLie(
    'repository that is a path',
    (r) => {
      r.repository = '../../../etc';
    },
    { shop: 'SVC-SIG-001' },
  ),
  recipeLie(
    'repository',
    (r) => {
      r.repository = 'origin.example_5000/cookbook/depot';
    },
    { shop: 'SVC-SIG-001' },
  ),
  recipeLie('document', (r) => {
    r.documentDigest = hashBytes('x');
  }),
  recipeLie(
    'digest: that of the neighbour',
    (r) => {
      r.digest = r.ingredients[0].digest;
    },
    { shop: 'SVC-SIG-001' },
  ),
  recipeLie(
    'zone',
    (r) => {
      r.zone = 'zone-z';
    },
    harmless,
  ),
  recipeLie(
    'run',
    (r) => {
      r.runId = '../../run';
    },
    harmless,
  ),
  recipeLie(
    'time',
    (r) => {
      r.resolvedAt = '2099-01-01T00:00:00Z';
    },
    harmless,
  ),
  recipeLie(
    'word on its signature',
    (r) => {
      r.verified = false;
      r.keyFingerprint = '0'.repeat(64);
      r.trustScope = 'everything';
    },
    harmless,
  ),
  ingredientLie('name', (one) => {
    one.name = '__proto__';
  }),
  ingredientLie('kind', (one) => {
    one.kind = 'FileSet';
  }),
  ingredientLie('reference', (one) => {
    one.ref = 'evil.example/shop/web';
  }),
  ingredientLie('repository', (one) => {
    one.repository = '../../blobs';
  }),
  ingredientLie('tag', (one) => {
    one.tag = 'latest';
  }),
  ingredientLie('digest', (one) => {
    one.digest = hashBytes('x');
  }),
  ingredientLie('platforms', (one) => {
    one.platforms = ['plan9/mips'];
  }),
  {
    name: 'a forged recipe ledger whose records are none',
    spoil: (medium) =>
      forgeLedger(medium, 'recipes', ([first, ...rest]) => [
        first,
        { op: '__proto__' },
        { op: 'recipe' },
        7,
        ...rest,
      ]),
    ...harmless,
  },
  {
    name: 'a forged recipe ledger nested 50 000 deep',
    spoil: (medium) =>
      forgeLedger(medium, 'recipes', (records) => [
        ...records,
        `{"op":"recipe","ingredients":${nest(50_000)}}`,
      ]),
    ...harmless,
  },
  {
    name: 'a forged recipe ledger with 1000 recipes of the same artifact',
    spoil: (medium) =>
      forgeLedger(medium, 'recipes', (records) => {
        const record = records.find((one) => one.op === 'recipe');
        return [...records, ...Array.from({ length: 1000 }, (_, i) => ({ ...record, version: `9.${i}.0` }))];
      }),
    blocks: ['SVC-MED-005'],
  },
];

type Change = (records: any[], medium: CarriedMedium) => Promise<readonly unknown[]> | readonly unknown[];
const contentLie = (
  name: string,
  change: Change,
  expected: Omit<Mutation, 'name' | 'spoil'> = harmless,
): HostileMedium => ({
  name: `a forged content ledger: ${name}`,
  spoil: async (medium) => {
    let records: any[] = [];
    await forgeLedger(medium, 'content', (all) => {
      records = all;
      return all;
    });
    const changed = await change(structuredClone(records), medium);
    await forgeLedger(medium, 'content', () => changed);
  },
  ...expected,
});

const contentLies: HostileMedium[] = [
  contentLie(
    'every tag on one manifest',
    (records) => {
      const [tag] = records.filter(({ op }) => op === 'tag');
      return records.map((one) => (one.op === 'tag' ? { ...one, digest: tag.digest } : one));
    },
    { shop: 'SVC-SIG-001' },
  ),
  contentLie('tags that claim another kind and owner', (records) =>
    records.map((one) =>
      one.op === 'tag' ? { ...one, kind: 'OCIArtifact', owner: { provenance: 'push' } } : one,
    ),
  ),
  contentLie(
    'tags with names that are paths',
    (records) => [
      ...records,
      { ...records.find(({ op }) => op === 'tag'), repo: '../../etc', tag: '../passwd' },
    ],
    harmless,
  ),
  contentLie(
    'a digest that is a path',
    (records) => [...records, { op: 'put', repo: 'x', digest: 'sha256:../../../../etc/passwd' }],
    harmless,
  ),
  contentLie('no tags', (records) => records.filter(({ op }) => op !== 'tag'), { shop: 'SVC-SIG-001' }),
  contentLie('nothing but its first record', (records) => records.slice(0, 1), {
    shop: 'SVC-SIG-001',
    depot: 'SVC-SIG-001',
  }),
  contentLie(
    'sizes of another world',
    (records) =>
      records.map((one) =>
        one.op === 'manifest'
          ? {
              ...one,
              size: 2 ** 50,
              blobs: (one.blobs ?? []).map((b: unknown) => (typeof b === 'number' ? 2 ** 50 : b)),
            }
          : one,
      ),
    { depot: 'SVC-VAL-002' },
  ),
  contentLie(
    'types of another world',
    (records) =>
      records.map((one) =>
        one.op === 'manifest' ? { ...one, type: 'text/html', artifactType: 'text/html' } : one,
      ),
    { depot: 'SVC-SIG-001' },
  ),
  contentLie('manifests that reach nothing', (records) => records.map(({ blobs, manifests, ...one }) => one)),
  contentLie('an index that holds itself', (records) =>
    records.map((one) =>
      one.op === 'manifest' && one.manifests ? { ...one, manifests: [one.digest] } : one,
    ),
  ),
  contentLie(
    'the bundle of one recipe said to be about the other',
    async (records, medium) => {
      const { recipe } = await medium.parts('shop');
      return records.map((one) => (one.subject ? { ...one, subject: recipe } : one));
    },
    { depot: 'SVC-SIG-001' },
  ),
  contentLie(
    'the signature tag of one recipe on the bundle of the other',
    async (records, medium) => {
      const { signature } = await medium.parts('depot');
      return records.flatMap((one) =>
        one.op === 'tag' && one.tag.endsWith('.sig')
          ? [
              { op: 'put', repo: one.repo, digest: signature },
              { ...one, digest: signature },
            ]
          : [one],
      );
    },
    { shop: 'SVC-SIG-001' },
  ),
  contentLie('a stranger under the tag of an ingredient', async (records, medium) => {
    const { record, recipe } = await medium.parts('depot');
    const { repository } = record.ingredients[0]!;
    return records.flatMap((one) =>
      one.op === 'tag' && one.repo === repository
        ? [
            { op: 'put', repo: repository, digest: recipe },
            { ...one, digest: recipe },
          ]
        : [one],
    );
  }),
  contentLie('uploads and mounts of anything by anybody', (records) => [
    ...records,
    { op: 'upload', repo: 'x', digest: hashBytes('x'), size: 1, actor: 'admin', at: 4e15, from: 'y' },
  ]),
  contentLie(
    'another medium',
    (records) => [{ ...records[0], id: crypto.randomUUID() }, ...records.slice(1)],
    { blocks: ['SVC-MED-005', 'SVC-MED-005'] },
  ),
  contentLie('another format', (records) => [{ ...records[0], format: 99 }, ...records.slice(1)], {
    blocks: ['SVC-MED-004'],
  }),
];

const layouts: HostileMedium[] = [
  ...(
    [
      [
        'with digests that are paths',
        '{"schemaVersion":2,"manifests":[{"mediaType":"x","digest":"sha256:../../../../etc/passwd","size":1}]}',
      ],
      ['that says null', 'null'],
      ['that is empty', ''],
      ['nested 100 000 deep', nest(100_000)],
      [
        'with addresses to fetch from',
        '{"schemaVersion":2,"manifests":[{"mediaType":"x","digest":"sha256:00","size":1,"urls":["http://127.0.0.1:1/x","file:///etc/passwd"]}]}',
      ],
    ] as const
  ).map(
    ([name, text]): HostileMedium => ({
      name: `an index.json ${name}, its line adapted`,
      spoil: async (medium) => {
        await writeFile(join(medium.root, 'index.json'), text);
        await medium.relist('index.json');
      },
      ...harmless,
    }),
  ),
  {
    name: 'an oci-layout of another version, its line adapted',
    spoil: async (medium) => {
      await writeFile(join(medium.root, 'oci-layout'), '{"imageLayoutVersion":"../../9"}');
      await medium.relist('oci-layout');
    },
    ...harmless,
  },
];

const head = 'apiVersion: recipe.tobby.dev/v1alpha1\nkind: Recipe\nmetadata: {name: shop, version: 1.4.0}\n';
/** Signed by the very key that the zone trusts: what is left is what the document does to its reader. */
const documents: HostileMedium[] = (
  [
    [
      'aliases that expand',
      `${head}a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map((n, i) => `${n}: &${n} [${Array(9).fill(`*${'abcdefghi'[i]}`).join()}]`)
        .join('\n')}\n`,
    ],
    ['an alias to itself', `${head}spec: &a {ingredients: [*a]}\n`],
    ['merges of itself', `${head}spec: &a\n  <<: *a\n`],
    ['nesting', `${head}spec: ${nest(20_000)}\n`],
    [
      'nesting by indentation',
      `${head}spec:\n${Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i + 1)}a:`).join('\n')}\n`,
    ],
    ['a key of 900 000 characters', `${head}? ${'k'.repeat(900_000)}\n: 1\n`],
    ['keys twice', `${head}kind: Recipe\nspec: {ingredients: []}\n`],
    ['tags that make objects', `${head}spec: !!js/function 'function () { process.exit(1) }'\n`],
    ['two documents', `${head}spec: {ingredients: []}\n---\n${head}`],
    ['a prototype', `${head}__proto__: {spec: {ingredients: []}}\n`],
    ['bytes that are no UTF-8', Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xfe, 0x00])])],
    ['nothing', ''],
    ['three mebibytes', `${head}#${'x'.repeat(3 << 20)}\n`],
    ['a hundred thousand ingredients', `${head}spec:\n  ingredients:\n${'  - {name: a}\n'.repeat(100_000)}`],
    [
      'ingredients at paths',
      `${head}spec:\n  ingredients:\n  - {name: web, kind: ContainerImage, ref: "../../../etc/passwd", version: "../x", digest: "sha256:../../x"}\n`,
    ],
  ] as const
).map(
  ([name, text]): HostileMedium => ({
    name: `a signed document with ${name}`,
    spoil: (medium) => replaceRecipe(medium, 'shop', Buffer.from(text as string)),
    shop: 'SVC-VAL-001',
  }),
);

/** Permissions mean nothing to the superuser: only others are kept out by them. */
const forbidden: HostileMedium[] =
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
