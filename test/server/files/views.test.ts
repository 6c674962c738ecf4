import assert from 'node:assert/strict';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { GateRefusal } from '../../../src/base/gate-refusal.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { type Artifact, pushArtifact, toBlob, toManifest } from '../../kit/content/content.ts';
import { packSimpleChart } from '../../kit/content/helm-chart.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';
import { toPageText } from '../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

let folder: TempFolder;
let server: TestServer;
let refusal: GateRefusal | undefined;
const withheld = new Set<string>();
let mark = {};

before(async () => {
  folder = await openTempFolder();
  const gate = createOpenGate({ rehash: false });
  server = await startTestServer({
    folder: folder.path,
    gate: () => ({
      ...gate,
      guarded: true,
      get mark() {
        return mark;
      },
      refusal: () => refusal,
      allowsTag: (repository, tag) => !withheld.has(`${repository}:${tag}`),
    }),
    views: [
      { name: 'charts', kind: 'helm', repositories: ['charts.example/**'], anonymous: false },
      { name: 'open', kind: 'helm', repositories: ['charts.example/open/*'], anonymous: true },
      { name: 'port', kind: 'helm', repositories: ['charts.example_5000/**'], anonymous: true },
      { name: 'colon', kind: 'helm', repositories: ['charts.example:5000/**'], anonymous: true },
    ],
  });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

interface Spec {
  readonly config?: string;
  readonly created?: string;
  readonly provenance?: boolean;
  readonly more?: string;
}

function buildChart(name: string, version: string, spec: Spec = {}): Artifact {
  const config = toBlob(
    spec.config ?? JSON.stringify({ apiVersion: 'v2', name, version }),
    mediaTypes.helmConfig,
  );
  const archive = toBlob(packSimpleChart(name, version, { more: spec.more ?? '' }), mediaTypes.helmChart);
  const provenance = spec.provenance ? [toBlob(`prov of ${name}`, mediaTypes.helmProvenance)] : [];
  const layers = [archive, ...provenance];
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers: layers.map(({ descriptor }) => descriptor),
    ...(spec.created === undefined
      ? {}
      : { annotations: { 'org.opencontainers.image.created': spec.created } }),
  });
  return { manifest, children: [], blobs: [config, ...layers] };
}

const pushes: [string, string, Artifact, string | undefined][] = [];

async function push(
  repository: string,
  tag: string,
  chart: Artifact,
  recipe?: string,
  into = server,
): Promise<Artifact> {
  if (into === server) pushes.push([repository, tag, chart, recipe]);
  const owner =
    recipe === undefined
      ? ({ provenance: 'import' } as const)
      : ({ provenance: 'recipe', recipe, cookbook: 'registry.example/cookbook' } as const);
  await pushArtifact(openRepository(into.store, repository, { owner }), chart, tag);
  return chart;
}

const archiveOf = ({ blobs }: Artifact) =>
  blobs.find(({ descriptor }) => descriptor.mediaType === mediaTypes.helmChart)!;
