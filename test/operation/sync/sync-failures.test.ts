import assert from 'node:assert/strict';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openContext } from '../../../src/operation/context.ts';
import { renderError } from '../../../src/text/message.ts';
import { createSigner, mergeClassic } from '../../kit/content/signer.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

/** A scene with one good recipe, `good`, beside which others may fail. */
async function openWithGood(): Promise<SyncScene> {
  const scene = await openSyncScene();
  const image = scene.putImage('library/good', '1.0');
  scene.publish('good', '1.0.0', [toIngredient('app', 'library/good', '1.0', image)]);
  return scene;
}

async function runBeside(scene: SyncScene, name: string, version = '1.0.0') {
  await scene.setRetriever([
    ['good', '1.0.0'],
    [name, version],
  ]);
  const { task, outcome } = await scene.run();
  const recipes = await scene.peek((store) => store.index.recipes().map((record) => record.name));
  assert.deepEqual(recipes, ['good'], 'the neighbour is complete, and only it');
  assert.deepEqual(outcome.recipes, { complete: 1, failed: 1 });
  const failed = task.items.filter(({ status }) => status === 'failed');
  return failed.map(({ name: item, error }) => ({ item, code: error?.code, params: error?.params }));
}

test('a constraint that nothing satisfies fails its entry alone and names the candidates', async () => {
  await using scene = await openWithGood();
  scene.publish('other', '1.0.0', [
    toIngredient('x', 'library/good', '1.0', scene.putImage('library/good', '1.0x')),
  ]);
  scene.publish('other', '1.2.0', [
    toIngredient('x', 'library/good', '1.0', scene.putImage('library/good', '1.0x')),
  ]);
  const [failure] = await runBeside(scene, 'other', '^2.0.0');
  assert.equal(failure?.code, 'SVC-REG-006');
  assert.equal(failure.params?.constraint, '^2.0.0');
  assert.deepEqual(failure.params?.candidates, ['1.2.0', '1.0.0'], 'signature tags are no candidates');
});

test('a recipe that is not there is named', async () => {
  await using scene = await openWithGood();
  const [failure] = await runBeside(scene, 'absent');
  assert.equal(failure?.code, 'SVC-REG-005');
  assert.match(String(failure.params?.reference), /cookbook\/absent:1\.0\.0$/);
  const { action } = renderError({ code: failure.code, params: failure.params ?? {} } as never, 'en');
  assert.match(action, /^Publish and sign absent \(svc recipe push\)/);
});

const other = (scene: SyncScene) => [
  toIngredient('app', 'library/other', '1.0', scene.putImage('library/other', '1.0')),
];

test('a foreign key, a missing signature, one of another subject and a broken one are refused, each with its reason', async () => {
  await using scene = await openWithGood();
  scene.publish('foreign', '1.0.0', other(scene), { signer: createSigner() });
  scene.publish('foreign-bundle', '1.0.0', other(scene), { signer: createSigner(), sign: 'bundle' });
  scene.publish('unsigned', '1.0.0', other(scene), { sign: 'none' });
  scene.publish('elsewhere', '1.0.0', other(scene), { signing: { tamper: 'other-subject' } });
  scene.publish('elsewhere-bundle', '1.0.0', other(scene), {
    sign: 'bundle',
    signing: { tamper: 'other-subject' },
  });
  scene.publish('broken', '1.0.0', other(scene), { signing: { tamper: 'broken-signature' } });
  const reasons: Record<string, unknown> = {};
  for (const name of ['foreign', 'foreign-bundle', 'unsigned', 'elsewhere', 'elsewhere-bundle', 'broken']) {
    const [failure] = await runBeside(scene, name);
    assert.equal(failure?.code, 'SVC-SIG-001', name);
    reasons[name] = failure.params?.reason;
  }
  assert.equal(reasons.unsigned, 'none');
  assert.equal(reasons.foreign, 'untrusted');
  assert.equal(reasons['foreign-bundle'], 'untrusted');
});

test('a tampered document is refused by its digest, and a re-pointed tag by its signature', async () => {
  await using scene = await openWithGood();
  const { origin } = scene;
  scene.publish('tampered', '1.0.0', other(scene));
  const manifest = JSON.parse(origin.manifest('cookbook/tampered', '1.0.0')!.bytes.toString());
  const bytes = Buffer.from(origin.blob('cookbook/tampered', manifest.layers[0].digest)!);
  bytes[bytes.length - 2] = bytes[bytes.length - 2]! ^ 1;
  origin.corrupt('cookbook/tampered', manifest.layers[0].digest, bytes);
  assert.equal((await runBeside(scene, 'tampered'))[0]?.code, 'SVC-SIG-002');

  scene.publish('swapped', '1.0.0', other(scene));
  const evil = scene.publish('swapped', '1.0.1', other(scene), { sign: 'none' });
  origin.tag('cookbook/swapped', '1.0.0', evil.digest);
  assert.equal((await runBeside(scene, 'swapped'))[0]?.code, 'SVC-SIG-001');
});

