import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mediaTypes } from '../../src/oci/media-types.ts';
import type { ManifestContent } from '../../src/oci/ports.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { toManifest } from '../kit/content/content.ts';
import { pushArtifact } from '../kit/content/push-artifact.ts';
import { buildWideIndex } from '../kit/content/wide-index.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;
before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Puts indexes, the last one under a tag. */
async function put(tag: string, indexes: readonly ManifestContent[]): Promise<void> {
  const repository = openRepository(server.store, 'team/wide', { owner: { provenance: 'import' } });
  const { image, config } = buildWideIndex({ levels: 1, width: 1 });
  await pushArtifact(repository, { manifest: image, blobs: [config] });
  for (const [i, manifest] of indexes.entries())
    await pushArtifact(repository, { manifest, blobs: [] }, i === indexes.length - 1 ? tag : undefined);
}

const platform = (entry: number) => ({ os: 'linux', architecture: `a${entry}` });

test('while a version of 2000 times 2000 entries is shown, another client is answered before it', async () => {
  // ten lower indexes, so that the view takes longer than one turn of the loop on any machine
  const lower = Array.from(
    { length: 10 },
    (_, i) =>
      buildWideIndex({ levels: 1, width: 2000, platforms: (entry) => platform((entry % 7) + i) }).root,
  );
  const manifests = Array.from({ length: 2000 }, (_, i) => lower[i % lower.length]!.descriptor);
  const root = toManifest({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests });
  await put('crossed', [...lower, root]);

  const answered: string[] = [];
  // the first read of the view is where the other client comes
  const other = Promise.withResolvers<Response>();
  const { cache } = server.store.core;
  const get = cache.get.bind(cache);
  cache.get = (digest) => {
    cache.get = get;
    fetch(`${server.url}/healthz`).then(other.resolve, other.reject);
    return get(digest);
  };
  const view = server.fetch('/api/v1/content/team/wide/-/tags/crossed').then(async (response) => {
    assert.equal(response.status, 200);
    const { platforms } = (await response.json()) as { readonly platforms: readonly unknown[] };
    answered.push('view');
    return platforms;
  });
  assert.equal((await other.promise).status, 200);
  answered.push('healthz');
  // each platform of the one image once
  assert.equal((await view).length, 16);
  assert.deepEqual(answered, ['healthz', 'view']);
});

test('the pages of an index of 5000 platforms have a bounded number of rows', async () => {
  const { root } = buildWideIndex({ levels: 1, width: 5000, platforms: platform });
  await put('flat', [root]);
  const read = async (path: string) => (await server.fetch(path)).text();
  const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;

  const first = await read('/content/team/wide/-/tags/flat');
  assert.equal(count(first, />linux\/a\d+</g), 50);
  assert.match(first, /1–50/);
  assert.ok(first.length < 100_000, `${first.length} characters`);
  const last = await read('/content/team/wide/-/tags/flat?page=100');
  assert.match(last, />linux\/a4999</);

  const list = await read('/content/team/wide?q=flat');
  assert.equal(count(list, />linux\/a\d+</g), 12);
  assert.match(list, /and 4,988 more/);

  const { platforms } = (await (await server.fetch('/api/v1/content/team/wide/-/tags/flat')).json()) as {
    readonly platforms: readonly unknown[];
  };
  assert.equal(platforms.length, 5000);
});

test('an index of which thousands of platforms are carried, and not all, has commands for the first ones', async () => {
  const { root } = buildWideIndex({ levels: 1, width: 3000, platforms: platform });
  const { manifests, ...document } = JSON.parse(root.bytes.toString()) as { manifests: object[] };
  const absent = { ...manifests[0], digest: `sha256:${'0'.repeat(64)}` };
  await put('part', [toManifest({ ...document, manifests: [...manifests, absent] })]);
  const page = await (await server.fetch('/content/team/wide/-/tags/part')).text();
  assert.equal(page.match(/<code>crane pull/g)?.length, 20);
  assert.match(page, /Commands are listed for the first carried platforms only/);
  assert.ok(page.length < 150_000, `${page.length} characters`);
});
