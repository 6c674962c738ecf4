import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { hashBytes } from '../../src/base/digest.ts';
import { vendoredAnnotation } from '../../src/chart/chart-artifact.ts';
import { readChartDependencies } from '../../src/chart/embedded-dependencies.ts';
import type { AskedImport } from '../../src/operation/import-artifact.ts';
import { openBlob } from '../../src/store/open-blob.ts';
import { readStoredManifest } from '../../src/store/read-stored-manifest.ts';
import { isSvcError } from '../../src/text/error.ts';
import { sayDetail } from '../../src/text/message.ts';
import { openChartServer } from '../kit/content/chart-server.ts';
import { buildHelmChart, packSimpleChart } from '../kit/content/helm-chart.ts';
import { toOrigin } from '../kit/content/origin.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { type ImportScene, openImportScene } from '../kit/scene/import-scene.ts';

const isCode =
  (code: Parameters<typeof isSvcError>[1], params: Record<string, unknown> = {}) =>
  (error: unknown) => {
    assert.ok(isSvcError(error, code), String((error as Error).stack));
    for (const [name, value] of Object.entries(params)) assert.deepEqual(error.params[name], value, name);
    return true;
  };

async function manifestOf({ store }: ImportScene, repository: string, tag: string) {
  const digest = store.index.tag(repository, tag)?.digest;
  assert.ok(digest, `${repository}:${tag} is not there`);
  const { bytes } = (await readStoredManifest(store, digest))!;
  return JSON.parse(bytes.toString());
}

test('a chart of a classic repository is imported as inspected, with the same digest each time', async () => {
  await using server = await openChartServer();
  await using world = await openImportScene({ storage: { basePrefix: 'mirror' } });
  const archive = packSimpleChart('shop', '1.3.0', {
    more: 'description: A <shop> & more\nhome: https://shop.example\n',
  });
  const signed = Buffer.from('-----BEGIN PGP SIGNED MESSAGE-----\n');
  server.list([
    { name: 'shop', version: '1.2.0', archive: packSimpleChart('shop', '1.2.0') },
    { name: 'shop', version: '1.3.0', archive },
    { name: 'shop', version: '2.0.0-rc.1', archive: packSimpleChart('shop', '2.0.0-rc.1') },
    { name: 'shopping', version: '9.0.0', archive: packSimpleChart('shopping', '9.0.0') },
  ]);
  server.files.set('/charts/shop-1.3.0.tgz.prov', signed);
  const head = world.store.head;
  const inspection = await world.inspect(`${server.base}/shop`);
  const repository = `mirror/${server.host.replace(':', '_')}/charts/shop`;
  assert.equal(inspection.reference, `${server.base}/shop:1.3.0`, 'the highest release');
  assert.equal(inspection.repository, repository);
  assert.equal(inspection.tag, '1.3.0');
  assert.equal(inspection.kind, 'HelmChart');
  assert.deepEqual(inspection.dependencies, []);
  assert.deepEqual(inspection.signatures, [{ layout: 'provenance', digest: hashBytes(signed) }]);
  assert.equal(inspection.platforms[0]!.status, 'new');
  assert.equal(world.store.head, head, 'nothing was written');

  const { task } = await world.run({
    reference: inspection.reference,
    platforms: [{ name: 'any', digest: inspection.digest }],
  });
  assert.equal(task.items[0]!.status, 'done');
  assert.equal(world.store.index.tag(repository, '1.3.0')!.digest, inspection.digest);
  assert.equal(world.store.index.tag(repository, '1.3.0')!.kind, 'HelmChart');
  const manifest = await manifestOf(world, repository, '1.3.0');
  assert.deepEqual(manifest.annotations, {
    'org.opencontainers.image.description': 'A <shop> & more',
    'org.opencontainers.image.title': 'shop',
    'org.opencontainers.image.url': 'https://shop.example',
    'org.opencontainers.image.version': '1.3.0',
  });
  assert.deepEqual(
    manifest.layers.map(({ digest }: { digest: string }) => digest),
    [hashBytes(archive), hashBytes(signed)].sort(),
  );
  assert.deepEqual(await world.readBlob(hashBytes(archive)), archive);
  assert.deepEqual(await world.readBlob(hashBytes(signed)), signed);

  const asked = server.web.count(/GET .*tgz$/);
  const again = await world.take(`${server.base}/shop:~1.3`);
  assert.equal(again.inspection.digest, inspection.digest);
  assert.equal(again.inspection.platforms[0]!.status, 'up-to-date');
  assert.equal(again.task.progress.bytesDone, 0);
  assert.equal(
    server.web.count(/GET .*tgz$/),
    asked + 1,
    'the inspection reads the archive, the import has it',
  );
  await using other = await openImportScene();
  assert.equal((await other.inspect(`${server.base}/shop:1.3.0`)).digest, inspection.digest);
});

