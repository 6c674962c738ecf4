import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import {
  formatMediumEntry,
  formatMediumHeader,
  type MediumEntry,
  type MediumHeader,
  parseMediumManifest,
  readMediumManifest,
} from '../../../src/store/rest/media-manifest.ts';
import { isSvcError } from '../../../src/text/error.ts';
import type { ErrorCode } from '../../../src/text/errors/registry.ts';
import { renderError } from '../../../src/text/message.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const digest = hashBytes('x');
const header: MediumHeader = {
  mediaFormat: 1,
  storeFormat: 1,
  mediaId: '00000000-0000-4000-8000-000000000000',
  zone: 'ship',
  producedBy: { version: '1.0.0', runId: 'run_1' },
  resolvedAt: '2026-01-02T03:04:05Z',
  writtenAt: '2026-01-02T03:05:05Z',
  recipes: [{ name: 'app', version: '1.0.0', repository: 'c/app', digest }],
  totals: { files: 3, bytes: 6 },
};
const entries: readonly MediumEntry[] = [
  { path: 'blobs/sha256/aa', size: 1, digest },
  { path: 'blobs/sha256/ab', size: 2, digest },
  { path: 'index.json', size: 3, digest },
];
const whole = formatMediumHeader(header) + entries.map(formatMediumEntry).join('');

async function parse(text: string | Buffer, pieces = 7): Promise<MediumEntry[]> {
  const bytes = Buffer.from(text as string);
  const cut = async function* () {
    for (let i = 0; i < bytes.length; i += pieces) yield bytes.subarray(i, i + pieces);
  };
  const manifest = await parseMediumManifest(cut());
  const all: MediumEntry[] = [];
  for await (const batch of manifest.entries) all.push(...batch);
  return all;
}

const line = (entry: object) => `${JSON.stringify(entry)}\n`;
const withEntry = (entry: object) =>
  formatMediumHeader({ ...header, totals: { files: 1, bytes: 1 } }) +
  line({ path: 'a', size: 1, digest, ...entry });

test('what is written is read back, however the stream is cut', async () => {
  for (const pieces of [1, 7, 100, 100_000]) assert.deepEqual(await parse(whole, pieces), entries);
});

const part = { id: 'dlv_0123456789ab', part: 1, parts: 3 };

const refused: Readonly<Record<string, readonly [string | Buffer, ErrorCode]>> = {
  'nothing at all': ['', 'SVC-MED-002'],
  'no JSON': ['hello\n', 'SVC-MED-002'],
  'a header that is an array': ['[]\n', 'SVC-MED-002'],
  'another medium format': [formatMediumHeader({ ...header, mediaFormat: 3 }), 'SVC-MED-003'],
  'the format of partial media without a delivery': [
    formatMediumHeader({ ...header, mediaFormat: 2 }),
    'SVC-MED-002',
  ],
  'a part beyond the last one': [
    formatMediumHeader({
      ...header,
      mediaFormat: 2,
      delivery: { id: 'dlv_0123456789ab', part: 4, parts: 3 },
    }),
    'SVC-MED-002',
  ],
  'a delivery with another identifier': [
    formatMediumHeader({ ...header, mediaFormat: 2, delivery: { id: '../../etc', part: 1, parts: 3 } }),
    'SVC-MED-002',
  ],
  'a base without a receipt': [
    formatMediumHeader({
      ...header,
      base: { zone: 'ship', sequence: 1 } as NonNullable<MediumHeader['base']>,
    }),
    'SVC-MED-002',
  ],
  'another store format': [formatMediumHeader({ ...header, storeFormat: 9 }), 'SVC-MED-004'],
  'no format': [whole.replace('"mediaFormat":1', '"mediaFormat":"1"'), 'SVC-MED-002'],
  'no zone': [whole.replace('"zone":"ship"', '"zone":""'), 'SVC-MED-002'],
  'no time': [whole.replace('2026-01-02T03:04:05Z', 'yesterday'), 'SVC-MED-002'],
  'a recipe without digest': [
    whole.replace('"repository":"c/app","digest"', '"repository":"c/app","d"'),
    'SVC-MED-002',
  ],
  'a zone twice': [whole.replace('"zone":"ship"', '"zone":"other","zone":"ship"'), 'SVC-MED-002'],
  'a member twice, once as an escape, in a delivery': [
    `${JSON.stringify({ ...header, delivery: part }).replace('"part":1', '"part":2,"p\\u0061rt":1')}\n`,
    'SVC-MED-002',
  ],
  'a cut last line': [whole.slice(0, -1), 'SVC-MED-002'],
  'a missing line': [whole.split('\n').slice(0, -2).join('\n').concat('\n'), 'SVC-MED-002'],
  'too many bytes': [whole.replace('"bytes":6', '"bytes":7'), 'SVC-MED-002'],
  'lines out of order': [
    formatMediumHeader(header) + [...entries].reverse().map(formatMediumEntry).join(''),
    'SVC-MED-002',
  ],
  'the same path twice': [
    formatMediumHeader({ ...header, totals: { files: 2, bytes: 2 } }) +
      formatMediumEntry(entries[0]!).repeat(2),
    'SVC-MED-002',
  ],
  'an absolute path': [withEntry({ path: '/etc/passwd' }), 'SVC-MED-002'],
  'a path that leads out': [withEntry({ path: 'blobs/../../x' }), 'SVC-MED-002'],
  'a path with a backslash': [withEntry({ path: 'blobs\\x' }), 'SVC-MED-002'],
  'a path with NUL': [withEntry({ path: 'a\0b' }), 'SVC-MED-002'],
  'a drive': [withEntry({ path: 'c:x' }), 'SVC-MED-002'],
  'an empty part': [withEntry({ path: 'a//b' }), 'SVC-MED-002'],
  'a negative size': [withEntry({ size: -1 }), 'SVC-MED-002'],
  'a size that is no number': [withEntry({ size: '1' }), 'SVC-MED-002'],
  'a digest of another algorithm': [withEntry({ digest: 'md5:00' }), 'SVC-MED-002'],
  'a line without end': [formatMediumHeader(header) + 'x'.repeat(10_000), 'SVC-MED-002'],
  'a long line': [withEntry({ more: 'x'.repeat(10_000) }), 'SVC-MED-002'],
  'bytes that are no UTF-8': [Buffer.concat([Buffer.from(whole), Buffer.from([0xff, 0x0a])]), 'SVC-MED-002'],
  'an empty line': [`${whole}\n`, 'SVC-MED-002'],
};
for (const [name, [text, code]] of Object.entries(refused)) {
  test(`refused: ${name}`, async () => {
    await assert.rejects(parse(text), (error) => isSvcError(error, code));
  });
}

