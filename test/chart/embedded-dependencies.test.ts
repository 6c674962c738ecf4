import assert from 'node:assert/strict';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { create, Header } from 'tar';
import { readChartDependencies } from '../../src/chart/embedded-dependencies.ts';
import { isSvcError } from '../../src/text/error.ts';
import { packSimpleChart } from '../kit/content/helm-chart.ts';
import { toArchive } from '../kit/content/tar-archive.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

/** Packs a chart of these files and reads its dependencies. */
async function read(files: Readonly<Record<string, string | Buffer>>, prefix = 'web') {
  await using folder = await openTempFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder.path, prefix, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const archive = join(folder.path, 'chart.tgz');
  await create({ gzip: true, file: archive, cwd: folder.path }, [prefix]);
  return await readChartDependencies(createReadStream(archive), 'web');
}

const declaring = (...names: string[]) =>
  `apiVersion: v2\nname: web\nversion: 1.10\ndependencies:\n${names.map((name) => `  - {name: ${name}, version: ^1, repository: "https://charts.example"}\n`).join('')}`;
const isRefused = (error: unknown) => isSvcError(error, 'SVC-SIG-003');

/** An archive with one file of so many MiB. */
function* toBomb(mebibytes: number): Generator<Buffer> {
  const head = Buffer.alloc(512);
  const size = mebibytes * 1_048_576;
  new Header({ path: 'web/big', size, type: 'File', mode: 0o644, mtime: new Date(0) }).encode(head);
  yield head;
  const zeros = Buffer.alloc(1_048_576);
  for (let i = 0; i < mebibytes; i += 1) yield zeros;
}

test('a chart without dependencies has none', async () => {
  const found = await read({ 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n' });
  const { folder, name, version, dependencies } = found;
  assert.deepEqual(
    { folder, name, version, dependencies },
    { folder: 'web', name: 'web', version: '1.0.0', dependencies: [] },
  );
});

test('declared dependencies are found embedded as folders and as archives', async () => {
  const { dependencies, version } = await read({
    'Chart.yaml': declaring('redis', 'postgres', 'postgres-ha', 'kafka'),
    'charts/renamed/Chart.yaml': 'name: redis\nversion: 1.0.0\n',
    'charts/renamed/charts/kafka/Chart.yaml': 'name: kafka\nversion: 1.0.0\n',
    'charts/postgres-ha-1.2.3.tgz': packSimpleChart('postgres-ha', '1.2.3'),
  });
  assert.equal(version, '1.10');
  assert.deepEqual(
    dependencies.map(({ name, embedded }) => [name, embedded]),
    [
      ['redis', true],
      ['postgres', false],
      ['postgres-ha', true],
      ['kafka', false],
    ],
  );
  assert.deepEqual(dependencies[0], {
    name: 'redis',
    version: '^1',
    repository: 'https://charts.example',
    embedded: true,
  });
});

test('requirements.yaml of older charts counts too, each name once', async () => {
  const { dependencies } = await read({
    'Chart.yaml': declaring('redis'),
    'requirements.yaml': 'dependencies:\n  - name: redis\n  - name: minio\n    version: 1\n',
    'charts/minio/Chart.yaml': 'name: minio\n',
  });
  assert.deepEqual(
    dependencies.map(({ name, embedded }) => [name, embedded]),
    [
      ['redis', false],
      ['minio', true],
    ],
  );
});

test('an embedded archive is known by the chart in it, not by the name of its file', async () => {
  const { dependencies } = await read({
    'Chart.yaml': declaring('redis', 'postgres', 'broken', 'other'),
    'charts/redis.tgz': packSimpleChart('redis', '1.4.0'),
    'charts/postgres-1.0.0.tgz': packSimpleChart('kafka', '1.0.0'),
    'charts/broken-1.0.0.tgz': 'an archive',
    'charts/other-1.0.0.tgz': packSimpleChart('other', '1.0.0').subarray(0, -30),
  });
  assert.deepEqual(
    dependencies.map(({ name, embedded }) => [name, embedded]),
    [
      ['redis', true],
      ['postgres', false],
      ['broken', false],
      ['other', false],
    ],
  );
});

test('an aliased dependency is a dependency of its own, with its own range', async () => {
  const declared = (...items: (readonly [version: string, alias?: string])[]) =>
    `apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: ${JSON.stringify(items.map(([version, alias]) => ({ name: 'redis', version, alias, repository: 'https://charts.example' })))}\n`;
  const redis = (version: string) => ({ [`charts/redis-${version}.tgz`]: packSimpleChart('redis', version) });
  const found = async (text: string, files: Record<string, Buffer>) =>
    (await read({ 'Chart.yaml': text, ...files })).dependencies.map(
      ({ alias, version, embedded }) => [alias, version, embedded] as const,
    );
  const two = declared(['^17', 'cache'], ['^18', 'session']);
  assert.deepEqual(await found(two, redis('17.3.0')), [
    ['cache', '^17', true],
    ['session', '^18', false],
  ]);
  assert.deepEqual(await found(two, { ...redis('17.3.0'), ...redis('18.0.1') }), [
    ['cache', '^17', true],
    ['session', '^18', true],
  ]);
  // without an alias helm renders the one of its name as it is, unless another dependency has taken it
  assert.deepEqual(await found(declared(['^18']), redis('17.3.0')), [[undefined, '^18', true]]);
  assert.deepEqual(await found(declared(['^17', 'cache'], ['^18']), redis('17.3.0')), [
    ['cache', '^17', true],
    [undefined, '^18', false],
  ]);
});

test('what archives in a chart unpack to counts towards its limit', async () => {
  const bomb = gzipSync(Buffer.concat([...toBomb(257)]), { level: 1 });
  await assert.rejects(
    read({ 'Chart.yaml': declaring('a'), 'charts/a-1.0.0.tgz': bomb }),
    (error: unknown) => isSvcError(error, 'SVC-VAL-002') && error.params.limit === 268_435_456,
  );
  // an archive that was compressed twice is no archive: nothing unpacks it again
  await assert.rejects(
    readChartDependencies(Readable.from([gzipSync(packSimpleChart('web', '1.0.0'))]), 'web'),
    isRefused,
  );
});

test('what helm ignores in charts/ embeds nothing', async () => {
  const { dependencies } = await read({
    'Chart.yaml': declaring('a', 'b', 'c', 'd'),
    'charts/_a/Chart.yaml': 'name: a\n',
    'charts/.b-1.0.0.tgz': '',
    'charts/c/values.yaml': 'name: c\n',
    'templates/charts/d/Chart.yaml': 'name: d\n',
  });
  assert.deepEqual(
    dependencies.map(({ embedded }) => embedded),
    [false, false, false, false],
  );
});

test('a link never stands for a chart', async () => {
  await using folder = await openTempFolder();
  await mkdir(join(folder.path, 'web/charts/a'), { recursive: true });
  await writeFile(join(folder.path, 'web/Chart.yaml'), declaring('a'));
  await symlink('../../Chart.yaml', join(folder.path, 'web/charts/a/Chart.yaml'));
  await create({ gzip: true, file: join(folder.path, 'c.tgz'), cwd: folder.path }, ['web']);
  const { dependencies } = await readChartDependencies(createReadStream(join(folder.path, 'c.tgz')), 'web');
  assert.equal(dependencies[0]?.embedded, false);
});

test('what is no readable chart is refused', async () => {
  await assert.rejects(read({ 'values.yaml': 'a: b' }), isRefused);
  await assert.rejects(read({ 'Chart.yaml': 'a: [' }), isRefused);
  await assert.rejects(read({ 'Chart.yaml': '- a' }), isRefused);
  await assert.rejects(read({ 'Chart.yaml': 'name: web\ndependencies: [{version: "1"}]' }), isRefused);
  await assert.rejects(read({ 'Chart.yaml': 'name: web', 'charts/a/Chart.yaml': '{' }), isRefused);
  await assert.rejects(readChartDependencies(Readable.from([Buffer.from('no gzip')]), 'web'), isRefused);
  await assert.rejects(
    readChartDependencies(Readable.from([gzipSync('no tar at all, but long enough '.repeat(64))]), 'web'),
    isRefused,
  );
  await assert.rejects(
    readChartDependencies(Readable.from([gzipSync(Buffer.alloc(4096)).subarray(0, 20)]), 'web'),
    isRefused,
  );
});

test('a document over 1 MiB is refused before it is kept', async () => {
  await assert.rejects(read({ 'Chart.yaml': `a: ${'x'.repeat(1_048_576)}` }), (error: unknown) =>
    isSvcError(error, 'SVC-VAL-002'),
  );
});

test('a chart that unpacks to more than 256 MiB is refused while it unpacks', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'bomb.tgz');
  await pipeline(Readable.from(toBomb(300)), createGzip({ level: 1 }), createWriteStream(path));
  await assert.rejects(
    readChartDependencies(createReadStream(path), 'web'),
    (error: unknown) => isSvcError(error, 'SVC-VAL-002') && error.params.limit === 268_435_456,
  );
});

