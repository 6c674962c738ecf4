import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashBytes } from '../../../../src/base/digest.ts';
import type { CarriedMedium } from '../../scene/carried-medium.ts';
import { buildMedium } from '../../scene/medium.ts';
import { type HostileMedium, harmless, lying, media, nest, unreadable } from './hostile-medium.ts';

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

/** A `media.jsonl` with values that no maker would write, or in a form that no reader expects. */
export const manifests: HostileMedium[] = [
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
  { name: 'a header nested 100 000 deep', spoil: member(`"x":${nest(100_000)}`), ...unreadable },
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