test('versions are chosen as they are asked for, and build metadata has a tag', async () => {
  await using server = await openChartServer();
  await using world = await openImportScene();
  const versions = ['1.2.0', '1.10.0', '1.9.9', '2.0.0-rc.1', '1.3.0+build.7'];
  server.list(
    versions.map((version) => ({ name: 'shop', version, archive: packSimpleChart('shop', version) })),
  );
  const select = async (wanted: string) =>
    (await world.inspect(`${server.base}/shop${wanted}`)).reference.split(':').at(-1);
  assert.equal(await select(''), '1.10.0');
  assert.equal(await select(':^1.2, !=1.10.0'), '1.9.9');
  assert.equal(await select(':2.0.0-rc.1'), '2.0.0-rc.1');
  assert.equal(await select(':>=2.0.0-0'), '2.0.0-rc.1');
  const { inspection } = await world.take(`${server.base}/shop:1.3.0+build.7`);
  assert.equal(inspection.tag, '1.3.0_build.7');
  await assert.rejects(
    world.inspect(`${server.base}/shop:3.x`),
    isCode('SVC-REG-006', { constraint: '3.x' }),
  );
  await assert.rejects(world.inspect(`${server.base}/shop:9.9.9`), isCode('SVC-REG-006'));
  await assert.rejects(world.inspect(`${server.base}/shop:>`), isCode('SVC-REG-001'));
  await assert.rejects(world.inspect(`${server.base}/absent`), isCode('SVC-REG-005'));
  await assert.rejects(world.inspect(`${server.base}/other/shop`), isCode('SVC-REG-005'));
});

test('a chart that is not what was listed or inspected is refused and has no tag', async () => {
  await using server = await openChartServer();
  await using world = await openImportScene();
  const archive = packSimpleChart('shop', '1.0.0');
  const list = (more: object) => server.list([{ name: 'shop', version: '1.0.0', archive, ...more }]);
  const reference = `${server.base}/shop:1.0.0`;
  list({});
  const { digest } = await world.inspect(reference);
  const platforms = [{ name: 'any', digest }];
  for (const [name, change, code] of [
    ['another digest in the index', { digest: 'a'.repeat(64) }, 'SVC-SIG-002'],
    ['another chart', { archive: packSimpleChart('other', '1.0.0') }, 'SVC-SIG-003'],
    ['another version', { archive: packSimpleChart('shop', '1.0.1') }, 'SVC-SIG-003'],
    ['no archive at all', { archive: Buffer.from('no archive') }, 'SVC-SIG-003'],
    ['a page', { archive: Buffer.from('<html>') }, 'SVC-REG-002'],
    ['an empty one', { archive: Buffer.alloc(0) }, 'SVC-SIG-003'],
  ] as const) {
    list(change);
    await assert.rejects(world.inspect(reference), isCode(code), name);
    await assert.rejects(world.run({ reference, platforms }), isCode(code), name);
  }
  // changed since, and the index agrees with it
  list({ archive: packSimpleChart('shop', '1.0.0', { more: 'description: changed\n' }) });
  await assert.rejects(world.run({ reference, platforms }), isCode('SVC-SIG-002', { expected: digest }));
  assert.deepEqual(world.store.index.repositories(), []);
  list({ digest: '' });
  await world.run({ reference, platforms });
});

