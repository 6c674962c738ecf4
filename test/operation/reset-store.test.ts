import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { VerificationState } from '../../src/contract/medium.ts';
import type { ResetResult } from '../../src/contract/store.ts';
import { type ResetStoreInput, resetStore } from '../../src/operation/reset-store.ts';
import { occupancyOf } from '../../src/store/occupancy.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { recordSync } from '../../src/store/record-sync.ts';
import { writeRest } from '../../src/store/rest/write-rest.ts';
import { createBlobWriter } from '../../src/store/write-blob.ts';
import { openTasks, type Tasks } from '../../src/task/queue.ts';
import { isSvcError, type SvcError } from '../../src/text/error.ts';
import { buildIndex, pushArtifact } from '../kit/content/content.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempStore } from '../kit/instance/temp-store.ts';

/** A store with content that a sync recorded, at rest, and a queue whose tasks end when they are told. */
async function openScene() {
  const cleanup = new AsyncDisposableStack();
  const temp = cleanup.use(await openTempStore({ mode: 'mirror' }));
  const { store } = temp;
  const owner = { provenance: 'recipe', recipe: 'shop@1.0.0' } as const;
  for (const name of ['a', 'a/b'])
    await pushArtifact(
      openRepository(store, name, { owner }),
      buildIndex(name, ['linux/amd64', 'linux/arm64']),
      'v1',
    );
  await recordSync(store, { zone: 'z', runId: 'r', resolvedAt: new Date().toISOString() }, []);
  await writeRest(store);
  const report = createRecordingReport();
  const held = Promise.withResolvers<void>();
  /** Repositories that were there when a task started. */
  const seen: number[] = [];
  const tasks: Tasks = cleanup.use(
    await openTasks({
      stateRoot: temp.stateRoot,
      keepFinished: 0,
      report,
      run: () => {
        seen.push(store.index.repositories().length);
        return held.promise;
      },
    }),
  );
  tasks.start();
  let state: VerificationState = { guarded: false, serving: 'open', mediaId: store.mediaId };
  const reset = (input: Partial<ResetStoreInput> = {}): Promise<ResetResult> =>
    resetStore(
      { store, tasks, verifier: { state: () => state }, report },
      { confirmation: 'RESET', actor: 'admin', ...input },
    );
  return {
    temp,
    store,
    tasks,
    report,
    seen,
    reset,
    refuse: (input?: Partial<ResetStoreInput>): Promise<SvcError> =>
      reset(input).then(
        () => assert.fail('it was emptied'),
        (error: unknown) => {
          assert.ok(isSvcError(error), String(error));
          return error;
        },
      ),
    submit: () => tasks.submit({ type: 'sync', reference: 'r', actor: 'test' }),
    release: held.resolve,
    walk: (isRunning: boolean) => {
      const running = {
        startedAt: new Date().toISOString(),
        stage: 'recipes',
        files: 0,
        bytes: 0,
        recipes: [],
      } as const;
      state = { guarded: false, serving: 'open', mediaId: store.mediaId, ...(isRunning ? { running } : {}) };
    },
    blobs: () => readdirSync(join(temp.root, 'blobs', 'sha256')),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

test('a reset empties the store under a new medium id, and keeps format, logs and tasks', async () => {
  await using scene = await openScene();
  const { temp, store, tasks, report } = scene;
  const task = await scene.submit();
  scene.release();
  await tasks.settled(task.id);
  const { mediaId } = store;
  const { bytes } = occupancyOf(store);
  assert.ok(existsSync(join(temp.root, 'media.jsonl')));

  assert.deepEqual(await scene.reset(), { repositories: 2, bytes });
  assert.notEqual(store.mediaId, mediaId);
  assert.deepEqual(scene.blobs(), []);
  assert.deepEqual(store.index.repositories(), []);
  assert.equal(store.lastSync, undefined);
  assert.equal(occupancyOf(store).bytes, 0);
  assert.equal(existsSync(join(temp.root, 'media.jsonl')), false);
  assert.ok(existsSync(join(temp.root, 'oci-layout')));
  assert.equal((await tasks.get(task.id)).status, 'done');
  const { actor, outcome, details } = report.audits.at(-1)!;
  assert.deepEqual(
    { actor, outcome, details },
    {
      actor: 'admin',
      outcome: 'success',
      details: { repositories: 2, bytes, formerMediaId: mediaId, mediaId: store.mediaId },
    },
  );
  assert.deepEqual(await scene.reset(), { repositories: 0, bytes: 0 });
});

test('an emptied store takes new content, and is the same after it was opened again', async () => {
  await using scene = await openScene();
  await scene.reset();
  const { mediaId } = scene.store;
  const image = buildIndex('after', ['linux/amd64']);
  await pushArtifact(openRepository(scene.store, 'after', { owner: { provenance: 'import' } }), image, 'v1');
  const store = await scene.temp.reopen();
  assert.equal(store.standing, 'ours');
  assert.equal(store.mediaId, mediaId);
  assert.deepEqual(store.index.repositories(), ['after']);
  assert.equal(store.index.tag('after', 'v1')?.digest, image.manifest.descriptor.digest);
});

test('only the exact word empties a store, and every attempt is audited', async () => {
  await using scene = await openScene();
  const words = [
    '',
    'reset',
    'Reset',
    'RESET ',
    ' RESET',
    'RESET\n',
    '"RESET"',
    'RÉINITIALISER',
    'yes',
    'ＲＥＳＥＴ',
  ];
  for (const confirmation of words) {
    const error = await scene.refuse({ confirmation, correlationId: 'c-1' });
    assert.equal(error.code, 'SVC-STO-006', confirmation);
  }
  assert.deepEqual(scene.store.index.repositories(), ['a', 'a/b']);
  const attempts = scene.report.audits.filter(({ action }) => action === 'store.reset');
  assert.equal(attempts.length, words.length);
  for (const { outcome, details, target } of attempts) {
    assert.equal(outcome, 'failure');
    assert.equal(target, scene.store.root);
    assert.equal(details?.code, 'SVC-STO-006');
    assert.equal(details?.correlationId, 'c-1');
  }
});

test('while a task runs nothing is emptied, and the error names the task', async () => {
  await using scene = await openScene();
  const task = await scene.submit();
  const error = await scene.refuse();
  assert.equal(error.code, 'SVC-TSK-003');
  assert.equal(error.params.task, task.id);
  assert.deepEqual(scene.store.index.repositories(), ['a', 'a/b']);
  scene.release();
  await scene.tasks.settled(task.id);
  await scene.reset();
});

test('a task that comes while the store is emptied starts afterwards', async () => {
  await using scene = await openScene();
  const resetting = scene.reset();
  const task = await scene.submit();
  scene.release();
  await resetting;
  await scene.tasks.settled(task.id);
  assert.deepEqual(scene.seen, [0]);
});

test('while the medium is verified nothing is emptied', async () => {
  await using scene = await openScene();
  scene.walk(true);
  const error = await scene.refuse();
  assert.equal(error.code, 'SVC-MED-031');
  assert.equal(error.params.stage, 'recipes');
  assert.equal(scene.report.audits.at(-1)?.details?.code, 'SVC-MED-031');
  scene.walk(false);
  await scene.reset();
});

test('the audit record contains that authentication is disabled', async () => {
  await using scene = await openScene();
  await scene.refuse({ confirmation: 'no', actor: 'anonymous', unauthenticated: true });
  await scene.reset({ actor: 'anonymous', unauthenticated: true });
  for (const { actor, details } of scene.report.audits.filter(({ action }) => action === 'store.reset')) {
    assert.equal(actor, 'anonymous');
    assert.equal(details?.authentication, 'disabled');
  }
});

test('a blob that was on its way when the store was emptied does not come back', async () => {
  await using scene = await openScene();
  const writer = await createBlobWriter(scene.store);
  await writer.write(Buffer.from('content'));
  await scene.reset();
  await assert.rejects(writer.commit(), (error) => isSvcError(error, 'SVC-STO-002'));
  assert.deepEqual(scene.blobs(), []);
});
