import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Artifact, buildImage } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { runSvc } from '../../kit/program/svc.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { buildMedium } from '../../kit/scene/medium.ts';

const signer = createSigner();
const [older, newer] = ['older', 'newer'].map((name) => buildImage(name, { ownLayers: 1 })) as [
  Artifact,
  Artifact,
];
const repository = 'origin.example/shop/web';

const toMedium = (version: string, artifact: Artifact, resolvedAt: string) =>
  buildMedium({
    signer,
    resolvedAt,
    recipes: [
      {
        name: 'shop',
        version,
        layout: 'bundle',
        ingredients: [{ name: 'image', kind: 'ContainerImage', ref: repository, tag: 'stable', artifact }],
      },
    ],
  });

/** A zone, and two media for it: the older one has the lower version under the same tag. */
async function openZone() {
  const stack = new AsyncDisposableStack();
  const registry = stack.use(await createRegistryDouble());
  const old = stack.use(await toMedium('1.1.0', older, '2026-01-01T00:00:00.000Z'));
  const late = stack.use(await toMedium('1.2.0', newer, '2026-01-02T00:00:00.000Z'));
  const state = join(old.folder, 'zone-state');
  const config = join(old.folder, 'zone.json');
  await mkdir(state);
  await writeFile(
    config,
    JSON.stringify({
      zone: 'zone-b',
      state: { root: state },
      destination: { registry: registry.host },
      registries: { insecure: [registry.host] },
      trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
    }),
  );
  return {
    registry,
    old: old.root,
    late: late.root,
    claims: () => readdir(join(state, 'media', 'landing')),
    tag: () => registry.manifest(repository, 'stable')?.digest,
    take: (root: string, signal?: AbortSignal) =>
      runSvc(['media', 'import', root, '--config', config, '--output', 'json'], {
        ...(signal ? { signal } : {}),
      }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('a recipe whose import is killed after its last tag, before its record, takes no harm from an older medium', async () => {
  await using zone = await openZone();
  const killed = new AbortController();
  // the tag of the recipe is put last, and asked for once more
  let isPut = false;
  const restore = zone.registry.intercept(({ method, path }) => {
    if (!path.endsWith('/cookbook/shop/manifests/1.2.0')) return false;
    if (isPut && method === 'HEAD') killed.abort();
    if (method === 'PUT') isPut = true;
    return killed.signal.aborted;
  });
  const torn = await zone.take(zone.late, killed.signal);
  assert.equal(torn.signal, 'SIGKILL', torn.stderr);
  restore();
  assert.equal(zone.tag(), newer.manifest.descriptor.digest);
  assert.equal((await zone.claims()).filter((name) => name.endsWith('.json')).length, 1);
  const { exitCode, stdout, stderr } = await zone.take(zone.old);
  assert.equal(exitCode, 0, stderr);
  assert.equal(JSON.parse(stdout).task.counts.failed, 0);
  assert.equal(zone.tag(), newer.manifest.descriptor.digest, 'the tag stays with the later medium');
  assert.deepEqual(await zone.claims(), [], 'the claim is settled');
});

test('an import that is killed before it gave a tag keeps none from an older medium', async () => {
  await using zone = await openZone();
  const killed = new AbortController();
  const restore = zone.registry.intercept(({ method, path }) => {
    if (method === 'POST' && path.includes('/blobs/uploads/')) killed.abort();
    return killed.signal.aborted;
  });
  const torn = await zone.take(zone.late, killed.signal);
  assert.equal(torn.signal, 'SIGKILL', torn.stderr);
  restore();
  assert.equal((await zone.claims()).filter((name) => name.endsWith('.json')).length, 1);
  assert.equal((await zone.take(zone.old)).exitCode, 0);
  assert.equal(zone.tag(), older.manifest.descriptor.digest);
  assert.equal((await zone.take(zone.late)).exitCode, 0);
  assert.equal(zone.tag(), newer.manifest.descriptor.digest);
  assert.deepEqual(await zone.claims(), []);
});
