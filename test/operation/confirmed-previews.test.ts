import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAccounts } from '../../src/account/accounts.ts';
import { fingerprintAccount, fingerprintToken } from '../../src/account/fingerprint.ts';
import { openLayout } from '../../src/archive/open-layout.ts';
import { importLayout as bring } from '../../src/engine/layout/import-layout.ts';
import { openContext } from '../../src/operation/context.ts';
import { importLayout, planLayoutImport } from '../../src/operation/import-layout.ts';
import { previewPrune, projectPrune, requireShownPrune } from '../../src/operation/prune-preview.ts';
import { resetStore } from '../../src/operation/reset-store.ts';
import { ShownPlan } from '../../src/operation/shown-plan.ts';
import { emptyStore } from '../../src/store/empty-store.ts';
import { countContent } from '../../src/store/occupancy.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import type { SvcError } from '../../src/text/error.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openTempStore } from '../kit/instance/temp-store.ts';
import { openLayoutScene } from '../kit/scene/layout-scene.ts';
import { openSyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

const changed = { code: 'SVC-SRV-007' };
const hashing = { timeCost: 1, memoryCost: 64, parallelism: 1 };
const imported = { provenance: 'import' } as const;

test('an account is deleted as it was shown: not with another role, and not after it signed in', async () => {
  await using folder = await openTempFolder();
  await using accounts = openAccounts({ stateRoot: join(folder.path, 'state'), hashing });
  await accounts.create({ name: 'root', password: 'the first one' });
  await accounts.create({ name: 'olga', password: 'the second one' });
  const fingerprint = async () => fingerprintAccount(await accounts.get('olga'));
  const first = await fingerprint();
  await accounts.update('olga', { role: 'operator' });
  await assert.rejects(accounts.delete('olga', { fingerprint: first }), changed);
  const second = await fingerprint();
  const deletion = accounts.delete('olga', { fingerprint: second });
  // while the deletion waits for the lock of the file
  accounts.recordLogin('olga');
  await assert.rejects(deletion, changed);
  assert.equal((await accounts.get('olga')).role, 'operator');
  await accounts.delete('olga', { fingerprint: await fingerprint() });
  await assert.rejects(accounts.get('olga'), { code: 'SVC-AUTH-010' });
});

test('an account that was deleted and created anew is another one', async () => {
  await using folder = await openTempFolder();
  await using accounts = openAccounts({ stateRoot: join(folder.path, 'state'), hashing });
  await accounts.create({ name: 'root', password: 'the first one' });
  await accounts.create({ name: 'olga', password: 'the second one' });
  const fingerprint = fingerprintAccount(await accounts.get('olga'));
  await accounts.delete('olga');
  await accounts.create({ name: 'olga', password: 'the third one' });
  await assert.rejects(accounts.delete('olga', { fingerprint }), changed);
  assert.equal((await accounts.list()).length, 2);
});

test('a token is revoked as it was shown', async () => {
  await using folder = await openTempFolder();
  await using accounts = openAccounts({ stateRoot: join(folder.path, 'state'), hashing });
  const { secret } = await accounts.tokens.create({ name: 'pipeline', role: 'viewer' });
  const [shown] = await accounts.tokens.list();
  const fingerprint = fingerprintToken(shown!);
  await assert.rejects(
    accounts.tokens.revoke('pipeline', { fingerprint: `sha256:${'0'.repeat(64)}` }),
    changed,
  );
  assert.ok(accounts.findToken(secret), 'the token still works');
  await accounts.tokens.revoke('pipeline', { fingerprint });
  assert.equal(accounts.findToken(secret), undefined);
  await assert.rejects(accounts.tokens.revoke('pipeline', { fingerprint }), changed);
});

test('a store that gained content since it was shown is not emptied, also while the reset waits for its turn', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const put = (name: string): Promise<unknown> =>
    pushArtifact(openRepository(store, name, { owner: imported }), buildImage(name), '1');
  const reset = (fingerprint: string): Promise<unknown> =>
    resetStore(
      {
        store,
        tasks: { whileIdle: (work) => work() },
        verifier: { state: () => ({ guarded: false, serving: 'open', mediaId: store.mediaId }) },
        report: createRecordingReport(),
      },
      { confirmation: 'RESET', actor: 'admin', fingerprint },
    );
  await put('one');
  const { mediaId } = store;
  const stale = countContent(store);
  assert.deepEqual([stale.repositories, stale.tags], [1, 1]);
  await put('two');
  await assert.rejects(reset(stale.fingerprint), changed);
  const { fingerprint } = countContent(store);
  const [, outcome] = await Promise.allSettled([put('three'), reset(fingerprint)]);
  if (outcome.status === 'fulfilled') assert.ok(!store.index.hasRepository('two'));
  else {
    assert.equal(outcome.reason.code, 'SVC-SRV-007');
    assert.deepEqual(store.index.repositories(), ['one', 'three', 'two']);
    assert.equal(store.mediaId, mediaId);
  }
});

