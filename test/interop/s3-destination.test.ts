import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { Task } from '../../src/contract/task.ts';
import { parseManifest } from '../../src/oci/manifest.ts';
import { signatureTag } from '../../src/oci/reference.ts';
import { type PeerRegistry, startPeerRegistry } from '../kit/program/peer-registry.ts';
import { needs } from '../kit/program/peers.ts';
import { type S3Engine, startS3Engine } from '../kit/program/s3-engine.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

let scene: SyncScene;
let engine: S3Engine | undefined;
let zone: PeerRegistry | undefined;

before(async () => {
  scene = await openSyncScene({ inMemory: true });
});
after(async () => {
  await zone?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

/** CNCF distribution that stores in a bucket of versitygw; one for all tests. */
async function openZone(
  t: TestContext,
): Promise<{ readonly zone: PeerRegistry; readonly engine: S3Engine } | undefined> {
  const [registry, gateway] = ['registry', 'versitygw'].map((name) => needs(t, name));
  if (!registry || !gateway) return undefined;
  engine ??= await startS3Engine({ program: gateway, folder: join(scene.folder, 'engine') });
  zone ??= await startPeerRegistry({
    program: registry,
    folder: join(scene.folder, 'zone'),
    bucket: engine.bucket,
  });
  return { zone, engine };
}

const accept = ['application/vnd.oci.image.index.v1+json', 'application/vnd.oci.image.manifest.v1+json'].join(
  ', ',
);

/** @returns undefined when the destination does not have it; a storage that fails is an error of the test */
async function get(repository: string, path: string): Promise<Buffer | undefined> {
  const response = await fetch(`${zone!.url}/v2/${repository}/${path}`, { headers: { accept } });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.ok(response.ok || response.status === 404, `${path}: ${response.status} ${bytes}`);
  return response.ok ? bytes : undefined;
}

/** Holds a tag of the destination to its promise: all that it reaches is there, with the bytes of its digest. */
async function requireWhole(repository: string, reference: string): Promise<boolean> {
  const bytes = await get(repository, `manifests/${reference}`);
  if (bytes === undefined) return false;
  const manifest = parseManifest(bytes);
  if (manifest.kind === 'index') {
    for (const { digest } of manifest.manifests)
      assert.ok(await requireWhole(repository, digest), `${repository}@${digest}`);
    return true;
  }
  for (const { digest } of [manifest.config, ...manifest.layers]) {
    const blob = await get(repository, `blobs/${digest}`);
    assert.equal(blob && hashBytes(blob), digest, repository);
  }
  return true;
}

/**
 * The content at the destination of a recipe: no manifest stands before its references. The ingredient is two images
 * behind an index.
 */
async function inspect(name: string): Promise<{ readonly image: boolean; readonly recipe: boolean }> {
  const image = await requireWhole(`${scene.origin.host.replace(':', '_')}/library/${name}`, '1.0');
  const recipe = await requireWhole(`cookbook/${name}`, '1.0.0');
  if (recipe) {
    const digest = hashBytes((await get(`cookbook/${name}`, 'manifests/1.0.0'))!);
    assert.ok(await requireWhole(`cookbook/${name}`, signatureTag(digest)!), 'the signature of the recipe');
  }
  return { image, recipe };
}

/** Publishes a recipe of new content and has the Retriever want it. */
async function want(name: string): Promise<void> {
  const platforms = ['linux/amd64', 'linux/arm64'];
  const image = scene.putImage(`library/${name}`, '1.0', { platforms });
  scene.publish(name, '1.0.0', [toIngredient('app', `library/${name}`, '1.0', image)]);
  await scene.setRetriever([[name, '1.0.0']]);
}

async function run(): Promise<Task> {
  const insecure = [scene.origin.host, zone!.host, new URL(engine!.bucket.endpoint).host];
  const destination = { registry: zone!.host, cookbook: 'cookbook' };
  const { task } = await scene.run({ change: { registries: { insecure }, destination } });
  return task;
}

/** Every failure is one of the destination: its code says so, and it names the host and the content that is missing there. */
function assertNamesDestination({ items }: Task, name: string): void {
  const errors = items.flatMap(({ error }) => error ?? []);
  assert.ok(errors.length > 0, 'the run failed nowhere');
  for (const { code, params } of errors) {
    assert.match(code, /^SVC-(REG|DST)-/);
    const said = JSON.stringify(params);
    assert.ok(said.includes(zone!.host), said);
    assert.ok(said.includes(name), said);
  }
}

/** Writes of the storage that one delivery costs. */
let usual: number;

test('a delivery arrives in a registry that stores in an S3 bucket, also when the storage is slow', async (t) => {
  const place = await openZone(t);
  if (!place) return;
  const { engine } = place;
  engine.slowBy(5);
  await want('slow');
  const task = await run();
  engine.slowBy(0);
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  assert.deepEqual(await inspect('slow'), { image: true, recipe: true });
  usual = engine.writes;
  const again = await run();
  assert.equal(again.counts.failed, 0, JSON.stringify(again.items));
  assert.equal(engine.writes, usual, 'what is there is not written again');
});

// in the first blob, among the layers, between the ingredient and its recipe, and before the tag of the recipe
for (const { fault, at } of [
  { fault: 'full', at: 0.03 },
  { fault: 'full', at: 0.2 },
  { fault: 'killed', at: 0.5 },
  { fault: 'full', at: 0.65 },
] as const)
  test(`a storage that is ${fault} after ${at * 100} % of its writes leaves nothing half-promoted, and the next run completes`, async (t) => {
    const place = await openZone(t);
    if (!place) return;
    const { engine } = place;
    const name = `${fault}-at-${at * 100}`;
    await want(name);
    const writes = Math.round(usual * at);
    const from = engine.writes;
    if (fault === 'full') engine.fillAfter(writes);
    else engine.onWrite = (count) => count === from + writes && engine.kill();
    const task = await run();
    engine.fillAfter(undefined);
    engine.onWrite = undefined;
    if (fault === 'killed') await engine.start();
    assertNamesDestination(task, name);
    const { recipe } = await inspect(name);
    assert.equal(recipe, false, 'a recipe stands although its run failed');
    const again = await run();
    assert.equal(again.counts.failed, 0, JSON.stringify(again.items));
    assert.deepEqual(await inspect(name), { image: true, recipe: true });
  });
