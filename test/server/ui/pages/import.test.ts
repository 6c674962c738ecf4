import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Operations } from '../../../../server/operations.ts';
import { fingerprintTag } from '../../../../src/catalog/shown-tag.ts';
import type { Inspection } from '../../../../src/contract/content.ts';
import { openRepository } from '../../../../src/store/open-repository.ts';
import { svcError } from '../../../../src/text/error.ts';
import { buildImage, pushArtifact } from '../../../kit/content/content.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { type BrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { requestRaw } from '../../../kit/web/request-raw.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e"\'';
const digestOf = (digit: string) => `sha256:${digit.repeat(64)}` as const;
const reference = 'registry.example/shop/web:1.4.0';

const image: Inspection = {
  reference,
  repository: 'registry.example/shop/web',
  tag: '1.4.0',
  digest: digestOf('a'),
  mediaType: 'application/vnd.oci.image.index.v1+json',
  kind: 'ContainerImage',
  multiPlatform: true,
  platforms: [
    { name: 'linux/amd64', digest: digestOf('1'), sizeBytes: 2048, status: 'outdated' },
    { name: 'linux/arm64', digest: digestOf('2'), sizeBytes: 1024, status: 'new' },
  ],
  signatures: [{ layout: 'classic', digest: digestOf('7') }],
};

