import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTasks } from '../../src/task/queue.ts';
import { selectNames } from '../../src/task/storage.ts';
import { svcError } from '../../src/text/error.ts';
import { importRequest, nothing, openQueue, request } from '../kit/instance/task-queue.ts';

test('finished tasks beyond those to keep go with their logs, newest stay, waiting ones are never touched', async () => {
  await using fixture = await openQueue(
    async (_task, _request, journal) => {
      journal.line('worked');
    },
    { keepFinished: 2 },
  );
  const { tasks } = fixture;
  tasks.start();
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) {
    ids.push((await tasks.submit(request)).id);
    await tasks.idle();
  }
  assert.deepEqual(
    (await tasks.list()).tasks.map((task) => task.id),
    [ids[4], ids[3]],
  );
  const kept = [ids[3], ids[4]].flatMap((id) => [`${id}.json`, `${id}.log`]);
  assert.deepEqual((await readdir(fixture.folder)).sort(), kept.sort());
  await assert.rejects(tasks.get(ids[0]!), { code: 'SVC-TSK-001' });
  await tasks.drain(0);
  const later = await fixture.open();
  const waiting = [await later.submit(request), await later.submit(request), await later.submit(request)];
  const last = await openTasks({
    stateRoot: join(fixture.folder, '..'),
    keepFinished: 1,
    report: fixture.report,
    run: nothing,
  });
  assert.deepEqual(
    (await last.list()).tasks.map((task) => task.id),
    [...waiting.map((task) => task.id).reverse(), ids[4]],
  );
});

test('a purge at zero keeps all', async () => {
  await using fixture = await openQueue(nothing, { keepFinished: 0 });
  fixture.tasks.start();
  for (let i = 0; i < 5; i += 1) await fixture.tasks.submit(request);
  await fixture.tasks.idle();
  assert.equal((await (await fixture.open()).list()).total, 5);
});

test('lists are newest first, searched, filtered and paged; a page past the end is empty', async () => {
  await using fixture = await openQueue(async (task) => {
    if (task.reference.endsWith('3')) throw svcError('SVC-TSK-003', {});
  });
  const { tasks } = fixture;
  for (let i = 0; i < 30; i += 1) {
    await tasks.submit({
      ...(i % 2 ? request : importRequest),
      reference: `Zone-${i}`,
      actor: i < 3 ? 'token:ci' : 'ana',
    });
  }
  tasks.start();
  await tasks.idle();
  const first = await tasks.list();
  assert.deepEqual([first.page, first.totalPages, first.total, first.tasks.length], [1, 2, 30, 25]);
  assert.equal(first.tasks[0]?.reference, 'Zone-29');
  assert.deepEqual(
    (await tasks.list({ page: 2 })).tasks.map((task) => task.reference),
    [4, 3, 2, 1, 0].map((i) => `Zone-${i}`),
  );
  const past = await tasks.list({ page: 9 });
  assert.deepEqual([past.page, past.total, past.tasks], [9, 30, []]);
  assert.equal((await tasks.list({ q: 'ZONE-2' })).total, 11);
  assert.equal((await tasks.list({ q: 'token:' })).total, 3);
  assert.equal((await tasks.list({ q: first.tasks[7]!.id })).total, 1);
  assert.equal((await tasks.list({ type: 'import' })).total, 15);
  assert.equal((await tasks.list({ status: 'failed' })).total, 3);
  assert.equal((await tasks.list({ status: 'failed', q: 'zone-1' })).total, 1);
  assert.equal((await tasks.list({ pageSize: 1000 })).tasks.length, 30);
  assert.deepEqual(tasks.counts(), { pending: 0, running: 0, done: 27, failed: 3, cancelled: 0 });
});

test('running and queued tasks can be listed', async () => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await using fixture = await openQueue(
    async (_task, _request, journal) => {
      journal.addBytes(7);
      started.resolve();
      await release.promise;
    },
    { now: () => 0 },
  );
  const { tasks } = fixture;
  const first = await tasks.submit(request);
  await tasks.submit(importRequest);
  const runningId = () => tasks.running?.id;
  assert.equal(runningId(), undefined);
  tasks.start();
  await started.promise;
  assert.equal(runningId(), first.id);
  assert.deepEqual((await tasks.get(first.id)).progress, { bytesDone: 7, bytesTotal: 7 });
  assert.deepEqual([tasks.pending(), tasks.pending('import'), tasks.pending('sync')], [1, 1, 0]);
  assert.deepEqual(tasks.counts(), { pending: 1, running: 1, done: 0, failed: 0, cancelled: 0 });
  release.resolve();
  await tasks.idle();
  assert.equal(runningId(), undefined);
});