const badMembers: readonly (readonly [change: object, path: string, rule: RegExp])[] = [
  [{ mediaFormat: '1' }, '/mediaFormat', /must be a whole number/],
  [{ storeFormat: undefined }, '/storeFormat', /is missing/],
  [{ mediaFormat: 2 }, '/delivery', /is missing/],
  [{ mediaId: 'X' }, '/mediaId', /must match the pattern/],
  [{ zone: undefined }, '/zone', /is missing/],
  [{ zone: '' }, '/zone', /must not be empty/],
  [{ zone: 'z'.repeat(1025) }, '/zone', /at most 1024 characters/],
  [{ producedBy: { version: 1, runId: 'run_1' } }, '/producedBy/version', /must be a string/],
  [{ resolvedAt: 'yesterday' }, '/resolvedAt', /must be a time/],
  [{ writtenAt: 'x'.repeat(50) }, '/writtenAt', /must have at most 40 characters/],
  [{ recipes: {} }, '/recipes', /must be a list/],
  [{ recipes: [header.recipes[0], { ...header.recipes[0], digest: 'x' }] }, '/recipes/1/digest', /a digest/],
  [{ otherRecipes: [digest, 1] }, '/otherRecipes/1', /must be a/],
  [{ totals: { files: -1, bytes: 6 } }, '/totals/files', /must be at least 0/],
  [{ delivery: { ...part, id: '../../etc' } }, '/delivery/id', /must match the pattern/],
  [{ delivery: { ...part, part: 4 } }, '/delivery/part', /must be at most 3/],
  [{ delivery: { ...part, parts: 1000 } }, '/delivery/parts', /must be at most 999/],
  [{ base: null }, '/base', /must be an object/],
  [{ base: { zone: 'ship', sequence: 1 } }, '/base/receipt', /is missing/],
  [{ program: { version: '1', files: 1, bytes: 0.5 } }, '/program/bytes', /must be a whole number/],
];
for (const [change, path, broken] of badMembers)
  test(`the member of the first line that is wrong is named, with its rule: ${path} ${broken.source}`, async () => {
    await assert.rejects(parse(`${JSON.stringify({ ...header, ...change })}\n`), (error) => {
      assert.ok(isSvcError(error, 'SVC-MED-002'));
      const { what } = renderError(error, 'en');
      assert.ok(what.includes(`the first line is not valid at ${path}: `), what);
      assert.match(what, broken);
      assert.match(renderError(error, 'fr').what, /la première ligne n’est pas valide à \//);
      return true;
    });
  });

test('further members of the first line, as a later version writes them, are no flaw', async () => {
  const later = { ...header, more: 1, delivery: { ...part, more: 1 }, totals: { ...header.totals, more: 1 } };
  assert.deepEqual(await parse(whole.replace(/^.*\n/, `${JSON.stringify(later)}\n`)), entries);
});

test('refusals carry the medium id when it could be read', async () => {
  await assert.rejects(parse(whole.replace('"bytes":6', '"bytes":7')), (error) => {
    assert.ok(isSvcError(error, 'SVC-MED-002'));
    assert.equal(error.params.mediaId, header.mediaId);
    return true;
  });
});

test('a missing manifest, a link and one over the limit have different errors', async () => {
  await using folder = await openTempFolder();
  await assert.rejects(readMediumManifest(folder.path), (error) => isSvcError(error, 'SVC-MED-001'));
  await symlink('/etc/hostname', join(folder.path, 'media.jsonl'));
  await assert.rejects(readMediumManifest(folder.path), (error) => isSvcError(error, 'SVC-MED-002'));
  await using other = await openTempFolder();
  await writeFile(join(other.path, 'media.jsonl'), whole);
  assert.equal((await readMediumManifest(other.path)).entries.size, 3);
  await assert.rejects(readMediumManifest(other.path, { maxBytes: whole.length - 1 }), (error) =>
    isSvcError(error, 'SVC-MED-002'),
  );
});
