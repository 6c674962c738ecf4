import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { renderError } from '../../../src/text/message.ts';
import { openOwnReceipts } from '../../../src/zone/own-receipts.ts';
import { buildImage, buildIndex } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';

const web = buildImage('web', { ownLayers: 2 });
const worker = buildIndex('worker', ['linux/amd64', 'linux/arm64'], { layers: [web.blobs[1]!] });
const toRecipe = (name: string, artifact: typeof web): MediumRecipe => ({
  name,
  version: '1.0.0',
  layout: 'bundle',
  ingredients: [
    { name: 'image', kind: 'ContainerImage', ref: `origin.example/${name}/image`, tag: '1.0.0', artifact },
  ],
});

/** A zone that has imported a medium with the recipes `shop` (an image) and `depot` (an index of two platforms). */
async function openScene() {
  const medium = await buildMedium({ recipes: [toRecipe('shop', web), toRecipe('depot', worker)] });
  const double = await createRegistryDouble();
  const state = join(medium.folder, 'zone');
  const keyFile = join(medium.folder, 'zone.key');
  await writeFile(keyFile, createSigner().privateKeyPem, { mode: 0o600 });
  const bring = (root: string, options: { readonly signs?: boolean } = {}) =>
    importCarried(root, [medium.signer], double, { state, signing: options.signs ? { keyFile } : {} });
  await bring(medium.root);
  return {
    medium,
    double,
    own: openOwnReceipts(state),
    import: bring,
    whole: double.content(),
    [Symbol.asyncDispose]: async () => {
      await double[Symbol.asyncDispose]();
      await medium[Symbol.asyncDispose]();
    },
  };
}

const digestOf = ({ descriptor }: { readonly descriptor: { readonly digest: Digest } }): Digest =>
  descriptor.digest;
const writes = /^(PUT|POST|PATCH|DELETE) /;
/** Blobs that the registry was asked for since a number of requests, with their repository. */
const listAsked = (double: RegistryDouble, since: number): readonly string[] =>
  double.requests
    .slice(since)
    .filter(({ method, path }) => method === 'HEAD' && path.includes('/blobs/'))
    .map(({ path }) => path)
    .sort();

/** Blobs below manifests that the registry keeps, by the repository. */
const lost: readonly (readonly [string, string, (double: RegistryDouble) => Digest])[] = [
  ['a layer of an image', 'origin.example/shop/image', () => digestOf(web.blobs[2]!)],
  ['a configuration', 'origin.example/shop/image', () => digestOf(web.blobs[0]!)],
  [
    'a layer of one platform of an index',
    'origin.example/depot/image',
    () => digestOf(worker.children[1]!.artifact.blobs.at(-1)!),
  ],
  ['a layer that another repository has too', 'origin.example/depot/image', () => digestOf(web.blobs[1]!)],
  [
    'the document of a recipe',
    'cookbook/shop',
    (double) => JSON.parse(`${double.manifest('cookbook/shop', '1.0.0')!.bytes}`).layers[0].digest,
  ],
  [
    'the bundle of a signature',
    'cookbook/shop',
    (double) => {
      const { digest } = double.manifest('cookbook/shop', '1.0.0')!;
      const manifests = double
        .content()
        .flatMap((line) => /^cookbook\/shop manifest (\S+)/.exec(line)?.[1] ?? [])
        .map((one) => JSON.parse(`${double.manifest('cookbook/shop', one)!.bytes}`));
      return manifests.find(({ subject }) => subject?.digest === digest).layers[0].digest;
    },
  ],
];

for (const [what, repository, find] of lost)
  test(`an import brings ${what} again that the registry lost below a manifest which it has`, async () => {
    await using scene = await openScene();
    const { double, medium } = scene;
    const digest = find(double);
    assert.ok(double.blob(repository, digest));
    double.remove(repository, digest);
    const run = await scene.import(medium.root);
    assert.equal(run.task.status, 'done', run.said);
    assert.ok(double.blob(repository, digest), run.said);
    assert.deepEqual(double.content(), scene.whole);
    // the manifest that names it was put again: registries count what a manifest needs when it arrives
    const before = double.requests.length;
    await scene.import(medium.root);
    assert.deepEqual(
      double.requests.slice(before).filter(({ method, path }) => writes.test(`${method} ${path}`)),
      [],
    );
  });