let folder: TempFolder;
let server: TestServer;
let operator: BrowserSession;
let viewer: BrowserSession;
let inspected: string[];
let imported: Parameters<Operations['submitImport']>[1][];
let answer: () => Inspection;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    operations: {
      inspectArtifact: async (_context, request) => {
        inspected.push(request.reference);
        return answer();
      },
      submitImport: (_instance, request) => {
        imported.push(request);
        const { actor, reference: asked } = request;
        return server.tasks.submit({
          type: 'import',
          reference: asked,
          actor,
          parameters: { platforms: [], vendorDependencies: false },
        });
      },
    },
  });
  operator = await signInAs(server, 'operator', 'olga');
  viewer = await signInAs(server, 'viewer', 'vera');
});
beforeEach(() => {
  inspected = [];
  imported = [];
  answer = () => image;
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function textOf(response: Response, status = 200): Promise<string> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  parseStrictHtml(text, response.url);
  return text;
}

const inspect = (asked: string): Promise<Response> =>
  operator.postAndOpen('/import/inspect', { reference: asked }, { page: '/import' });

const shown = (): string => fingerprintTag(server.store.index, image);

test('a link from elsewhere fills the form and asks no registry', async () => {
  const path = `/import?reference=${encodeURIComponent(reference)}`;
  // exactly these headers, as a browser sends them
  const open = async (headers: Readonly<Record<string, string>>): Promise<string> => {
    const cookie = [...operator.cookies].map((pair) => pair.join('=')).join('; ');
    const { status, body } = await requestRaw(`${server.url}${path}`, {
      cookie,
      accept: 'text/html',
      ...headers,
    });
    assert.equal(status, 200, body.toString());
    return body.toString();
  };
  const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  for (const site of ['cross-site', 'same-site', 'none', undefined]) {
    const text = await open(site === undefined ? {} : { ...navigation, 'sec-fetch-site': site });
    assert.match(text, /value="registry\.example\/shop\/web:1\.4\.0"/, site);
    assert.match(text, /no registry has been asked/, site);
  }
  assert.deepEqual(inspected, []);
  assert.match(await open({ ...navigation, 'sec-fetch-site': 'same-origin' }), /linux\/arm64/);
  assert.deepEqual(inspected, [reference]);
  assert.equal((await viewer.get('/import')).status, 403);
});

test('an inspection shows what would be stored, with what is outdated here chosen', async () => {
  const text = await textOf(await inspect(reference));
  assert.match(text, /linux\/amd64[\s\S]*outdated here[\s\S]*linux\/arm64/);
  const chosen = [...text.matchAll(/name="platforms" value="([^"]*)" checked/g)].map(([, value]) => value);
  assert.equal(chosen.length, 1);
  assert.match(chosen[0]!, /linux\/amd64/);
  assert.doesNotMatch(text, /vendorDependencies/);
});

test('the import has the platforms that were chosen, and leads to its task', async () => {
  const choice = { name: 'linux/amd64', digest: digestOf('1') };
  const response = await operator.post(
    '/import',
    { reference, platforms: JSON.stringify(choice), fingerprint: shown() },
    { page: '/import' },
  );
  assert.equal(response.status, 303, await response.clone().text());
  assert.match(response.headers.get('location') ?? '', /^\/tasks\/tsk_/);
  assert.deepEqual(imported[0]!.platforms, [choice]);
  assert.equal(imported[0]!.vendorDependencies, false);
});

test('without a choice, or with one that is no choice, nothing is imported and the choices come back', async () => {
  for (const platforms of ['', '{', '"linux/amd64"', '{"name":"linux/amd64"}']) {
    const fields: Record<string, string> =
      platforms === ''
        ? { reference, _inspected: 'true', fingerprint: shown() }
        : { reference, platforms, _inspected: 'true', fingerprint: shown() };
    const text = await textOf(await operator.post('/import', fields, { page: '/import' }), 422);
    assert.match(text, /SVC-VAL-001/, platforms);
    assert.match(text, /value="registry\.example\/shop\/web:1\.4\.0"[\s\S]*linux\/arm64/, platforms);
  }
  assert.deepEqual(imported, []);
});

test('missing dependencies of a chart can be embedded', async () => {
  answer = () => ({
    ...image,
    kind: 'HelmChart',
    multiPlatform: false,
    platforms: [{ name: 'any', digest: digestOf('1'), sizeBytes: 48_000, status: 'new' }],
    signatures: [],
    dependencies: [{ name: hostile, version: '^1', repository: 'https://charts.example', embedded: false }],
  });
  const text = await textOf(await inspect(reference));
  assert.match(text, /name="vendorDependencies"/);
  assert.match(text, /all of it/);
  assert.match(text, /name="platforms" value="[^"]*" checked/, 'the only choice is chosen');
  assert.doesNotMatch(text, /<img|\u202e/);
  const fields = {
    reference,
    platforms: JSON.stringify({ name: 'any', digest: digestOf('1') }),
    vendorDependencies: 'true',
    fingerprint: shown(),
  };
  assert.equal((await operator.post('/import', fields, { page: '/import' })).status, 303);
  assert.equal(imported[0]!.vendorDependencies, true);
});

test('a registry that refuses is an error beside the form, which keeps the reference', async () => {
  answer = () => {
    throw svcError('SVC-REG-003', { host: 'registry.example' });
  };
  for (const response of [
    await inspect(reference),
    await operator.get(`/import?reference=${reference}`, { 'sec-fetch-site': 'same-origin' }),
  ]) {
    const text = await response.text();
    assert.match(text, /SVC-REG-003/);
    assert.match(text, /value="registry\.example\/shop\/web:1\.4\.0"/);
  }
});

test('a hostile reference is text, in the form, in the title and in the command', async () => {
  const path = `/import?reference=${encodeURIComponent(hostile)}`;
  const text = await textOf(await operator.get(path));
  assert.doesNotMatch(text, /<img/);
  const { prose } = parseStrictHtml(text, path);
  assert.doesNotMatch(prose, /\u202e/);
  const french = await operator.get('/import', { 'accept-language': 'fr' });
  assert.match(await french.text(), /Importer un artefact/);
});

test('the form carries what the tag names here, and without it nothing is imported', async () => {
  const form = { reference, platforms: JSON.stringify({ name: 'linux/amd64', digest: digestOf('1') }) };
  const text = await textOf(await inspect(reference));
  assert.match(text, new RegExp(`name="fingerprint" value="${shown()}"`));
  const refused = await operator.post('/import', form, { page: '/import' });
  assert.match(await refused.text(), /SVC-SRV-007/);
  assert.equal(imported.length, 0);
  const before = shown();
  await pushArtifact(
    openRepository(server.store, image.repository, { owner: { provenance: 'import' } }),
    buildImage('somebody else'),
    image.tag,
  );
  assert.notEqual(shown(), before);
  await operator.post('/import', { ...form, fingerprint: before }, { page: '/import' });
  assert.equal(imported[0]!.replaces, before, 'the import finds the difference');
});

test('of very many platforms, those that an import changes are listed first, and the page says how many there are', async () => {
  const platforms = Array.from({ length: 5000 }, (_, i) => ({
    name: `linux/p${i}`,
    digest: digestOf('3'),
    sizeBytes: 1,
    status: i === 4999 ? 'outdated' : i < 4000 ? 'up-to-date' : 'new',
  })) satisfies Inspection['platforms'];
  answer = () => ({ ...image, platforms });
  const text = await textOf(await inspect(reference));
  assert.equal(text.match(/name="platforms"/g)?.length, 200);
  assert.match(text, /200 of 5[,\u202f\u00a0 ]?000 are listed/);
  assert.match(text, /linux\/p4999[\s\S]*linux\/p4000/);
  assert.ok(text.length < 200_000, `${text.length} characters`);
});