test('an archive on another host is fetched when that host is listed, and with its own credentials only', async () => {
  await using server = await openChartServer();
  await using elsewhere = await openChartServer();
  const archive = packSimpleChart('shop', '1.0.0');
  elsewhere.files.set('/files/shop.tgz', archive);
  server.list([{ name: 'shop', version: '1.0.0', archive, url: `${elsewhere.web.origin}/files/shop.tgz` }]);
  const reference = `${server.base}/shop:1.0.0`;
  await using narrow = await openImportScene({ registries: { allowlist: [server.host] } });
  await assert.rejects(
    narrow.inspect(reference),
    isCode('SVC-POL-001', { host: elsewhere.host, hop: `chart URL of ${server.host}` }),
  );
  assert.equal(elsewhere.web.requests.length, 0);
  await using wide = await openImportScene({ registries: { allowlist: [server.host, elsewhere.host] } });
  await wide.take(reference);
  assert.ok(elsewhere.web.requests.every(({ headers }) => headers.authorization === undefined));
});

test('http, user information and a query are refused; so are an index and an archive that are too large', async () => {
  await using server = await openChartServer();
  await using world = await openImportScene();
  for (const bad of [
    `http://${server.host}/charts/shop`,
    `https://user:word@${server.host}/charts/shop`,
    `${server.base}/shop:`,
    `${server.base}/`,
    `${server.base}/?a=/shop`,
    'https://shop',
  ])
    await assert.rejects(world.inspect(bad), isCode('SVC-REG-001'), bad);
  await assert.rejects(world.inspect(`${server.base}/Shop`), isCode('SVC-DST-001'));

  const announce = (path: RegExp, size: number) =>
    server.web.intercept((request, response) => {
      if (!path.test(request.path)) return false;
      response.writeHead(200, { 'content-length': size });
      response.flushHeaders();
      return true;
    });
  server.list([{ name: 'shop', version: '1.0.0', archive: packSimpleChart('shop', '1.0.0') }]);
  for (const [path, limit] of [
    [/index\.yaml/, 32 << 20],
    [/\.tgz$/, 256 << 20],
  ] as const) {
    const end = announce(path, limit + 1);
    await assert.rejects(world.inspect(`${server.base}/shop`), isCode('SVC-VAL-002', { limit }));
    end();
  }
  // and one that says nothing of its size
  server.web.intercept((request, response) => {
    if (!/index\.yaml/.test(request.path)) return false;
    response.writeHead(200);
    const chunk = Buffer.alloc(1 << 20, ' ');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      response.once('drain', more);
    };
    more();
    return true;
  });
  await assert.rejects(world.inspect(`${server.base}/shop`), isCode('SVC-VAL-002', { limit: 32 << 20 }));
});

test('a repository that never answers, or trickles, is given up in time', async () => {
  await using server = await openChartServer();
  await using world = await openImportScene({ import: { inspectTimeout: 300 } });
  server.list([{ name: 'shop', version: '1.0.0', archive: packSimpleChart('shop', '1.0.0') }]);
  for (const path of [/index\.yaml/, /tgz$/, /prov$/]) {
    const end = server.web.intercept((request, response) => {
      if (!path.test(request.path)) return false;
      response.writeHead(200, { 'content-length': 1000 });
      response.write('a');
      return true;
    });
    await assert.rejects(
      world.inspect(`${server.base}/shop`),
      isCode('SVC-REG-004', { host: server.host, timeout: '300ms', setting: 'import.inspectTimeout' }),
    );
    end();
  }
});