test('the manifest of a lost blob is put again after it, by its digest', async () => {
  await using scene = await openScene();
  const { double, medium } = scene;
  for (const [repository, artifact] of [
    ['origin.example/shop/image', web],
    ['origin.example/depot/image', worker.children[1]!.artifact],
  ] as const) {
    const before = double.requests.length;
    double.remove(repository, digestOf(artifact.blobs.at(-1)!));
    await scene.import(medium.root);
    const put = double.requests.slice(before).filter(({ method }) => method === 'PUT');
    assert.match(put[0]!.path, new RegExp(`^/v2/${repository}/blobs/uploads/`));
    assert.deepEqual(
      put.slice(1).map(({ path }) => path),
      [`/v2/${repository}/manifests/${digestOf(artifact.manifest)}`],
    );
  }
});

test('a second import asks for each blob of each repository once, and writes nothing', async () => {
  await using scene = await openScene();
  const { double, medium } = scene;
  const before = double.requests.length;
  const run = await scene.import(medium.root);
  assert.equal(run.imported?.pushed, 0, run.said);
  const all = scene.whole.flatMap((line) => /^(\S+) blob (\S+)/.exec(line)?.slice(1).join(' ') ?? []);
  assert.ok(all.length > 10, scene.whole.join('\n'));
  assert.deepEqual(
    listAsked(double, before),
    all.map((line) => `/v2/${line.replace(' ', '/blobs/')}`).sort(),
  );
  assert.deepEqual(
    double.requests.slice(before).filter(({ method, path }) => writes.test(`${method} ${path}`)),
    [],
  );
});

test('a registry that answers no HEAD of a blob gets nothing again', async () => {
  await using scene = await openScene();
  const { double, medium } = scene;
  double.intercept(({ method, path }, response) => {
    if (method !== 'HEAD' || !path.includes('/blobs/')) return false;
    response.writeHead(405).end();
    return true;
  });
  const before = double.requests.length;
  const run = await scene.import(medium.root);
  assert.equal(run.task.status, 'done', run.said);
  assert.deepEqual(
    double.requests.slice(before).filter(({ method, path }) => writes.test(`${method} ${path}`)),
    [],
  );
});

test('a lost blob that only another part has lets the recipe wait for it, and that part brings it', async () => {
  await using scene = await openScene();
  const { double, medium } = scene;
  const [repository, digest] = ['origin.example/shop/image', digestOf(web.blobs[2]!)] as const;
  const delivery = { id: 'dlv_0123456789ab', parts: 2 } as const;
  const one = await carryPart(medium, {
    delivery: { ...delivery, part: 1 },
    absent: new Map([[digest, [2]]]),
  });
  const two = await carryPart(medium, {
    delivery: { ...delivery, part: 2 },
    absent: new Map([[digestOf(web.blobs[1]!), [1]]]),
  });
  await scene.import(one.root);
  await scene.import(two.root);
  double.remove(repository, digest);
  const first = await scene.import(one.root);
  assert.deepEqual(first.task.delivery?.needed, [2], first.said);
  assert.equal(double.blob(repository, digest), undefined);
  const second = await scene.import(two.root);
  assert.equal(second.task.delivery?.complete, true, second.said);
  assert.ok(double.blob(repository, digest));
});

test('a lost blob of a base is held, and lands with the earlier medium', async () => {
  await using scene = await openScene();
  const { double, medium } = scene;
  const [repository, digest] = ['origin.example/shop/image', digestOf(web.blobs[2]!)] as const;
  const base = { zone: 'zone-b', receipt: digest, sequence: 7 };
  const delta = await carryPart(medium, {
    delivery: { id: 'dlv_0123456789ab', part: 1, parts: 1 },
    base,
    absent: new Map([[digest, 'base']]),
  });
  double.remove(repository, digest);
  const held = await scene.import(delta.root);
  assert.equal(held.items.at(-1)?.error?.code ?? held.items[1]?.error?.code, 'SVC-MED-040', held.said);
  await scene.import(medium.root);
  assert.deepEqual(double.content(), scene.whole);
  const run = await scene.import(delta.root);
  assert.equal(run.task.status, 'done', run.said);
});