test('a running task has the rate of its bytes and the time left, which fall when nothing moves; an ended one has none', async () => {
  let time = 0;
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await using fixture = await openQueue(
    async (_task, _request, journal) => {
      journal.setTotalBytes(10_000);
      for (time = 1000; time <= 2000; time += 1000) journal.addBytes(1000);
      started.resolve();
      await release.promise;
    },
    { now: () => time },
  );
  const { tasks } = fixture;
  tasks.start();
  const { id } = await tasks.submit(request);
  await started.promise;
  time = 2000;
  const counts = { bytesDone: 2000, bytesTotal: 10_000 };
  assert.deepEqual((await tasks.get(id)).progress, { ...counts, bytesPerSecond: 1000, secondsLeft: 8 });
  assert.deepEqual((await tasks.list()).tasks[0]!.progress.bytesPerSecond, 1000);
  time = 5000;
  assert.deepEqual((await tasks.get(id)).progress, { ...counts, bytesPerSecond: 400, secondsLeft: 20 });
  for (time = 6000; time < 12_000; time += 1000) await tasks.get(id);
  assert.deepEqual((await tasks.get(id)).progress, {
    ...counts,
    ...{ bytesPerSecond: 0, averageBytesPerSecond: 167, secondsLeft: 48, stalledSeconds: 10 },
  });
  release.resolve();
  assert.deepEqual((await tasks.settled(id)).progress, counts);
});

test('a task is found by the recipes, the repositories and the ingredients that it handled, also after a restart', async () => {
  const reached = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const digest = `sha256:${'a'.repeat(64)}` as const;
  await using fixture = await openQueue(async (_task, _request, journal) => {
    const one = { status: 'done', transferredBytes: 0 } as const;
    journal.setItems([
      { ...one, name: 'zone-a.example/cookbook/monitoring@1.2.0/Exporter' },
      { ...one, name: 'zone-a.example/cookbook/monitoring@1.2.0' },
    ]);
    const resolved = { recipe: 'monitoring', requested: '1', resolved: '1.2.0', digest } as const;
    journal.setResolutions([
      { ...resolved, ingredient: 'Exporter', status: 'new', effective: 'docker.io/prom/node' },
    ]);
    reached.resolve();
    await release.promise;
  });
  const { tasks } = fixture;
  const { id } = await tasks.submit(request);
  await tasks.submit({ ...request, reference: 'another' });
  tasks.start();
  await reached.promise;
  const found = (from: typeof tasks, q: string): number => from.listHeads({ q }).total;
  for (const q of ['monitoring', 'exporter', 'prom/node', 'node monitoring', `monitoring ${id}`])
    assert.equal(found(tasks, q), 1, q);
  assert.equal(found(tasks, 'grafana'), 0);
  const names = tasks.names(id);
  assert.deepEqual(names, ['monitoring@1.2.0', 'docker.io/prom/node', 'Exporter']);
  release.resolve();
  await tasks.settled(id);
  const later = await fixture.open(async () => {});
  assert.equal(found(later, 'prom/node monitoring') > 0, true);
  assert.deepEqual(later.names(id), names);
  assert.equal('names' in later.listHeads({ q: id }).tasks[0]!, false);
});

test('of a very large task the names of its recipes are kept, and some of the others', () => {
  const item = (name: string) => ({ name, status: 'done', transferredBytes: 0 }) as const;
  const ingredients = Array.from({ length: 1000 }, (_, i) => item(`big@1.0.0/part-${i}`));
  const names = selectNames({ items: [...ingredients, item('big@1.0.0')] });
  assert.equal(names[0], 'big@1.0.0');
  assert.ok(names.length > 100 && names.join('').length <= 2048, `${names.length}`);
});