test('refusals of a repository have their codes, and a forbidden provenance file is reported as absent', async () => {
  await using server = await openChartServer();
  await using world = await openImportScene();
  server.list([{ name: 'shop', version: '1.0.0', archive: packSimpleChart('shop', '1.0.0') }]);
  const reference = `${server.base}/shop`;
  for (const path of [/index/, /tgz$/])
    for (const [status, code] of [
      [401, 'SVC-REG-003'],
      [403, 'SVC-REG-003'],
      [404, 'SVC-REG-005'],
      [502, 'SVC-REG-002'],
    ] as const) {
      server.web.failNext(path, status);
      await assert.rejects(world.inspect(reference), isCode(code), `${path} ${status}`);
    }
  server.web.cutNext(/tgz$/, 100);
  await assert.rejects(world.inspect(reference), isCode('SVC-REG-007'));
  server.web.failNext(/prov$/, 403);
  const { signatures } = await world.inspect(reference);
  assert.deepEqual(signatures, []);
  assert.ok(world.scene.report.records.some(({ message }) => /provenance/.test(message)));
  server.web.failNext(/prov$/, 500);
  await assert.rejects(world.inspect(reference), isCode('SVC-REG-002'), 'unreachable is not unsigned');
});

const parent = (repository: string, version = '^1.0') =>
  packSimpleChart('parent', '1.0.0', { dependencies: [{ name: 'child', version, repository }] });

test('a dependency that is not embedded is reported, refused, and put in when that is asked for', async () => {
  await using server = await openChartServer();
  await using library = await openChartServer();
  await using world = await openImportScene();
  const child = packSimpleChart('child', '1.4.0');
  library.list([
    { name: 'child', version: '1.4.0', archive: child },
    { name: 'child', version: '2.0.0', archive: packSimpleChart('child', '2.0.0') },
  ]);
  const archive = parent(library.base);
  server.list([{ name: 'parent', version: '1.0.0', archive }]);
  server.files.set('/charts/parent-1.0.0.tgz.prov', Buffer.from('signed'));
  const reference = `${server.base}/parent`;
  const inspection = await world.inspect(reference);
  assert.deepEqual(inspection.dependencies, [
    { name: 'child', version: '^1.0', repository: library.base, embedded: false },
  ]);
  const request = { reference, platforms: [{ name: 'any', digest: inspection.digest }] };
  await assert.rejects(
    world.run(request),
    isCode('SVC-CHT-001', { chart: inspection.reference, dependency: 'child' }),
  );
  const { repository } = inspection;
  assert.equal(world.store.index.tag(repository, '1.0.0'), undefined);

  const { lines, task } = await world.run({ ...request, vendorDependencies: true });
  assert.equal(task.items[0]!.status, 'done');
  const manifest = await manifestOf(world, repository, '1.0.0');
  assert.equal(manifest.annotations['org.opencontainers.image.base.digest'], inspection.digest);
  assert.deepEqual(JSON.parse(manifest.annotations[vendoredAnnotation]), [
    { name: 'child', version: '1.4.0', repository: library.base, digest: hashBytes(child) },
  ]);
  assert.equal(manifest.layers.length, 1, 'the signature of the original does not fit any more');
  assert.match(lines.join(''), /vendored child 1\.4\.0 from https:.*child:1\.4\.0: sha256:/);
  const { file } = await openBlob(world.store, manifest.layers[0].digest);
  const { dependencies } = await readChartDependencies(file.createReadStream(), 'parent');
  assert.deepEqual(
    dependencies.map(({ name, embedded }) => [name, embedded]),
    [['child', true]],
  );
  const again = await world.inspect(reference);
  assert.equal(again.platforms[0]!.status, 'up-to-date', 'what is here was made of this');
  await using other = await openImportScene();
  await other.run({ ...request, vendorDependencies: true });
  assert.equal(
    other.store.index.tag(repository, '1.0.0')?.digest,
    world.store.index.tag(repository, '1.0.0')?.digest,
    'the same chart and dependencies give the same artifact',
  );
});

