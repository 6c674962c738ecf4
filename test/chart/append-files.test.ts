import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Parser } from 'tar';
import { appendFiles } from '../../src/chart/append-files.ts';
import { isSvcError } from '../../src/text/error.ts';
import { packChart } from '../kit/content/helm-chart.ts';

async function append(tar: Buffer, cut: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < tar.length; at += cut) chunks.push(tar.subarray(at, at + cut));
  const body = Buffer.from('an archive');
  const files = [
    { path: 'shop/charts/a-1.0.0.tgz', size: body.length, open: async () => Readable.from([body]) },
  ];
  const out: Buffer[] = [];
  for await (const chunk of appendFiles(Readable.from(chunks), files, 'shop')) out.push(chunk);
  return Buffer.concat(out);
}

function list(tar: Buffer): [string, string][] {
  const found: [string, string][] = [];
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const parts: Buffer[] = [];
      entry.on('data', (part) => parts.push(Buffer.from(part)));
      entry.on('end', () => found.push([entry.path, Buffer.concat(parts).toString('latin1')]));
    },
  });
  parser.end(tar);
  return found;
}

test('files come after what is there, which stays byte for byte, however the stream is cut', async () => {
  const zeros = Buffer.alloc(3000);
  const tar = gunzipSync(packChart('shop', { 'Chart.yaml': 'name: shop\n', zeros, empty: '' }));
  const whole = await append(tar, tar.length);
  for (const cut of [1, 100, 511, 512, 513, 5000]) assert.deepEqual(await append(tar, cut), whole);
  assert.deepEqual(whole.subarray(0, tar.length - 1024), tar.subarray(0, tar.length - 1024));
  assert.deepEqual(
    list(whole).map(([path, text]) => [path, text.length]),
    [
      ['shop/Chart.yaml', 11],
      ['shop/zeros', 3000],
      ['shop/empty', 0],
      ['shop/charts/a-1.0.0.tgz', 10],
    ],
  );
});

test('an entry whose size cannot be read is refused', async () => {
  const tar = gunzipSync(packChart('shop', { 'Chart.yaml': 'name: shop\n' }));
  tar.write('zzz', 124);
  await assert.rejects(append(tar, 512), (error: unknown) => isSvcError(error, 'SVC-SIG-003'));
});