const readIndex = async (view = 'charts') => {
  const response = await server.fetch(`/files/${view}/index.yaml`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return {
    response,
    text,
    entries: JSON.parse(text).entries as Record<
      string,
      { version: string; digest: string; urls: string[] }[]
    >,
  };
};
const readViews = async () =>
  ((await (await server.fetch('/api/v1/filesets')).json()) as any).views as {
    name: string;
    charts: number;
    leftOut: { repository: string; tag: string; reason: string }[];
  }[];

test('an index lists the charts of the globs, and serves what it lists', async () => {
  assert.deepEqual((await readIndex()).entries, {});
  const shop = await push(
    'charts.example/shop',
    '1.10.0_b.1',
    buildChart('shop', '1.10.0+b.1', { provenance: true }),
  );
  await push('charts.example/shop', '1.9.0', buildChart('shop', '1.9.0'));
  await push('charts.example/open/tool', '2.0.0', buildChart('tool', '2.0.0'));
  await push('elsewhere.example/hidden', '1.0.0', buildChart('hidden', '1.0.0'));
  const { entries, response, text } = await readIndex();
  assert.deepEqual(Object.keys(entries), ['shop', 'tool']);
  assert.deepEqual(
    entries.shop!.map(({ version }) => version),
    ['1.10.0+b.1', '1.9.0'],
  );
  assert.equal(response.headers.get('etag'), `"${hashBytes(Buffer.from(text))}"`);
  const etag = response.headers.get('etag')!;
  const unchanged = await server.fetch('/files/charts/index.yaml', { headers: { 'if-none-match': etag } });
  assert.equal(unchanged.status, 304);
  const part = await server.fetch('/files/charts/index.yaml', { headers: { range: 'bytes=2-12' } });
  assert.deepEqual([part.status, await part.text()], [206, text.slice(2, 13)]);
  const head = await server.fetch('/files/charts/index.yaml', { method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(text)));

  const archive = archiveOf(shop);
  for (const path of ['shop-1.10.0+b.1.tgz', 'shop-1.10.0%2Bb.1.tgz']) {
    const file = await server.fetch(`/files/charts/${path}`);
    assert.equal(file.headers.get('etag'), `"${archive.descriptor.digest}"`);
    assert.ok(Buffer.from(await file.arrayBuffer()).equals(archive.bytes));
  }
  const range = await server.fetch('/files/charts/shop-1.9.0.tgz', { headers: { range: 'bytes=0-1' } });
  assert.equal(range.status, 206);
  assert.equal(await (await server.fetch('/files/charts/shop-1.10.0+b.1.tgz.prov')).text(), 'prov of shop');
  for (const path of ['shop-1.9.0.tgz.prov', 'shop-9.tgz', 'hidden-1.0.0.tgz', 'index.yaml/', ''])
    assert.equal((await server.fetch(`/files/charts/${path}`)).status, 404, path);
});

test('credentials are asked for unless the view is anonymous', async () => {
  const stranger = { headers: { authorization: '' } };
  for (const path of ['index.yaml', 'shop-1.9.0.tgz', 'absent.tgz'])
    assert.equal((await server.fetch(`/files/charts/${path}`, stranger)).status, 401);
  assert.equal((await server.fetch('/files/open/index.yaml', stranger)).status, 200);
  assert.equal((await server.fetch('/files/open/tool-2.0.0.tgz', stranger)).status, 200);
  assert.equal(
    (await server.fetch('/files/open/shop-1.9.0.tgz', stranger)).status,
    404,
    'another view lists it',
  );
  assert.equal((await server.fetch('/files/open/index.yaml', { method: 'POST' })).status, 405);
});

test('of two charts of one name and version the one that was there first stays, whatever date it claims; one of a recipe goes before; the other is reported', async () => {
  const at = (day: number) => `2026-01-0${day}T00:00:00Z`;
  const served = async () => `sha256:${(await readIndex()).entries.app![0]!.digest}`;
  const first = await push(
    'charts.example/z/app',
    '1.0.0',
    buildChart('app', '1.0.0', { created: at(2), more: 'home: z\n' }),
  );
  await push(
    'charts.example/b/app',
    '1.0.0',
    buildChart('app', '1.0.0', { created: at(1), more: 'home: b\n' }),
  );
  assert.equal(await served(), archiveOf(first).descriptor.digest);
  const leftOut = async () => (await readViews()).find(({ name }) => name === 'charts')!.leftOut;
  assert.deepEqual(await leftOut(), [
    { repository: 'charts.example/b/app', tag: '1.0.0', reason: 'duplicate' },
  ]);
  const signed = await push(
    'charts.example/c/app',
    '1.0.0',
    buildChart('app', '1.0.0', { created: at(3), more: 'home: c\n' }),
    'shop@1.0.0',
  );
  assert.equal(await served(), archiveOf(signed).descriptor.digest);
  // nor does the date that another recipe claims displace the content of a recipe
  await push(
    'charts.example/a/app',
    '1.0.0',
    buildChart('app', '1.0.0', { created: at(1), more: 'home: a\n' }),
    'rival@1.0.0',
  );
  assert.equal(await served(), archiveOf(signed).descriptor.digest);
  // another tag of the same chart is no other chart
  await push('charts.example/c/app', 'stable', signed, 'shop@1.0.0');
  assert.equal((await readIndex()).entries.app!.length, 1);
  // a name and version that give the file name of another
  await push('charts.example/c/a', '1.0.0-2.0.0', buildChart('a', '1.0.0-2.0.0'));
  await push('charts.example/d/a-1.0.0', '2.0.0', buildChart('a-1.0.0', '2.0.0'));
  const { entries } = await readIndex();
  assert.deepEqual([entries.a?.length, entries['a-1.0.0']], [1, undefined]);
  assert.equal((await leftOut()).length, 4);
});

test('what helm cannot read is left out with its reason, and harms nothing else', async () => {
  const before = Object.keys((await readIndex()).entries).length;
  const bad: Readonly<Record<string, Artifact>> = {
    name: buildChart('x', '1.0.0', { config: '{"name": "../x", "version": "1.0.0"}' }),
    version: buildChart('y', '1.0.0', { config: '{"name": "y", "version": "newest"}' }),
    config: buildChart('z', '1.0.0', { config: '[' }),
    twice: buildChart('z', '1.0.0', { config: '{"name": "twice", "name": "z", "version": "1.0.0"}' }),
    deep: buildChart('deep', '1', {
      config: `{"name": "deep", "version": "1", "x": ${'['.repeat(9000)}${']'.repeat(9000)}}`,
    }),
    // the chart that helm pulls from the registry as reference:1 is no shop 9.9.9
    reference: buildChart('shop', '9.9.9'),
  };
  for (const [reason, chart] of Object.entries(bad)) await push(`charts.example/bad/${reason}`, '1', chart);
  const huge = buildChart('huge', '1.0.0', {
    config: JSON.stringify({ name: 'huge', version: '1.0.0', description: 'x'.repeat(70_000) }),
  });
  await push('charts.example/bad/huge', '1', huge);
  assert.equal(Object.keys((await readIndex()).entries).length, before);
  const { leftOut } = (await readViews()).find(({ name }) => name === 'charts')!;
  assert.deepEqual(
    leftOut
      .filter(({ repository }) => repository.includes('/bad/'))
      .map(({ repository, reason }) => [repository.slice(19), reason]),
    [
      ['config', 'config'],
      ['deep', 'config'],
      ['huge', 'config'],
      ['name', 'name'],
      ['reference', 'reference'],
      ['twice', 'config'],
      ['version', 'version'],
    ],
  );
  assert.ok(server.report.records.some(({ message }) => message === 'a view leaves out charts'));
});

test('the page of the FileSets has the views, with what is left out and why', async () => {
  const session = openBrowserSession(server);
  await server.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
  await session.signIn('vera', 'a good password');
  for (const [language, words] of [
    ['en', /its version is not a semantic version/],
    ['fr', /sa version n’est pas une version sémantique/],
  ] as const) {
    const text = await (await session.get('/filesets', { 'accept-language': language })).text();
    parseStrictHtml(text, '/filesets');
    const prose = toPageText(text);
    assert.match(prose, words);
    assert.match(prose, /charts\.example\/bad\/version:1/);
  }
});

test('what the gate does not let through is neither listed nor served, from the next request on', async () => {
  withheld.add('charts.example/shop:1.9.0');
  mark = {};
  assert.equal((await readIndex()).entries.shop!.length, 1);
  assert.equal((await server.fetch('/files/charts/shop-1.9.0.tgz')).status, 404);
  withheld.clear();
  mark = {};
  assert.equal((await readIndex()).entries.shop!.length, 2);
  refusal = { code: 'SVC-MED-030', mediaId: server.store.mediaId };
  const closed = await server.fetch('/files/charts/index.yaml');
  assert.equal(closed.status, 403);
  refusal = undefined;
});

test('the same content gives the same bytes, in whichever order it came, where no two charts claim one name', async () => {
  await using other = await openTempFolder();
  await using second = await startTestServer({
    folder: other.path,
    views: [{ name: 'charts', kind: 'helm', repositories: ['charts.example/**'], anonymous: false }],
  });
  const { leftOut } = (await readViews()).find(({ name }) => name === 'charts')!;
  const rivals = new Set(leftOut.map(({ repository, tag }) => `${repository}:${tag}`));
  const isAlone = ([repository, tag]: (typeof pushes)[number]) => !rivals.has(`${repository}:${tag}`);
  for (const [repository, tag, chart, recipe] of pushes.filter(isAlone).reverse())
    await push(repository, tag, chart, recipe, second);
  assert.equal(await (await second.fetch('/files/charts/index.yaml')).text(), (await readIndex()).text);
});

test('after a push the index is made before a client asks for it', async () => {
  const chart = buildChart('early', '1.0.0');
  const registry = {
    registry: server.url,
    repository: 'charts.example/early',
    authorization: server.as.operator,
  };
  await pushArtifactOverHttp(registry, chart, '1.0.0');
  await server.views.idle();
  const config = chart.blobs[0]!.descriptor.digest;
  for (const digest of [config, chart.manifest.descriptor.digest])
    await unlink(join(server.store.root, blobPath(digest)));
  assert.equal((await readIndex()).entries.early!.length, 1);
});

test('a glob has the port of a host behind an underscore, as the repositories have it', async () => {
  await push('charts.example_5000/app', '1.0.0', buildChart('app', '1.0.0'));
  assert.deepEqual(Object.keys((await readIndex('port')).entries), ['app']);
  assert.deepEqual((await readIndex('colon')).entries, {});
});