test('each range and alias of a dependency is put in, by the ranges that helm reads, and one archive serves several', async () => {
  await using server = await openChartServer();
  await using world = await openImportScene();
  const versions = ['v1.14.0', '16.2.0', '17.3.0', '18.0.1', '19.0.0'];
  server.list(
    versions.map((version) => ({ name: 'redis', version, archive: packSimpleChart('redis', version) })),
  );
  const wanted = [
    ['^16 || ^17', 'cache'],
    ['>= 17.0.0, < 18', 'queue'],
    ['17 - 18', 'session'],
    ['1.14.0', 'old'],
  ] as const;
  const dependencies = wanted.map(([version, alias]) => ({
    name: 'redis',
    version,
    alias,
    repository: server.base,
  }));
  const archive = packSimpleChart('web', '1.0.0', {
    more: `dependencies: ${JSON.stringify(dependencies)}\n`,
    files: { 'charts/redis.tgz': packSimpleChart('redis', '17.3.0') },
  });
  server.list([
    ...versions.map((version) => ({ name: 'redis', version, archive: packSimpleChart('redis', version) })),
    { name: 'web', version: '1.0.0', archive },
  ]);
  const reference = `${server.base}/web`;
  const inspection = await world.inspect(reference);
  assert.deepEqual(
    inspection.dependencies?.map(({ alias, embedded }) => [alias, embedded]),
    [
      ['cache', true],
      ['queue', true],
      ['session', true],
      ['old', false],
    ],
  );
  const request = { reference, platforms: [{ name: 'any', digest: inspection.digest }] };
  await assert.rejects(world.run(request), isCode('SVC-CHT-001', { dependency: 'redis as old' }));
  await world.run({ ...request, vendorDependencies: true });
  const manifest = await manifestOf(world, inspection.repository, '1.0.0');
  const put = JSON.parse(manifest.annotations[vendoredAnnotation]);
  assert.deepEqual(
    put.map(({ version }: { version: string }) => version),
    ['v1.14.0'],
  );

  const bare = packSimpleChart('bare', '1.0.0', { more: `dependencies: ${JSON.stringify(dependencies)}\n` });
  server.list([
    ...versions.map((version) => ({ name: 'redis', version, archive: packSimpleChart('redis', version) })),
    { name: 'bare', version: '1.0.0', archive: bare },
  ]);
  const { inspection: taken } = await world.take(`${server.base}/bare`, { vendorDependencies: true });
  const filled = await manifestOf(world, taken.repository, '1.0.0');
  assert.deepEqual(
    JSON.parse(filled.annotations[vendoredAnnotation]).map(({ version }: { version: string }) => version),
    ['17.3.0', '18.0.1', 'v1.14.0'],
  );
});

test('an index that its server always sends gzipped is read, within the limit of an index', async () => {
  await using server = await openChartServer();
  await using world = await openImportScene();
  server.list([{ name: 'shop', version: '1.0.0', archive: packSimpleChart('shop', '1.0.0') }]);
  const send = (bytes: Buffer) =>
    server.web.intercept(({ path }, response) => {
      if (!path.endsWith('/index.yaml')) return false;
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bytes.length }).end(bytes);
      return true;
    });
  const remove = send(gzipSync(server.files.get('/charts/index.yaml')!));
  const { inspection } = await world.take(`${server.base}/shop`);
  assert.equal(inspection.reference, `${server.base}/shop:1.0.0`);
  remove();
  const bomb = send(gzipSync(Buffer.alloc(33 << 20)));
  await assert.rejects(world.inspect(`${server.base}/shop`), isCode('SVC-VAL-002', { limit: 32 << 20 }));
  bomb();
  send(Buffer.from('entries: {}'));
  await assert.rejects(world.inspect(`${server.base}/shop`), isCode('SVC-REG-007'));
});