test('a medium on the base of what was sent asks for the earlier disks and names no receipt', async () => {
  await using scene = await openScene();
  const { double, medium } = scene;
  const [repository, digest] = ['origin.example/shop/image', digestOf(web.blobs[2]!)] as const;
  const delta = await carryPart(medium, {
    delivery: { id: 'dlv_0123456789ab', part: 1, parts: 1 },
    base: { zone: 'zone-b', receipt: digest, sequence: 0 },
    absent: new Map([[digest, 'base']]),
  });
  double.remove(repository, digest);
  const held = await scene.import(delta.root);
  const error = held.items.find(({ error }) => error?.code === 'SVC-MED-040')!.error!;
  const { what, cause, action } = renderError(error, 'en');
  assert.doesNotMatch(`${what} ${cause}`, /receipt \d|since the receipt/);
  assert.ok(what.endsWith(`that was sent before it has a media.jsonl of the digest ${digest}.`), what);
  assert.match(action, /^Import the disks of earlier deliveries that did not arrive here, and then this one/);
});

test('a recipe without its base names no delivery that left content out itself', async () => {
  await using scene = await openScene();
  const { double, medium } = scene;
  const part = { part: 1, parts: 1 } as const;
  const base = { zone: 'zone-b', receipt: hashBytes('none'), sequence: 1 };
  const earlier = await carryPart(medium, { delivery: { id: 'dlv_00000000000a', ...part }, base });
  await scene.import(earlier.root, { signs: true });
  const { digest: receipt } = (await scene.own.last('zone-b'))!;
  const layer = digestOf(web.blobs[2]!);
  const delta = await carryPart(medium, {
    delivery: { id: 'dlv_00000000000b', ...part },
    base: { ...base, receipt },
    absent: new Map([[layer, 'base']]),
  });
  double.remove('origin.example/shop/image', layer);
  const held = await scene.import(delta.root, { signs: true });
  const error = held.items.find(({ error }) => error?.code === 'SVC-MED-040')!.error!;
  assert.equal(error.params.delivery, undefined);
});

test('a recipe without its base names the last delivery of that receipt, also after later receipts', async () => {
  await using scene = await openScene();
  const { double, medium } = scene;
  const [repository, digest] = ['origin.example/shop/image', digestOf(web.blobs[2]!)] as const;
  const part = { part: 1, parts: 1 } as const;
  const earlier = await carryPart(medium, { delivery: { id: 'dlv_00000000000a', ...part } });
  await scene.import(earlier.root, { signs: true });
  const { digest: receipt } = (await scene.own.last('zone-b'))!;
  const delta = await carryPart(medium, {
    delivery: { id: 'dlv_00000000000b', ...part },
    base: { zone: 'zone-b', receipt, sequence: 1 },
    absent: new Map([[digest, 'base']]),
  });
  double.remove(repository, digest);
  for (const sequence of [2, 3]) {
    const held = await scene.import(delta.root, { signs: true });
    assert.equal((await scene.own.last('zone-b'))!.receipt.sequence, sequence);
    const error = held.items.find(({ error }) => error?.code === 'SVC-MED-040')!.error!;
    assert.equal(error.params.delivery, 'dlv_00000000000a');
    const { what, action } = renderError(error, 'en');
    assert.match(what, /receipt 1 of zone zone-b .* last delivery with such content was dlv_00000000000a\.$/);
    assert.match(
      action,
      /^Import delivery dlv_00000000000a once more, .* svc media import DIR --allow-stale\. Otherwise, /,
    );
  }
  await scene.import(earlier.root);
  assert.equal((await scene.import(delta.root)).task.status, 'done');
});
