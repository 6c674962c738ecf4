import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { tarEnd, toTarHeader } from '../../src/disk/tar/header.ts';
import { isSvcError } from '../../src/text/error.ts';
import { openChartServer } from '../kit/content/chart-server.ts';
import { packChart, packSimpleChart } from '../kit/content/helm-chart.ts';
import { openImportScene } from '../kit/scene/import-scene.ts';

// Archives that a chart repository may serve: each is refused by its code. Nothing is ever unpacked to disk, and nothing grows beyond its bound.

const about = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';
const chart = (text: string, files: Readonly<Record<string, string>> = {}) =>
  packChart('shop', { 'Chart.yaml': text, ...files });
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`charts/c${i}/Chart.yaml`, `name: c${i}\n`]));
/** A few anchors, each ten times the one before. */
const nested = (levels: number) =>
  Array.from({ length: levels }, (_, i) =>
    i === 0
      ? 'l0: &l0 [xxxxxxxxxx]\n'
      : `l${i}: &l${i} [${Array(10)
          .fill(`*l${i - 1}`)
          .join(', ')}]\n`,
  ).join('');
const header = (path: string, type: 'file' | 'link', target = '') => toTarHeader({ path, type, target });
/** A chart with a further entry. */
const withEntry = (entry: Buffer) =>
  gzipSync(
    Buffer.concat([
      toTarHeader({ path: 'shop/Chart.yaml', type: 'file', size: 512 }),
      Buffer.from(about.padEnd(512, '\n')),
      entry,
      tarEnd,
    ]),
  );
const flip = (bytes: Buffer) => {
  bytes[bytes.length >> 1]! ^= 0xff;
  return bytes;
};

const refused: Readonly<Record<string, readonly [archive: () => Buffer, ...codes: string[]]>> = {
  'a bomb': [() => packChart('shop', { 'Chart.yaml': about, bomb: Buffer.alloc(257 << 20) }), 'SVC-VAL-002'],
  'a Chart.yaml of 2 MiB': [() => chart(`${about}x: ${'x'.repeat(2 << 20)}\n`), 'SVC-VAL-002'],
  'twenty thousand embedded charts': [() => chart(about, many(20_000)), 'SVC-VAL-002'],
  'aliases that stand for gigabytes, where anything is allowed': [
    () =>
      chart(`${about}${nested(8)}dependencies: [{name: a, version: 1.0.0, import-values: [*l7]}]\n`, {
        'charts/a/Chart.yaml': 'name: a\n',
      }),
    'SVC-VAL-002',
  ],
  'aliases that stand for a long list': [
    () => chart(`${about}x: &x ${'x'.repeat(900_000)}\nsources: [${Array(90).fill('*x').join(', ')}]\n`),
    'SVC-VAL-002',
  ],
  'more aliases than a person writes': [
    () => chart(`${about}x: &x y\nsources: [${Array(101).fill('*x').join(', ')}]\n`),
    'SVC-SIG-003',
  ],
  'a document nested a thousand deep': [() => chart(`${about}x: ${'['.repeat(1000)}`), 'SVC-SIG-003'],
  'a tag of another language': [() => chart(`${about}x: !!python/object:os.system {}\n`), 'SVC-SIG-003'],
  'no UTF-8': [() => packChart('shop', { 'Chart.yaml': Buffer.from([0xff, 0xfe, 0x00]) }), 'SVC-SIG-003'],
  'a list instead of a map': [() => chart('- name: shop\n'), 'SVC-SIG-003'],
  'no Chart.yaml': [() => packChart('shop', { 'values.yaml': 'a: 1\n' }), 'SVC-SIG-003'],
  'a link in place of Chart.yaml': [
    () => gzipSync(Buffer.concat([header('shop/Chart.yaml', 'link', '/etc/hostname'), tarEnd])),
    'SVC-SIG-003',
  ],
  'a second Chart.yaml that counts': [
    () => {
      const second = Buffer.alloc(512);
      second.write('name: other\nversion: 1.0.0\n#');
      second.fill('x', 29);
      const path = 'shop/Chart.yaml';
      return gzipSync(
        Buffer.concat([
          toTarHeader({ path, type: 'file', size: 512 }),
          Buffer.from(about.padEnd(512, '\n')),
          toTarHeader({ path, type: 'file', size: 512 }),
          second,
          tarEnd,
        ]),
      );
    },
    'SVC-SIG-003',
  ],
  'a name and a version of other types': [() => chart('name: [shop]\nversion: {a: 1}\n'), 'SVC-SIG-003'],
  'a damaged compression': [() => flip(chart(about)), 'SVC-SIG-003'],
  'a compression that is cut off': [() => chart(about).subarray(0, -20), 'SVC-SIG-003'],
  'an archive that is cut off': [
    () => gzipSync(toTarHeader({ path: 'shop/Chart.yaml', type: 'file', size: 5000 })),
    'SVC-SIG-003',
  ],
  'an entry that says to be of petabytes': [
    () => gzipSync(toTarHeader({ path: 'shop/Chart.yaml', type: 'file', size: 2 ** 50 })),
    'SVC-SIG-003',
    'SVC-VAL-002',
  ],
  ...Object.fromEntries(
    Object.entries({
      'an entry above the chart': header('shop/../../x', 'file'),
      'an absolute entry': header('/tmp/absolute', 'file'),
      'an entry that is absolute in the chart': header('shop//tmp/absolute', 'file'),
      'an entry with a drive letter': header('shop/C:/x', 'file'),
      'an entry with a backslash': header('shop\\templates\\a.yaml', 'file'),
      'a link beside the documents': header('shop/LICENSE', 'link', '../../../etc/passwd'),
      'two names that differ only in case': header('shop/CHART.yaml', 'file'),
    }).map(([name, entry]) => [name, [() => withEntry(entry), 'SVC-SIG-003'] as const]),
  ),
  'an embedded archive with an entry above its chart': [
    () => packChart('shop', { 'Chart.yaml': about, 'charts/a.tgz': withEntry(header('a/../../x', 'file')) }),
    'SVC-SIG-003',
  ],
  'no archive but a page': [() => Buffer.from('<!doctype html><p>Sign in'), 'SVC-REG-002'],
  nothing: [() => Buffer.alloc(0), 'SVC-SIG-003'],
};