test('a chart in a registry is held to the same, and its dependencies may lie in a registry too', async () => {
  await using world = await openImportScene();
  const origin = toOrigin(world.scene.origin);
  await origin.put('lib/child', buildHelmChart('child', '1.4.0+b.1'), '1.4.0_b.1');
  const chart = buildHelmChart('parent', '1.0.0', {
    dependencies: [{ name: 'child', version: '1.4', repository: `oci://${origin.host}/lib` }],
  });
  await origin.put('charts/parent', chart, '1.0.0');
  world.scene.pushSignature('charts/parent', world.scene.signer.sign(chart.manifest.descriptor, 'classic'));
  const reference = `oci://${origin.host}/charts/parent:1.0.0`;
  const inspection = await world.inspect(reference);
  assert.equal(inspection.dependencies?.[0]?.embedded, false);
  const request: AskedImport = {
    reference,
    platforms: [{ name: 'any', digest: inspection.digest }],
    vendorDependencies: false,
  };
  await assert.rejects(world.run(request), isCode('SVC-CHT-001'));
  await world.run({ ...request, vendorDependencies: true });
  const manifest = await manifestOf(world, inspection.repository, '1.0.0');
  assert.equal(JSON.parse(manifest.annotations[vendoredAnnotation])[0].version, '1.4.0+b.1');
  assert.equal(world.store.index.tag(inspection.repository, '1.0.0')?.kind, 'HelmChart');

  await origin.put('charts/whole', buildHelmChart('whole', '1.0.0'), '1.0.0');
  const whole = await world.take(`${origin.host}/charts/whole:1.0.0`, { vendorDependencies: true });
  assert.equal(
    world.store.index.tag(whole.inspection.repository, '1.0.0')?.digest,
    whole.inspection.digest,
    'nothing to put in: it stays what it is',
  );
});

test('a chart in a registry with unsafe names in its archive is carried, and the task and the log say so', async () => {
  await using world = await openImportScene();
  const origin = toOrigin(world.scene.origin);
  const unsafe = buildHelmChart('unsafe', '1.0.0', { files: { '../../outside': 'x' } });
  await origin.put('charts/unsafe', unsafe, '1.0.0');
  const { lines, inspection } = await world.take(`${origin.host}/charts/unsafe:1.0.0`);
  const found = 'found an entry that leads out of the chart: unsafe/../../outside';
  assert.ok(
    lines.some((line) => line.includes(`SVC-SIG-003: expected a Helm chart archive, ${found}`)),
    lines.join('\n'),
  );
  const warned = world.scene.report.records.filter(({ level }) => level === 'warn');
  assert.deepEqual(
    warned.map(({ message }) => message),
    ['A chart has unsafe entries in its archive'],
  );
  assert.ok(world.store.index.tag(inspection.repository, '1.0.0'));
});

