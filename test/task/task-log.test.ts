import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { openQueue, request } from '../kit/instance/task-queue.ts';

test('the log is read from a byte position in complete lines, and completely', async () => {
  const written = Promise.withResolvers<void>();
  const more = Promise.withResolvers<void>();
  await using fixture = await openQueue(async (_task, _request, journal) => {
    journal.line('première ligne');
    await journal.updateItem('a', { status: 'done' });
    written.resolve();
    await more.promise;
    journal.line('second\nforged \x1b[31m line');
  });
  const { tasks } = fixture;
  const { id } = await tasks.submit(request);
  assert.deepEqual(await tasks.log(id), { chunk: '', next: 0 });
  assert.equal(await text(tasks.rawLog(id)), '');
  tasks.start();
  await written.promise;
  let first = await tasks.log(id);
  while (first.chunk === '') first = await tasks.log(id);
  assert.match(first.chunk, /^\d{4}-\d\d-\d\dT[\d:.]+Z première ligne\n$/);
  assert.equal(first.next, Buffer.byteLength(first.chunk));
  more.resolve();
  await tasks.settled(id);
  const second = await tasks.log(id, first.next);
  assert.ok(second.chunk.endsWith(' second\\u000aforged \\u001b[31m line\n'), second.chunk);
  assert.deepEqual(await tasks.log(id, second.next), { chunk: '', next: second.next });
  assert.deepEqual(await tasks.log(id, second.next + 1000), { chunk: '', next: second.next });
  assert.equal(await text(tasks.rawLog(id)), first.chunk + second.chunk);
});

test('a long log is read in consecutive chunks of at most 64 KiB, and its size is bounded', async () => {
  await using fixture = await openQueue(async (_task, _request, journal) => {
    for (let i = 0; i < 1100; i += 1) journal.line(`${i} ${'ü'.repeat(100_000)}`);
  });
  const { tasks } = fixture;
  const { id } = await tasks.submit(request);
  tasks.start();
  await tasks.settled(id);
  const whole = await text(tasks.rawLog(id));
  assert.ok(Buffer.byteLength(whole) <= (16 << 20) + 100);
  assert.ok(whole.endsWith('This log is full; nothing more is written to it.\n'));
  let joined = '';
  for (let after = 0; ; ) {
    const { chunk, next } = await tasks.log(id, after);
    if (next === after) break;
    assert.ok(next - after <= 64 << 10);
    joined += chunk;
    after = next;
  }
  assert.equal(joined, whole);
});