test('a source that cannot be asked for signatures is unreachable, not unsigned', async () => {
  await using scene = await openWithGood();
  scene.publish('silent', '1.0.0', other(scene));
  scene.origin.failNext(/cookbook\/silent\/manifests\/sha256-/, 500, { times: 10 });
  const [failure] = await runBeside(scene, 'silent');
  assert.notEqual(failure?.code, 'SVC-SIG-001');
});

test('a relaxed scope admits absence only', async () => {
  await using scene = await openWithGood();
  scene.publish('unsigned', '1.0.0', other(scene), { sign: 'none' });
  scene.publish('wrong', '1.0.0', other(scene), { signer: createSigner() });
  await scene.setRetriever([
    ['unsigned', '1.0.0'],
    ['wrong', '1.0.0'],
  ]);
  const scope = { name: 'lax', repositories: ['**'], allowUnsigned: true };
  const { task } = await scene.run({
    change: { trust: { roots: [{ name: 'ours', key: scene.signer.publicKeyPem }], scopes: [scope] } },
  });
  assert.deepEqual(
    task.items.filter(({ status }) => status === 'failed').map(({ name, error }) => [name, error?.code]),
    [['wrong@1.0.0', 'SVC-SIG-001']],
  );
  const [record] = await scene.peek((store) => store.index.recipes());
  assert.equal(record?.verified, false);
  assert.equal(record.trustScope, 'lax');
});

test('what the recipe says of an ingredient must hold: platform, artifact type, chart', async () => {
  await using scene = await openWithGood();
  const image = scene.putImage('library/multi', '1.0', { platforms: ['linux/amd64', 'linux/arm64/v8'] });
  scene.publish('platform', '1.0.0', [
    toIngredient('app', 'library/multi', '1.0', image, { platforms: ['linux/arm64', 'linux/s390x'] }),
  ]);
  const [absent, whole] = await runBeside(scene, 'platform');
  assert.equal(absent?.item, 'platform@1.0.0/app');
  assert.equal(absent.code, 'SVC-REG-008');
  assert.deepEqual(absent.params?.platforms, ['linux/s390x']);
  assert.deepEqual(absent.params?.available, ['linux/amd64', 'linux/arm64']);
  assert.equal(whole?.item, 'platform@1.0.0');

  const single = scene.putImage('library/single', '1.0');
  scene.publish('single', '1.0.0', [
    toIngredient('app', 'library/single', '1.0', single, { platforms: ['linux/arm64'] }),
  ]);
  assert.equal((await runBeside(scene, 'single'))[0]?.code, 'SVC-REG-008');

  scene.publish('typed', '1.0.0', [
    toIngredient('app', 'library/single', '1.0', single, {
      kind: 'OCIArtifact',
      artifactType: 'application/x.thing',
    }),
  ]);
  assert.equal((await runBeside(scene, 'typed'))[0]?.code, 'SVC-SIG-003');

  scene.publish('chart', '1.0.0', [
    toIngredient('app', 'library/single', '1.0', single, { kind: 'HelmChart' }),
  ]);
  assert.equal((await runBeside(scene, 'chart'))[0]?.code, 'SVC-SIG-003');
});

test('an ingredient that is missing or altered at its source fails its recipe alone', async () => {
  await using scene = await openWithGood();
  scene.publish('lost', '1.0.0', [
    toIngredient('app', 'library/lost', '1.0', { digest: `sha256:${'a'.repeat(64)}` }),
  ]);
  assert.equal((await runBeside(scene, 'lost'))[0]?.code, 'SVC-REG-005');

  const image = scene.putImage('library/altered', '1.0');
  const manifest = JSON.parse(scene.origin.manifest('library/altered', '1.0')!.bytes.toString());
  scene.origin.corrupt(
    'library/altered',
    manifest.layers[0].digest,
    Buffer.alloc(manifest.layers[0].size, 7),
  );
  scene.publish('altered', '1.0.0', [toIngredient('app', 'library/altered', '1.0', image)]);
  assert.equal((await runBeside(scene, 'altered'))[0]?.code, 'SVC-SIG-002');
});