test('a dependency that cannot be had, or is not one, ends the import by its name', async () => {
  await using server = await openChartServer();
  await using library = await openChartServer();
  await using world = await openImportScene({ registries: { allowlist: [server.host, library.host] } });
  const attempt = async (archive: Buffer): Promise<void> => {
    server.list([{ name: 'parent', version: '1.0.0', archive }]);
    const reference = `${server.base}/parent`;
    const { digest } = await world.inspect(reference);
    await world.run({ reference, platforms: [{ name: 'any', digest }], vendorDependencies: true });
  };
  for (const repository of ['', 'file://../child', '@stable', 'alias:stable', 'http://a.test/charts'])
    await assert.rejects(
      attempt(parent(repository)),
      isCode('SVC-CHT-001', { dependency: 'child' }),
      repository,
    );
  // plain HTTP is an address all the same, and the sentence says why it is not taken
  const plain = await attempt(parent('http://a.test/charts')).catch((error: unknown) => error);
  assert.ok(isSvcError(plain, 'SVC-CHT-001'));
  assert.match(
    plain.detail ?? '',
    /^its repository \(http:\/\/a\.test\/charts\) has an http URL, .*https only/,
  );
  assert.match(sayDetail(plain, 'fr')!, /^son dépôt \(\S+\) a une URL http, .* qu’en https/);
  const strange = await attempt(parent('file://../child')).catch((error: unknown) => error);
  assert.ok(isSvcError(strange, 'SVC-CHT-001'));
  assert.match(sayDetail(strange, 'fr')!, /n’est pas une URL https ou oci$/);
  await assert.rejects(attempt(parent('https://off.example/charts')), isCode('SVC-POL-001'));
  await assert.rejects(attempt(parent('oci://off.example/charts')), isCode('SVC-POL-001'));
  await assert.rejects(attempt(parent(library.base)), isCode('SVC-REG-005'));
  const listed = (archive: Buffer, more = {}) =>
    library.list([{ name: 'child', version: '1.0.0', archive, ...more }]);
  listed(packSimpleChart('child', '1.0.0'));
  await assert.rejects(attempt(parent(library.base, '^2')), isCode('SVC-REG-006'));
  listed(packSimpleChart('impostor', '1.0.0'));
  await assert.rejects(attempt(parent(library.base)), isCode('SVC-SIG-003'));
  // within the range, and not the version in the index
  listed(packSimpleChart('child', '1.0.5'));
  await assert.rejects(attempt(parent(library.base)), isCode('SVC-SIG-003', { expected: 'child 1.0.0' }));
  listed(packSimpleChart('child', '1.0.0'), { digest: `sha512:${'b'.repeat(128)}` });
  await assert.rejects(attempt(parent(library.base)), isCode('SVC-REG-009'));
  listed(packSimpleChart('child', '1.0.0'), { digest: 'b'.repeat(64) });
  await assert.rejects(attempt(parent(library.base)), isCode('SVC-SIG-002'));
  const lacking = packSimpleChart('child', '1.0.0', {
    dependencies: [{ name: 'grandchild', version: '1', repository: library.base }],
  });
  listed(lacking);
  await assert.rejects(attempt(parent(library.base)), isCode('SVC-CHT-001', { dependency: 'grandchild' }));
  assert.deepEqual(world.store.index.repositories(), []);
});

test('an interrupted import of a chart is taken up again, and its archive does not come twice', async () => {
  await using server = await openChartServer();
  await using world = await openImportScene();
  const archive = packSimpleChart('shop', '1.0.0');
  server.list([{ name: 'shop', version: '1.0.0', archive }]);
  const reference = `${server.base}/shop:1.0.0`;
  const { digest, repository } = await world.inspect(reference);
  const platforms = [{ name: 'any', digest }];
  const stop = new AbortController();
  const end = server.web.intercept(({ path }) => {
    if (!path.endsWith('.prov')) return false;
    stop.abort();
    return true;
  });
  await assert.rejects(world.run({ reference, platforms }, { signal: stop.signal }));
  end();
  assert.equal(world.store.index.tag(repository, '1.0.0'), undefined);
  const asked = server.web.count(/tgz$/);
  await world.run({ reference, platforms });
  assert.equal(server.web.count(/tgz$/), asked);
  assert.equal(world.store.index.tag(repository, '1.0.0')?.digest, digest);
});

test('a repository that asks for a password gets that of its own host', async () => {
  await using folder = await openTempFolder();
  await using server = await openChartServer();
  await using elsewhere = await openChartServer();
  const archive = packSimpleChart('shop', '1.0.0');
  elsewhere.files.set('/shop.tgz', archive);
  server.list([{ name: 'shop', version: '1.0.0', archive, url: `${elsewhere.web.origin}/shop.tgz` }]);
  const expected = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  server.web.intercept(({ headers }, response) => {
    if (headers.authorization === expected) return false;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="charts"' }).end();
    return true;
  });
  const path = join(folder.path, 'docker.json');
  const auth = Buffer.from('me:secret').toString('base64');
  await writeFile(path, JSON.stringify({ auths: { [server.host]: { auth } } }), { mode: 0o600 });
  await using world = await openImportScene({ registries: { credentialsFile: path } });
  await world.take(`${server.base}/shop`);
  assert.ok(elsewhere.web.requests.length > 0);
  assert.ok(elsewhere.web.requests.every(({ headers }) => headers.authorization === undefined));
});
