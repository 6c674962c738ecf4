import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChartIndex } from '../../src/chart/repository-index.ts';
import { isSvcError } from '../../src/text/error.ts';
import { toIndex } from '../kit/content/chart-server.ts';

const read = (text: string, chart = 'shop') => readChartIndex(Buffer.from(text), chart, 'index.yaml');
const versionsOf = async (text: string, chart = 'shop') =>
  (await read(text, chart)).map(({ version }) => version);
const isCode = (code: Parameters<typeof isSvcError>[1]) => (error: unknown) => {
  assert.ok(isSvcError(error, code), String(error));
  return true;
};
const entry = (version: string) => `- name: shop\n  version: ${version}\n  urls: [a.tgz]\n`;
const indent = (text: string, width: number) => text.replaceAll(/^(?=.)/gm, ' '.repeat(width));

test('the versions of one chart are found, however the list is indented and the name is written', async () => {
  const list = entry('1.0.0') + entry('1.1.0');
  const others = `  a:\n  - name: a\n    version: 9.0.0\n    urls: [x]\n`;
  for (const text of [
    `apiVersion: v1\nentries:\n${others}  shop:\n${indent(list, 2)}  zed:\n${indent(entry('3.0.0'), 2)}`,
    `entries:\n  shop:\n${indent(list, 4)}generated: now\n`,
    `---\nentries:\n  "shop":\n${indent(list, 2)}`,
    `# made by hand\nentries: # all\n\n  'shop': # ours\n${indent(list, 2)}`,
    `entries:\n    shop:\n${indent(list, 6)}    other:\n${indent(entry('7.0.0'), 4)}`,
    `entries:\n  shop:\n${indent(list, 2)}`.replaceAll('\n', '\r\n'),
    `entries: {shop: [{version: 1.0.0, urls: [a]}, {version: 1.1.0, urls: [b]}]}\n`,
    JSON.stringify({
      entries: {
        shop: [
          { version: '1.0.0', urls: ['a'] },
          { version: '1.1.0', urls: ['b'] },
        ],
      },
    }),
  ])
    assert.deepEqual(await versionsOf(text), ['1.0.0', '1.1.0'], text);
});

test('names that only begin or end alike, and text that looks like a name, are not the chart', async () => {
  const text = [
    'apiVersion: v1',
    'entries:',
    '  ashop:',
    indent(entry('1.0.0'), 2),
    '  a:',
    '  - description: |-',
    '      shop:',
    '      - version: 6.6.6',
    '        urls: [evil]',
    '    version: 2.0.0',
    '    urls: [x]',
    '  shop-extra:',
    indent(entry('3.0.0'), 2),
    'annotations:',
    '  shop:',
    '  - version: 6.6.6',
    '    urls: [evil]',
  ].join('\n');
  assert.deepEqual(await versionsOf(text), []);
  assert.deepEqual(await versionsOf(text, 'a'), ['2.0.0']);
  assert.deepEqual(await versionsOf('apiVersion: v1\nentries: {}\n'), []);
});

test('entries without what is needed count as absent; digests are read with and without their algorithm, and another one is noted', async () => {
  const hash = 'a'.repeat(64);
  const text = toIndex([]).replace(
    'entries:\n',
    `entries:\n  shop:\n  - version: 1.0.0\n  - urls: [a]\n  - name: other\n    version: 1.0.0\n    urls: [a]\n  - version: 2\n    urls: [b]\n    digest: sha256:${hash}\n  - version: 3.0.0\n    urls: [c]\n    digest: ${hash}\n  - version: 4.0.0\n    urls: [d]\n    digest: nonsense\n`,
  );
  assert.deepEqual(await read(text), [
    { version: '2', urls: ['b'], digest: `sha256:${hash}` },
    { version: '3.0.0', urls: ['c'], digest: `sha256:${hash}` },
    { version: '4.0.0', urls: ['d'], hasForeignDigest: true },
  ]);
});

test('a name or the list itself twice is refused: which of the two counts would depend on the reader', async () => {
  const twice = `entries:\n  shop:\n${indent(entry('1.0.0'), 2)}  shop:\n${indent(entry('2.0.0'), 2)}`;
  await assert.rejects(read(twice), isCode('SVC-VAL-001'));
  const list = `entries:\n  shop:\n${indent(entry('1.0.0'), 2)}`;
  await assert.rejects(read(list + list), isCode('SVC-VAL-001'));
});

test('hostile indexes are refused, quickly', async () => {
  const bomb = `x: &a [1]\nentries: &b {shop: [${'*a,'.repeat(200)}*a]}\n`;
  const deep = `entries:\n  shop:\n  - a: ${'['.repeat(5000)}\n`;
  const flow = `{entries: {shop: [${'{},'.repeat(2_000_000)}]}}`;
  const tab = 'entries:\n\tshop:\n\t- version: 1.0.0\n';
  for (const [text, code] of [
    [bomb, 'SVC-VAL-001'],
    [deep, 'SVC-VAL-001'],
    [flow, 'SVC-VAL-002'],
    [tab, 'SVC-VAL-001'],
    ['\u0000\u0001', 'SVC-VAL-001'],
    ['entries:\n  shop:\n  - *nothing\n', 'SVC-VAL-001'],
  ] as const) {
    const started = performance.now();
    await assert.rejects(read(text), isCode(code), text.slice(0, 40));
    assert.ok(performance.now() - started < 5000);
  }
});

test('an index of 30 MiB with thousands of other charts is searched without decoding them', async () => {
  const other = (i: number) =>
    `  chart-${i}:\n${indent(entry('1.0.0'), 2)}${`    note: ${'x'.repeat(900)}\n`.repeat(3)}`;
  const parts: string[] = ['apiVersion: v1\nentries:\n'];
  for (let i = 0, size = 0; size < 30 << 20; i += 1) {
    const part = other(i);
    parts.push(part);
    size += part.length;
  }
  parts.push(`  shop:\n${indent(entry('1.2.3'), 2)}`);
  const index = Buffer.from(parts.join(''));
  const before = process.memoryUsage().heapUsed;
  const found = await readChartIndex(index, 'shop', 'index.yaml');
  assert.deepEqual(
    found.map(({ version }) => version),
    ['1.2.3'],
  );
  assert.ok(process.memoryUsage().heapUsed - before < 64 << 20);
});
