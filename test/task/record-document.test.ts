import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAtOnce } from '../../src/base/pacer.ts';
import type { Task, TaskItem } from '../../src/contract/task.ts';
import { formatRecord, parseHead, parseRecord } from '../../src/task/record-document.ts';
import { countItems, type TaskRecord } from '../../src/task/storage.ts';

const digest = `sha256:${'a'.repeat(64)}` as const;

function recordOf(count: number): TaskRecord {
  const items = Array.from(
    { length: count },
    (_, n): TaskItem => ({ name: `delivery-${n}@1.0.0 "\n}`, digest, status: 'done', transferredBytes: n }),
  );
  const task: Task = {
    id: 'tsk_000000000001',
    runId: 'run',
    type: 'sync',
    reference: '/retriever.yaml',
    actor: 'alice',
    status: 'done',
    createdAt: '2026-01-01T00:00:00.000Z',
    resumed: false,
    items,
    counts: countItems(items),
    resolutions: items.map(({ name }) => ({
      recipe: name,
      requested: '^1',
      resolved: '1.0.0',
      digest,
      status: 'new',
    })),
    progress: { bytesDone: 0, bytesTotal: 0 },
  };
  const request = { type: 'sync', reference: task.reference, actor: task.actor };
  return { sequence: 7, request: request as TaskRecord['request'], task };
}

for (const count of [0, 3, 5000])
  test(`a task document of ${count} items is read as it was written`, () => {
    const record = recordOf(count);
    const text = formatRecord(record);
    assert.deepEqual(runAtOnce(parseRecord(text)), record);
    const { items: _, resolutions: __, ...head } = record.task;
    assert.deepEqual(parseHead(text.split('\n', 1)[0]!).task, head);
  });

test('a large document is read in many steps of a line each, a small one in one', () => {
  const large = formatRecord(recordOf(5000));
  const lines = large.split('\n');
  const longest = Math.max(...lines.map(({ length }) => length));
  assert.ok(longest < 70_000, `${longest} characters`);
  const steps = (text: string): number => [...parseRecord(text)].length;
  assert.ok(steps(large) >= Math.floor(large.length / 70_000), `${steps(large)} steps`);
  assert.equal(steps(formatRecord(recordOf(3))), 0);
});

test('a large document that has all on one line is read too', () => {
  const record = recordOf(5000);
  const { items, resolutions, ...head } = record.task;
  const { sequence, request } = record;
  const text = `${JSON.stringify({ format: 1, sequence, request, task: head })}\n${JSON.stringify({ items, resolutions })}\n`;
  assert.deepEqual(runAtOnce(parseRecord(text)), record);
});

test('the document of a cancelled task is one that an earlier version of the program knows', () => {
  const record = recordOf(1);
  const read = (task: Partial<Task>) =>
    runAtOnce(parseRecord(formatRecord({ ...record, task: { ...record.task, ...task } }))).task.status;
  const text = formatRecord({ ...record, task: { ...record.task, status: 'cancelled', cancelledBy: 'bob' } });
  assert.equal(JSON.parse(text.split('\n')[0]!).task.status, 'failed');
  assert.equal(runAtOnce(parseRecord(text)).task.status, 'cancelled');
  assert.equal(read({ status: 'failed' }), 'failed');
  assert.equal(read({ status: 'done', cancelledBy: 'bob' }), 'done');
});