test('hosts off the list are refused before anything is asked of them', async () => {
  await using scene = await openWithGood();
  scene.publish('far', '1.0.0', [
    toIngredient('app', 'library/x', '1.0', { digest: `sha256:${'b'.repeat(64)}` }, { host: 'far.example' }),
  ]);
  await scene.setRetriever([
    ['good', '1.0.0'],
    ['far', '1.0.0'],
  ]);
  const change = { registries: { allowlist: [scene.origin.host] } };
  const { task } = await scene.run({ change });
  const failed = task.items.find(({ name }) => name === 'far@1.0.0/app');
  assert.equal(failed?.error?.code, 'SVC-POL-001');
  assert.equal(failed.error.params.host, 'far.example');

  scene.origin.requests.length = 0;
  const none = await scene.run({ change: { registries: { allowlist: [] } } });
  assert.equal(scene.origin.requests.length, 0);
  assert.deepEqual(
    [...new Set(none.task.items.flatMap(({ error }) => (error ? [error.code] : [])))],
    ['SVC-POL-001'],
  );
});

test('when keys rotate the source is asked for its signatures before anything is refused', async () => {
  await using scene = await openWithGood();
  const { origin, signer } = scene;
  const next = createSigner();
  await scene.setRetriever([['good', '1.0.0']]);
  await scene.run();
  const rotated = { trust: { roots: [{ name: 'next', key: next.publicKeyPem }] } };
  const refused = await scene.run({ change: rotated });
  assert.equal(refused.task.items.find(({ name }) => name === 'good@1.0.0')?.error?.code, 'SVC-SIG-001');

  const stored = origin.manifest('cookbook/good', '1.0.0')!;
  const subject = { mediaType: stored.mediaType, digest: stored.digest, size: stored.bytes.length };
  scene.pushSignature(
    'cookbook/good',
    mergeClassic(subject, [signer.sign(subject, 'classic'), next.sign(subject, 'classic')]),
  );
  const accepted = await scene.run({ change: rotated });
  assert.equal(accepted.task.counts.failed, 0);
  assert.equal((await scene.peek((store) => store.index.recipes()))[0]?.keyFingerprint, next.fingerprint);

  origin.requests.length = 0;
  await scene.run({ change: rotated });
  assert.equal(origin.requests.length, 3, 'version, classic signature, referrers');
});

test('a published recipe whose content changes is refused', async () => {
  await using scene = await openWithGood();
  await scene.setRetriever([['good', '1.0.0']]);
  await scene.run();
  scene.publish('good', '1.0.0', other(scene));
  const { task } = await scene.run();
  const failed = task.items.find(({ status }) => status === 'failed');
  assert.equal(failed?.error?.code, 'SVC-POL-004');
});

test('a blob that was lost from the disk is fetched again', async () => {
  await using scene = await openWithGood();
  await scene.setRetriever([['good', '1.0.0']]);
  await scene.run();
  const image = JSON.parse(scene.origin.manifest('library/good', '1.0')!.bytes.toString());
  const path = join(scene.storeRoot, 'blobs', 'sha256', image.layers[0].digest.slice(7));
  await unlink(path);
  const { plan, exit_code } = await scene.plan();
  assert.equal(exit_code, 5);
  assert.equal(plan.totals.transferBytes, image.layers[0].size);
  const { outcome } = await scene.run();
  assert.equal(outcome.recipes.failed, 0);
  assert.equal(
    (await readdir(join(scene.storeRoot, 'blobs', 'sha256'))).includes(image.layers[0].digest.slice(7)),
    true,
  );
});

test('a run whose recipes all failed ends as a failure, in its metric and in the record of the last sync', async () => {
  await using scene = await openSyncScene();
  const good = toIngredient('x', 'library/x', '1', scene.putImage('library/x', '1'));
  const bad = toIngredient('y', 'library/y', '1', { digest: `sha256:${'1'.repeat(64)}` });
  scene.publish('good', '1.0.0', [good]);
  scene.publish('bad', '1.0.0', [bad]);
  const outcomes: string[] = [];
  const meter = {
    set: () => {},
    add: (name: string, _value: number, labels?: Readonly<Record<string, string>>) => {
      if (name === 'svc_sync_runs_total') outcomes.push(labels!.outcome!);
    },
  };
  const runs = [
    [['bad', '1.0.0']],
    [
      ['good', '1.0.0'],
      ['bad', '1.0.0'],
    ],
    [['good', '1.0.0']],
  ] as const;
  const recorded: unknown[] = [];
  for (const recipes of runs) {
    await scene.setRetriever(recipes);
    await using context = await openContext(scene.config(), {
      report: { ...scene.report, meter, child: () => ({ ...scene.report, meter }) },
      version: '0.0.0-test',
    });
    await scene.run({ context });
    recorded.push(await scene.peek((store) => store.lastSync?.outcome));
  }
  assert.deepEqual(outcomes, ['failure', 'partial', 'success']);
  assert.deepEqual(recorded, ['failure', 'partial', 'success']);
});