test('gzip within gzip is no chart, whatever it unpacks to: it is unpacked once', async () => {
  const whole = gzipSync(Buffer.alloc(64 << 20));
  let read = 0;
  const counted = async function* () {
    for (const part of [gzipSync(whole)]) {
      read += part.length;
      yield part;
    }
  };
  await assert.rejects(readChartDependencies(Readable.from(counted()), 'web'), isRefused);
  assert.ok(read < 1 << 20);
  await using folder = await openTempFolder();
  await mkdir(join(folder.path, 'web'));
  await writeFile(join(folder.path, 'web/Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
  const archive = join(folder.path, 'chart.tgz');
  await create({ gzip: true, file: archive, cwd: folder.path }, ['web']);
  const twice = gzipSync(await readFile(archive));
  await assert.rejects(readChartDependencies(Readable.from([twice]), 'web'), isRefused);
});

test('a failing source is its own error', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('disk gone'));
    },
  });
  await assert.rejects(readChartDependencies(broken, 'web'), /disk gone/);
});

test('a chart with large documents, or with thousands, does not hold the event loop', async () => {
  const slow = `name: web\nversion: 1.0.0\nx: [${'a,'.repeat(20_000)}]\n`;
  const embedded = Array.from({ length: 2000 }, (_, i): [string, string] => [
    `web/charts/c${i}/Chart.yaml`,
    `name: c${i}\nversion: 1.0.0\nkeywords: [${'a,'.repeat(100)}]\n`,
  ]);
  for (const files of [
    { 'web/Chart.yaml': slow },
    { 'web/Chart.yaml': 'name: web\n', ...Object.fromEntries(embedded) },
  ]) {
    const archive = gzipSync(toArchive(files));
    let turns = 0;
    let isOver = false;
    const reading = readChartDependencies(Readable.from([archive]), 'web').finally(() => (isOver = true));
    while (!isOver) {
      await pause(2);
      turns += 1;
    }
    assert.equal((await reading).name, 'web');
    assert.ok(turns > 20, `${turns} turns`);
  }
});
