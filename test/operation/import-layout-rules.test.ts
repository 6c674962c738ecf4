import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { importLayout } from '../../src/operation/import-layout.ts';
import { type Blob, type TestManifest, toBlob, toManifest, toRecipe } from '../kit/content/oci-content.ts';
import { createSigner } from '../kit/content/signer.ts';
import { readCustody } from '../kit/scene/custody-sites.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

interface Entry {
  readonly name: string;
  readonly manifest: Pick<TestManifest, 'mediaType' | 'digest' | 'bytes'>;
}

/** Writes a layout of these entries and blobs. */
async function writeLayout(
  folder: string,
  entries: readonly Entry[],
  blobs: readonly Blob[],
): Promise<string> {
  const at = join(folder, 'blobs', 'sha256');
  await mkdir(at, { recursive: true });
  for (const { digest, bytes } of [...blobs, ...entries.map(({ manifest }) => manifest)])
    await writeFile(join(at, digest.slice(7)), bytes);
  await writeFile(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  const manifests = entries.map(({ name, manifest: { mediaType, digest, bytes } }) => ({
    mediaType,
    digest,
    size: bytes.length,
    annotations: { 'org.opencontainers.image.ref.name': name },
  }));
  await writeFile(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  return folder;
}

async function take(scene: SyncScene, input: string, change?: Parameters<SyncScene['config']>[0]) {
  const openStore = () => scene.openStore();
  let store: Awaited<ReturnType<typeof openStore>> | undefined;
  try {
    return await importLayout(
      { config: scene.config(change), report: scene.report },
      {
        openStore: async () => {
          store = await openStore();
          return store;
        },
        input,
        actor: 'admin',
      },
    );
  } finally {
    await store?.[Symbol.asyncDispose]();
  }
}

test('a layout import changes no published recipe: the same document moves nothing, another is lost', async () => {
  await using scene = await openSyncScene();
  const [empty, document, changed] = ['{}', 'kind: Recipe\n', 'kind: Changed\n'].map((one) =>
    toBlob(one),
  ) as [Blob, Blob, Blob];
  const name = 'cookbook/app:1.0.0';
  const blobs = [empty, document, changed];
  const [first, again, other] = [
    toRecipe(document, 'now'),
    toRecipe(document, 'later'),
    toRecipe(changed, 'now'),
  ] as const;
  const at = (n: number) => join(scene.folder, `layout${n}`);
  assert.equal((await take(scene, await writeLayout(at(1), [{ name, manifest: first }], blobs))).failed, 0);
  const refused = await take(scene, await writeLayout(at(2), [{ name, manifest: other }], blobs));
  assert.deepEqual(
    refused.entries.map(({ error }) => error?.code),
    ['SVC-POL-004'],
  );
  assert.equal((await take(scene, await writeLayout(at(3), [{ name, manifest: again }], blobs))).failed, 0);
  const now = await scene.peek(({ index }) => index.tag('cookbook/app', '1.0.0')?.digest);
  assert.equal(now, first.digest);
});

test('a layout import leaves the signature of a recorded recipe, and adds to it what says more', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('library/app', '1.0');
  const recipe = scene.publish('app', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)]);
  await scene.setRetriever([['app', '1.0.0']]);
  await scene.run();
  const repository = `${scene.origin.host.replace(':', '_')}/cookbook/app`;
  const tag = `${recipe.digest.replace(':', '-')}.sig`;
  const held = () => scene.peek(({ index }) => index.tag(repository, tag));
  const before = await held();
  const retired = createSigner().sign(recipe, 'classic');
  const toEntry = (bytes: Buffer, digest: Digest): Entry => ({
    name: `${repository}:${tag}`,
    manifest: { mediaType: 'application/vnd.oci.image.manifest.v1+json', bytes, digest },
  });
  const blobs = retired.blobs.map(({ descriptor, bytes }) => ({ digest: descriptor.digest, bytes }));
  const { bytes, descriptor } = retired.manifest;
  const layout = await writeLayout(join(scene.folder, 'retired'), [toEntry(bytes, descriptor.digest)], blobs);
  const refused = await take(scene, layout);
  assert.deepEqual(
    refused.entries.map(({ error }) => error?.code),
    ['SVC-POL-002'],
  );
  assert.deepEqual(await held(), before);

  const known = JSON.parse(scene.origin.manifest('cookbook/app', tag)!.bytes.toString());
  const more = toBlob(
    JSON.stringify({ ...known, layers: [...known.layers, ...JSON.parse(bytes.toString()).layers] }),
  );
  const both = await writeLayout(
    join(scene.folder, 'both'),
    [toEntry(more.bytes, more.digest)],
    [
      ...blobs,
      ...[known.config, ...known.layers].map(({ digest }: { digest: Digest }) => ({
        digest,
        bytes: scene.origin.blob('cookbook/app', digest)!,
      })),
    ],
  );
  assert.equal((await take(scene, both)).failed, 0);
  const after = await held();
  assert.equal(after?.digest, more.digest);
  assert.deepEqual(after.owners.map(({ provenance }) => provenance).sort(), ['import', 'recipe']);
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0);
  assert.equal((await held())?.digest, more.digest, 'a synchronization that brings less changes nothing');
});

test('a layout import that points a tag at other content audits what the tag named before', async () => {
  await using scene = await openSyncScene();
  const document = toBlob('kind: Thing\n');
  const empty = toBlob('{}');
  const [one, two] = ['application/vnd.example.one', 'application/vnd.example.two'].map((artifactType) =>
    toManifest({
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      artifactType,
      config: { mediaType: mediaTypes.ociEmpty, digest: empty.digest, size: 2 },
      layers: [{ mediaType: 'text/plain', digest: document.digest, size: document.bytes.length }],
    }),
  );
  const blobs = [empty, document];
  const name = 'tools/thing:1';
  const input = join(scene.folder, 'two');
  await take(scene, await writeLayout(join(scene.folder, 'one'), [{ name, manifest: one! }], blobs));
  await take(scene, await writeLayout(input, [{ name, manifest: two! }], blobs));
  const retags = scene.report.audits.filter(({ action }) => action === 'content.retag');
  assert.deepEqual(
    retags.map(({ actor, target, details }) => [
      actor,
      target,
      details?.previous,
      details?.digest,
      details?.source,
    ]),
    [['admin', name, one!.digest, two!.digest, input]],
  );
});

test('the ledger names what a layout import is about to bring, before its outcome', async () => {
  await using scene = await openSyncScene();
  const empty = toBlob('{}');
  const config = { mediaType: mediaTypes.ociEmpty, digest: empty.digest, size: 2 };
  const manifest = toManifest({ schemaVersion: 2, mediaType: mediaTypes.ociManifest, config, layers: [] });
  const entries = [{ name: 'tools/thing:1', manifest }];
  const input = await writeLayout(join(scene.folder, 'layout'), entries, [empty]);
  await take(scene, input, { custody: { enabled: true, site: 'source' } });
  const [intent, outcome, ...more] = await readCustody(join(scene.folder, 'state'));
  assert.deepEqual([intent?.step, outcome?.of, more], ['intent', 1, []]);
  assert.deepEqual(intent?.subjects, [{ name: 'tools/thing:1', digest: manifest.digest }]);
  assert.deepEqual(outcome?.subjects, intent?.subjects);
});
