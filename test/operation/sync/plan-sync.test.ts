import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import { openContext } from '../../../src/operation/context.ts';
import { planSync } from '../../../src/operation/plan-sync.ts';
import { svcError, toExitCode } from '../../../src/text/error.ts';
import { quote } from '../../../src/text/rule.ts';
import { openSyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

async function hashFolder(root: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries.sort((a, b) =>
    join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1,
  )) {
    hash.update(join(entry.parentPath, entry.name));
    if (entry.isFile()) hash.update(await readFile(join(entry.parentPath, entry.name)));
  }
  return hash.digest('hex');
}

test('a plan works without a store, creates none, and has the result of the run', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('library/app', '1.0', {
    platforms: ['linux/amd64', 'linux/arm64', 'linux/s390x'],
  });
  scene.publish('shop', '1.0.0', [
    toIngredient('app', 'library/app', '1.0', image, { platforms: ['linux/amd64'] }),
  ]);
  await scene.setRetriever([['shop', '*']]);

  const { plan, exit_code } = await scene.plan();
  assert.equal(exit_code, 5);
  assert.equal(plan.outcome, 'changes-planned');
  assert.equal(existsSync(scene.storeRoot), false);
  assert.equal(scene.origin.count(/GET .*library\/app\/blobs/), 0, 'no content moves');
  assert.deepEqual(
    plan.recipes.map(({ name, requested, resolved, signature }) => ({
      name,
      requested,
      resolved,
      signature,
    })),
    [{ name: 'shop', requested: '*', resolved: '1.0.0', signature: 'verified' }],
  );
  assert.equal(plan.recipes[0]?.ingredients[0]?.status, 'new');
  assert.equal(plan.totals.projectedStoreBytes, plan.totals.transferBytes);
  assert.deepEqual(plan.policy, {
    allowlistDeclared: false,
    hosts: [
      { host: scene.origin.host, role: 'cookbook', allowed: true },
      { host: scene.origin.host, role: 'ingredient', allowed: true },
    ],
  });
  assert.deepEqual(
    plan.checks.map(({ target }) => target),
    ['store', 'state'],
  );

  const { task } = await scene.run();
  assert.equal(task.progress.bytesTotal, plan.totals.transferBytes);
  assert.equal(task.progress.bytesDone, plan.totals.transferBytes);

  const before = await hashFolder(scene.storeRoot);
  const again = await scene.plan();
  assert.equal(again.exit_code, 0);
  assert.equal(again.plan.outcome, 'up-to-date');
  assert.equal(again.plan.totals.transferBytes, 0);
  assert.equal(await hashFolder(scene.storeRoot), before, 'the store is byte-identical');
});

test('the exit code of a plan is that of its principal problem', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('library/app', '1.0');
  scene.publish('fine', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)]);
  scene.publish('unsigned', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)], { sign: 'none' });
  await scene.setRetriever([
    ['fine', '1.0.0'],
    ['unsigned', '1.0.0'],
    ['absent', '1.0.0'],
  ]);
  const verification = await scene.plan();
  assert.equal(verification.exit_code, 4);
  assert.equal(verification.plan.outcome, 'verification-failed');
  assert.deepEqual(
    verification.plan.recipes.map(({ signature }) => signature),
    ['verified', 'refused', 'not-evaluated'],
  );
  assert.equal(verification.plan.prune.evaluated, false);

  const policy = await scene.plan({ change: { registries: { allowlist: ['elsewhere.example'] } } });
  assert.equal(policy.exit_code, 3);
  assert.equal(policy.plan.outcome, 'policy-refused');

  await scene.setRetriever([
    ['fine', '1.0.0'],
    ['absent', '1.0.0'],
  ]);
  assert.equal((await scene.plan()).exit_code, 1);
});

test('a Retriever that cannot be had or used, the caller’s too, is a failed plan and no error', async () => {
  await using scene = await openSyncScene();
  const gone = await scene.plan({ change: { retriever: { source: '/nowhere/retriever.yaml' } } });
  assert.equal(gone.exit_code, 1);
  assert.equal(gone.plan.problems[0]?.code, 'SVC-REG-005');
  const unusable = await scene.plan({ document: Buffer.from('kind: Nonsense') });
  assert.deepEqual(
    [unusable.exit_code, unusable.plan.source, unusable.plan.problems[0]?.code],
    [toExitCode(svcError('SVC-VAL-001', { file: '', path: '', rule: quote('') })), 'document', 'SVC-VAL-001'],
  );
  const config = { ...scene.config(), retriever: {} };
  await using context = await openContext(config, { report: silentReport, version: '0.0.0-test' });
  const unset = await planSync(context, { store: undefined });
  assert.deepEqual([unset.exit_code, unset.plan.problems[0]?.code], [1, 'SVC-CFG-001']);
});