test('a check that refuses to empty a store leaves it usable', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const open = openRepository(store, 'm', { owner: imported });
  await pushArtifact(open, buildImage('one'), '1');
  const refuse = (): void => {
    throw new Error('not this one');
  };
  await assert.rejects(emptyStore(store, refuse), /not this one/);
  await pushArtifact(open, buildImage('two'), '2');
  assert.deepEqual(
    store.index.tags('m').map(({ tag }) => tag),
    ['1', '2'],
  );
});

test('a prune that would remove other tags than were confirmed removes nothing, and the task says so', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('library/shared', '1.0');
  for (const name of ['stays', 'leaves', 'later'])
    scene.publish(name, '1.0.0', [toIngredient('a', 'library/shared', '1.0', image)]);
  const retrieve = (...names: string[]) => scene.setRetriever(names.map((name) => [name, '1.0.0']));
  await retrieve('stays', 'leaves', 'later');
  await scene.run();
  await retrieve('stays', 'later');
  const { fingerprint, items } = await scene.preview();
  assert.deepEqual([...new Set(items.map(({ recipe }) => recipe))], ['leaves@1.0.0']);
  await retrieve('stays');
  const names = () =>
    scene.peek(({ index }) =>
      index
        .recipes()
        .map(({ name }) => name)
        .sort(),
    );
  const before = await names();
  await assert.rejects(scene.run({ prune: true, pruneFingerprint: fingerprint }), {
    ...changed,
    params: { subject: 'prune' },
  });
  for (const name of ['leaves', 'later'])
    assert.ok(
      await scene.peek(({ index }) =>
        index.hasRepository(`${scene.origin.host.replace(':', '_')}/cookbook/${name}`),
      ),
      `${name} is still there, of ${before.join(' ')}`,
    );
  const anew = await scene.preview();
  assert.notEqual(anew.fingerprint, fingerprint);
  const { task } = await scene.run({ prune: true, pruneFingerprint: anew.fingerprint });
  assert.equal(task.pruned?.length, anew.items.length);
  assert.deepEqual(await names(), ['stays']);
});

test('a synchronization that rests on an old preview of its prune is refused before there is a task', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('library/shared', '1.0');
  for (const name of ['stays', 'leaves'])
    scene.publish(name, '1.0.0', [toIngredient('a', 'library/shared', '1.0', image)]);
  await scene.setRetriever([
    ['stays', '1.0.0'],
    ['leaves', '1.0.0'],
  ]);
  await scene.run();
  const nothing = await scene.preview();
  await scene.setRetriever([['stays', '1.0.0']]);
  await using store = await scene.openStore();
  await using context = await openContext(scene.config(), {
    report: scene.report,
    version: '0.0.0-test',
    spool: true,
  });
  const shown = new ShownPlan();
  await assert.rejects(requireShownPrune(context, store, shown, nothing.fingerprint, 10_000), changed);
  assert.equal(await shown.take(store), undefined);
});

test('a preview that a silent source keeps waiting is an error, and a confirmation is left to the run', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('library/shared', '1.0');
  scene.publish('stays', '1.0.0', [toIngredient('a', 'library/shared', '1.0', image)]);
  await scene.setRetriever([['stays', '^1.0']]);
  await scene.run();
  const { fingerprint } = await scene.preview();
  scene.origin.intercept(() => true);
  await using store = await scene.openStore();
  await using context = await openContext(scene.config(), {
    report: scene.report,
    version: '0.0.0-test',
    spool: true,
  });
  await assert.rejects(previewPrune(context, store, 50), (error: SvcError) => {
    assert.deepEqual(
      [error.code, error.params.detail, error.params.problem],
      ['SVC-REG-002', 'its answer took longer than 50ms', 'slow'],
    );
    return true;
  });
  using shown = new ShownPlan();
  await requireShownPrune(context, store, shown, fingerprint, 50);
  const cancelled = new AbortController();
  const taken = shown.take(store, cancelled.signal);
  cancelled.abort(new Error('the run is cancelled'));
  await assert.rejects(taken, /the run is cancelled/);
});