test('each hostile archive is refused by its code, kept nowhere and bounded in time', async (t) => {
  await using server = await openChartServer();
  await using world = await openImportScene();
  const reference = `${server.base}/shop:1.0.0`;
  server.list([{ name: 'shop', version: '1.0.0', archive: packSimpleChart('shop', '1.0.0') }]);
  const { digest } = await world.inspect(reference);
  for (const [name, [archive, ...codes]] of Object.entries(refused)) {
    await t.test(name, async () => {
      server.list([{ name: 'shop', version: '1.0.0', archive: archive() }]);
      const started = performance.now();
      for (const attempt of [
        () => world.inspect(reference),
        () => world.run({ reference, platforms: [{ name: 'any', digest }], vendorDependencies: true }),
      ])
        await assert.rejects(attempt(), (error: unknown) => {
          assert.ok(isSvcError(error) && codes.includes(error.code), String((error as Error).stack));
          return true;
        });
      assert.ok(performance.now() - started < 20_000);
      assert.deepEqual(world.store.index.repositories(), []);
    });
  }
});

test('versions and names that would be paths are refused before anything is fetched by them', async () => {
  await using server = await openChartServer();
  await using world = await openImportScene();
  for (const version of ['1.0.0/../../x', '1.0.0 x', '-1', '1.0.0%2f']) {
    server.list([
      { name: 'shop', version: JSON.stringify(version), archive: packSimpleChart('shop', '1.0.0') },
    ]);
    const asked = server.web.count(/tgz/);
    await assert.rejects(
      world.inspect(`${server.base}/shop:${version}`),
      (error: unknown) =>
        isSvcError(error, 'SVC-REG-001') ||
        isSvcError(error, 'SVC-REG-005') ||
        isSvcError(error, 'SVC-REG-009'),
      version,
    );
    assert.equal(server.web.count(/tgz/), asked);
  }
  for (const name of ['../../evil', 'a/b', '.', '..', 'a b']) {
    const archive = packSimpleChart('parent', '1.0.0', {
      dependencies: [{ name, version: '1.0.0', repository: server.base }],
    });
    server.list([{ name: 'parent', version: '1.0.0', archive }]);
    const { reference, digest } = await world.inspect(`${server.base}/parent`);
    const asked = server.web.requests.length;
    await assert.rejects(
      world.run({ reference, platforms: [{ name: 'any', digest }], vendorDependencies: true }),
      (error: unknown) => isSvcError(error, 'SVC-SIG-003'),
      name,
    );
    assert.ok(server.web.requests.slice(asked).every(({ path }) => !path.includes('evil')));
  }
});
