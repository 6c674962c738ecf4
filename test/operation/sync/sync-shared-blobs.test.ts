import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip';

interface Pair {
  readonly scene: SyncScene;
  /** Host of the ingredient of `liar`. */
  readonly other: RegistryDouble;
  readonly shared: Descriptor;
  run(): Promise<Record<string, string>>;
}

/** Two recipes whose images share a layer; the image of `liar` is at another host. */
async function pair(
  t: { after(fn: () => Promise<void>): void },
  order: readonly string[],
  { declaredSize, spooled = false }: { declaredSize?: number; spooled?: boolean } = {},
): Promise<Pair> {
  const scene = await openSyncScene();
  const other = await createRegistryDouble();
  t.after(async () => {
    await other.close();
    await scene[Symbol.asyncDispose]();
  });
  const bytes = randomBytes(200_000);
  const honest = scene.putImage('team/app', '1.0', { layers: [bytes] });
  const shared = other.putBlob('team/evil', bytes, layerType);
  const configuration = other.putBlob('team/evil', '{"os":"linux","architecture":"amd64"}');
  const image = other.putManifest(
    'team/evil',
    {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { ...configuration, mediaType: 'application/vnd.oci.image.config.v1+json' },
      layers: [{ ...shared, size: declaredSize ?? shared.size }],
    },
    { tag: '1.0' },
  );
  scene.publish('victim', '1.0.0', [toIngredient('app', 'team/app', '1.0', honest)]);
  scene.publish('liar', '1.0.0', [toIngredient('app', 'team/evil', '1.0', image, { host: other.host })]);
  await scene.setRetriever(order.map((name) => [name, '1.0.0']));
  const change = {
    registries: { insecure: [scene.origin.host, other.host] },
    ...(spooled ? { transfer: { resumeThreshold: 1 } } : {}),
  };
  return {
    scene,
    other,
    shared,
    run: async () => {
      const { task } = await scene.run({ change });
      const { plan } = await scene.plan({ change });
      const planned = plan.recipes.map(
        ({ name, ingredients }) => [`plan of ${name}`, ingredients[0]!.status] as const,
      );
      const ran = task.items
        .filter(({ name }) => !name.includes('/'))
        .map(({ name, error, status }) => [name.split('@')[0]!, error?.code ?? status] as const);
      return Object.fromEntries([...ran, ...planned]);
    },
  };
}

/**
 * Has the other host answer for the shared layer only when the victim asks its own host for a blob that it does not share.
 *
 * @returns whether it was asked: on a busy machine the recipe that comes first may not be the first to need the layer
 */
function holdUntilVictimWaits({ scene, other, shared }: Pair, lie: (bytes: Buffer) => Buffer): () => boolean {
  let isAsked = false;
  const victimWaits = Promise.withResolvers<void>();
  scene.origin.intercept(({ method, path }) => {
    if (method === 'GET' && path.includes('/team/app/blobs/')) victimWaits.resolve();
    return false;
  });
  other.intercept(async ({ method, path }, response) => {
    if (method !== 'GET' || !path.endsWith(`/blobs/${shared.digest}`)) return false;
    isAsked = true;
    await victimWaits.promise;
    const bytes = other.blob('team/evil', shared.digest)!;
    response.writeHead(200, { 'content-length': bytes.length });
    const sent = lie(bytes);
    if (sent.length === bytes.length) response.end(sent);
    else response.write(sent, () => response.destroy());
    return true;
  });
  return () => isAsked;
}

const tampered = (bytes: Buffer) => Buffer.concat([bytes.subarray(1), Buffer.from('x')]);
const cut = (bytes: Buffer) => bytes.subarray(0, 1000);

for (const spooled of [false, true])
  for (const order of [
    ['liar', 'victim'],
    ['victim', 'liar'],
  ]) {
    const how = `${order[0]} first${spooled ? ', with resumable downloads' : ''}`;
    for (const [name, lie, code] of [
      ['alters', tampered, 'SVC-SIG-002'],
      ['cuts', cut, 'SVC-REG-007'],
    ] as const)
      test(`a recipe gets a shared layer from its own source when another source ${name} it: ${how}`, async (t) => {
        const both = await pair(t, order, { spooled });
        const isFirst = order[0] === 'liar';
        const isAsked = isFirst ? holdUntilVictimWaits(both, lie) : () => false;
        if (!isFirst) both.other.corrupt('team/evil', both.shared.digest, lie(randomBytes(both.shared.size)));
        const outcomes = await both.run();
        assert.equal(outcomes.victim, 'done');
        assert.equal(outcomes['plan of victim'], 'up-to-date');
        if (isFirst) assert.equal(outcomes.liar, isAsked() ? code : 'done');
      });

    for (const declaredSize of [1, 100_000, 300_000])
      test(`a shared layer is held to the size that each manifest declares, ${declaredSize} of 200000 bytes: ${how}`, async (t) => {
        const both = await pair(t, order, { declaredSize, spooled });
        for (let i = 0; i < 2; i += 1) {
          const outcomes = await both.run();
          assert.equal(outcomes.victim, 'done');
          assert.equal(outcomes['plan of victim'], 'up-to-date');
          assert.match(outcomes.liar!, /SVC-(REG-007|SIG-002)/);
          assert.notEqual(outcomes['plan of liar'], 'up-to-date');
        }
      });
  }

for (const order of [
  ['liar', 'victim'],
  ['victim', 'liar'],
])
  test(`a false content type of a shared manifest fails only the recipe of that source: ${order[0]} first`, async (t) => {
    await using scene = await openSyncScene();
    await using other = await createRegistryDouble();
    const honest = scene.putImage('team/app', '1.0');
    const { bytes, mediaType } = scene.origin.manifest('team/app', '1.0')!;
    const { config, layers } = JSON.parse(bytes.toString()) as { config: Descriptor; layers: Descriptor[] };
    for (const { digest } of [config, ...layers])
      other.putBlob('team/evil', scene.origin.blob('team/app', digest)!);
    other.putManifest('team/evil', bytes, { tag: '1.0', mediaType });
    other.intercept(({ method, path }, response) => {
      if (method !== 'GET' || !path.includes('/manifests/')) return false;
      response.writeHead(200, { 'content-type': 'application/vnd.oci.image.index.v1+json' });
      response.end(bytes);
      return true;
    });
    // the manifest of the other host is read first
    const isRead = Promise.withResolvers<void>();
    other.intercept(({ path }) => {
      if (path.includes('/manifests/')) setImmediate(isRead.resolve);
      return false;
    });
    if (order[0] === 'liar')
      scene.origin.intercept(async ({ path }) => {
        if (path.includes('/team/app/manifests/')) await isRead.promise;
        return false;
      });
    t.after(() => isRead.resolve());
    scene.publish('victim', '1.0.0', [toIngredient('app', 'team/app', '1.0', honest)]);
    scene.publish('liar', '1.0.0', [toIngredient('app', 'team/evil', '1.0', honest, { host: other.host })]);
    // two versions with the same image: the second is read when the first is held
    scene.publish('victim', '2.0.0', [toIngredient('app', 'team/app', '1.0', honest)]);
    await scene.setRetriever([...order.map((name) => [name, '1.0.0'] as const), ['victim', '2.0.0']]);
    const change = { registries: { insecure: [scene.origin.host, other.host] } };
    const { task } = await scene.run({ change });
    const failed = task.items
      .filter(({ name, error }) => error && !name.includes('/'))
      .map(({ name }) => name);
    assert.deepEqual(
      failed.filter((name) => name.startsWith('victim')),
      [],
    );
  });
