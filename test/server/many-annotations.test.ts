import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mediaTypes } from '../../src/oci/media-types.ts';
import type { ManifestContent } from '../../src/oci/ports.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { toBlob, toManifest } from '../kit/content/content.ts';
import { pushArtifact } from '../kit/content/push-artifact.ts';
import { putUnlimited } from '../kit/hostile/put-unlimited.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;
const start = async (): Promise<TestServer> => startTestServer({ folder: folder.path });
before(async () => {
  folder = await openTempFolder();
  server = await start();
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const config = toBlob('{}', mediaTypes.ociConfig);
const most = 10_000;
const annotate = (count: number, value = 'v'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));
const toImage = (more: Readonly<Record<string, unknown>> = {}): ManifestContent =>
  toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers: [],
    ...more,
  });
const plain = toImage();

/** Manifests by the place of their annotations. */
const places: Readonly<Record<string, (annotations: Record<string, string>) => ManifestContent>> = {
  'an image': (annotations) => toImage({ annotations }),
  'its config': (annotations) => toImage({ config: { ...config.descriptor, annotations } }),
  'its layers': (annotations) =>
    toImage({ layers: [config.descriptor, { ...config.descriptor, annotations }] }),
  'its subject': (annotations) => toImage({ subject: { ...plain.descriptor, annotations } }),
  'an index': (annotations) =>
    toManifest({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [], annotations }),
  'its children': (annotations) =>
    toManifest({
      schemaVersion: 2,
      mediaType: mediaTypes.ociIndex,
      manifests: [plain.descriptor, { ...plain.descriptor, annotations }],
    }),
};

/** Puts the blobs and the manifest that all of them need. */
async function seed(): Promise<void> {
  const repository = openRepository(server.store, 'team/app', { owner: { provenance: 'import' } });
  await pushArtifact(repository, { manifest: plain, blobs: [config] }, 'plain');
}

const push = ({ bytes, descriptor }: ManifestContent, tag: string): Promise<Response> =>
  server.fetch(`/v2/team/app/manifests/${tag}`, {
    method: 'PUT',
    headers: { authorization: server.as.operator, 'content-type': descriptor.mediaType },
    body: new Uint8Array(bytes),
  });

const showPage = async (tag: string): Promise<string> => {
  const page = await server.fetch(`/content/team/app/-/tags/${tag}`, {
    headers: { authorization: server.as.viewer, accept: 'text/html' },
  });
  assert.equal(page.status, 200);
  return page.text();
};

const countRows = (page: string): number => page.split('<bdi translate="no">v</bdi>').length - 1;

const readAnnotations = async (tag: string): Promise<object> => {
  const answer = await server.fetch(`/api/v1/content/team/app/-/tags/${tag}`);
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { readonly annotations: object }).annotations;
};

test('a manifest with more than 10 000 annotations in one map is refused wherever they are, before it is decoded', async () => {
  await seed();
  for (const [place, make] of Object.entries(places)) {
    const refused = await push(make(annotate(most + 1)), 'many');
    assert.equal(refused.status, 400, place);
    assert.deepEqual(await refused.json(), {
      errors: [
        { code: 'MANIFEST_INVALID', message: 'more than 10000 annotations or other members in one object' },
      ],
    });
    assert.equal((await push(make(annotate(most)), 'many')).status, 201, place);
  }
});

test('the page lists the first 100 annotations and leads to all of them, which the API has', async () => {
  await seed();
  const annotations = { ...annotate(most - 1), long: 'x' };
  assert.equal((await push(toImage({ annotations }), 'full')).status, 201);
  const page = await showPage('full');
  assert.equal(countRows(page), 100);
  assert.match(page, /The first 100 of 10,000 annotations are listed\./);
  assert.match(page, /href="\/api\/v1\/content\/team\/app\/-\/tags\/full"/);
  assert.deepEqual(await readAnnotations('full'), annotations);
});

test('a long annotation is cut on the page', async () => {
  await seed();
  assert.equal(
    (await push(toImage({ annotations: { ['n'.repeat(9000)]: 'x'.repeat(900_000) } }), 'long')).status,
    201,
  );
  const page = await showPage('long');
  assert.ok(page.length < 60_000, `${page.length} characters`);
  assert.match(page, /Texts of more than 2,000 characters are cut\./);
});

test('a stored manifest with more annotations is still opened, shown, pulled and tagged', async () => {
  await seed();
  const manifest = toImage({ annotations: annotate(20_000) });
  await putUnlimited(server.store, 'team/app', manifest, 'older');
  await server[Symbol.asyncDispose]();
  server = await start();
  const page = await showPage('older');
  assert.equal(countRows(page), 100);
  assert.ok(page.length < 100_000, `${page.length} characters`);
  assert.equal(Object.keys(await readAnnotations('older')).length, 20_000);
  const pulled = await server.fetch('/v2/team/app/manifests/older');
  assert.deepEqual(Buffer.from(await pulled.arrayBuffer()), manifest.bytes);
  // a sync or an import sets a further tag to a stored manifest
  const repository = openRepository(server.store, 'team/app', { owner: { provenance: 'import' } });
  await repository.pushManifest('again', manifest);
  assert.equal(countRows(await showPage('again')), 100);
});