test('a plan evaluates what a prune would remove, and what the destination holds', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('library/app', '1.0');
  scene.publish('old', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)]);
  scene.publish('kept', '1.0.0', [
    toIngredient('app', 'library/kept', '1.0', scene.putImage('library/kept', '1.0')),
  ]);
  await scene.setRetriever([
    ['old', '1.0.0'],
    ['kept', '1.0.0'],
  ]);
  await scene.run();
  await scene.setRetriever([['kept', '1.0.0']]);
  const { plan, exit_code } = await scene.plan({
    change: { destination: { registry: scene.origin.host, basePath: 'zone', cookbook: 'zone-cookbook' } },
  });
  assert.equal(exit_code, 5);
  assert.equal(plan.prune.evaluated, true);
  assert.deepEqual(
    plan.prune.items.map(({ recipe }) => recipe),
    plan.prune.items.map(() => 'old@1.0.0'),
  );
  assert.equal(
    plan.prune.items.some(({ repository }) => repository.endsWith('library/app')),
    true,
  );
  assert.equal(plan.recipes[0]?.ingredients[0]?.destinationStatus, 'new');
  const skipped = await scene.plan({
    change: { destination: { registry: 'unreachable.invalid', cookbook: 'c' } },
    skipDestination: true,
  });
  assert.equal(skipped.plan.recipes[0]?.ingredients[0]?.destinationStatus, undefined);
  assert.deepEqual(skipped.plan.promotion, { bytes: 0, unasked: 2 });
});

test('a plan counts what a promotion pushes, as far as the tags of the destination tell', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('library/app', '1.0');
  scene.publish('shop', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)]);
  scene.publish('blocked', '1.0.0', [toIngredient('app', 'library/other', '1.0', image)], { sign: 'none' });
  await scene.setRetriever([['shop', '1.0.0']]);
  const destination = { registry: scene.origin.host, basePath: 'zone', cookbook: 'zone-cookbook' };
  const change = { destination };

  assert.equal((await scene.plan()).plan.promotion, undefined, 'nothing is promoted');
  const { plan } = await scene.plan({ change });
  assert.deepEqual(plan.promotion, { bytes: plan.totals.transferBytes, unasked: 0 });
  const { outcome } = await scene.run({ change });
  const signatures = outcome.movedBytes - plan.totals.transferBytes;
  assert.ok(signatures < 2048, 'only signatures are not counted');
  assert.equal(outcome.promotedBytes, plan.promotion!.bytes + signatures);
  assert.deepEqual((await scene.plan({ change })).plan.promotion, { bytes: 0, unasked: 0 });

  await scene.setRetriever([
    ['shop', '1.0.0'],
    ['blocked', '1.0.0'],
  ]);
  const partly = await scene.plan({ change });
  assert.deepEqual([partly.exit_code, partly.plan.promotion], [4, { bytes: 0, unasked: 0 }]);
  const away = await scene.plan({ change: { destination: { ...destination, registry: '127.0.0.1:1' } } });
  assert.deepEqual(away.plan.promotion, { bytes: 0, unasked: 2 });
});

test('entries that resolve to one recipe have a row each, and their bytes count once', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('library/x', '1');
  scene.publish('app', '1.0.0', [toIngredient('x', 'library/x', '1', image)]);
  await scene.setRetriever([['app', '1.0.0']]);
  const { plan: alone } = await scene.plan();
  await scene.setRetriever([
    ['app', '1.0.0'],
    ['app', '^1.0'],
  ]);
  const { plan } = await scene.plan();
  assert.deepEqual(
    plan.recipes.map(({ requested, resolved }) => [requested, resolved]),
    [
      ['1.0.0', '1.0.0'],
      ['^1.0', '1.0.0'],
    ],
  );
  const { recipes: _, ...totals } = plan.totals;
  const { recipes: __, ...once } = alone.totals;
  assert.deepEqual(totals, once);
  const { task } = await scene.run();
  const rows = task.resolutions?.filter(({ ingredient }) => ingredient === undefined);
  assert.deepEqual(
    rows?.map(({ requested }) => requested),
    ['1.0.0', '^1.0'],
  );
  assert.equal(task.items.length, 2);
});

test('errors of resolution are part of the plan, and are not logged', async () => {
  await using scene = await openSyncScene();
  scene.publish('app', '1.0.0', [toIngredient('x', 'library/x', '1', scene.putImage('library/x', '1'))], {
    sign: 'none',
  });
  await scene.setRetriever([
    ['app', '1.0.0'],
    ['absent', '^1.0'],
  ]);
  const { plan } = await scene.plan();
  assert.equal(plan.problems.length, 2);
  const errors = () => scene.report.records.filter(({ level }) => level === 'error').length;
  assert.equal(errors(), 0);
  await scene.run();
  assert.equal(errors(), 2, 'a run does');
});