test('sources that answer after the trigger was answered are asked once: the run waits for what the trigger began', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('library/shared', '1.0');
  scene.publish('stays', '1.0.0', [toIngredient('a', 'library/shared', '1.0', image)]);
  await scene.setRetriever([['stays', '^1.0']]);
  await scene.run();
  await using store = await scene.openStore();
  await using context = await openContext(scene.config(), {
    report: scene.report,
    version: '0.0.0-test',
    spool: true,
  });
  const far = Promise.withResolvers<boolean>();
  scene.origin.intercept(() => far.promise);
  scene.origin.requests.splice(0);
  using shown = new ShownPlan();
  const late = await projectPrune(context, store, shown, 1);
  assert.equal('error' in late && late.error.code, 'SVC-REG-002');
  const taken = shown.take(store);
  far.resolve(false);
  const prepared = await taken;
  assert.equal(prepared?.plan.outcome, 'up-to-date');
  const asked = scene.origin.requests.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(asked, [...new Set(asked)], 'no request was sent twice');
  assert.equal(await shown.take(store), undefined, 'it is for one run');
});

test('a layout import that would replace other content than its plan showed stores nothing', async () => {
  await using scene = await openLayoutScene();
  const exported = await scene.svc('medium', ['export', scene.path('out.tar')]);
  assert.equal(exported.exitCode, 0, exported.stderr);
  await using zone = await openSyncScene();
  await using store = await zone.openStore();
  const configured = { config: zone.config(), report: zone.report };
  const input = scene.path('out.tar');
  const { fingerprint } = await planLayoutImport(configured, { store, input });
  const mine = buildImage('mine');
  await pushArtifact(openRepository(store, 'local/strong', { owner: imported }), mine, 'v1');
  const request = { openStore: async () => store, input, actor: 'admin' };
  await assert.rejects(importLayout(configured, { ...request, fingerprint }), changed);
  assert.deepEqual(store.index.repositories(), ['local/strong']);
  const anew = await planLayoutImport(configured, { store, input });
  assert.equal(anew.entries.find(({ reference }) => reference === 'local/strong:v1')?.status, 'outdated');
  const { failed } = await importLayout(configured, { ...request, fingerprint: anew.fingerprint });
  assert.equal(failed, 0);
  assert.notEqual(store.index.tag('local/strong', 'v1')?.digest, mine.manifest.descriptor.digest);
});

test('a tag that changes during a confirmed layout import keeps what it names; the other entries go in', async () => {
  await using scene = await openLayoutScene();
  const exported = await scene.svc('medium', ['export', scene.path('out.tar')]);
  assert.equal(exported.exitCode, 0, exported.stderr);
  await using temp = await openTempStore();
  const { store } = temp;
  await using layout = await openLayout(scene.path('out.tar'));
  const mine = buildImage('mine');
  let isPlanned = false;
  let put: Promise<unknown> | undefined;
  const source = Object.create(layout.source, {
    // everything of the layout was planned, and nothing has been stored
    fetchManifest: {
      value: async (...asked: Parameters<typeof layout.source.fetchManifest>) => {
        if (isPlanned)
          put ??= pushArtifact(openRepository(store, 'local/strong', { owner: imported }), mine, 'v1');
        await put;
        return layout.source.fetchManifest(...asked);
      },
    },
  });
  const { entries } = await bring({
    layout: Object.create(layout, { source: { value: source } }),
    store,
    target: {},
    isConfirmed: true,
    onPlan: () => {
      isPlanned = true;
    },
  });
  assert.deepEqual(
    entries.flatMap(({ reference, error }) => (error ? [`${reference} ${error.code}`] : [])),
    ['local/strong:v1 SVC-SRV-007'],
  );
  assert.equal(store.index.tag('local/strong', 'v1')?.digest, mine.manifest.descriptor.digest);
  assert.ok(entries.length > 3);
});
