import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '../../src/contract/task.ts';
import { KnownTasks } from '../../src/task/known-tasks.ts';

const toTask = (id: string) => ({ id }) as Task;

test('tasks are kept up to a size, and those looked at last stay', () => {
  const known = new KnownTasks(10);
  const [a, b, c] = ['a', 'b', 'c'].map(toTask);
  known.set(a!, 4);
  known.set(b!, 4);
  assert.equal(known.get('a'), a);
  known.set(c!, 4);
  assert.equal(known.get('b'), undefined);
  assert.equal(known.get('a'), a);
  assert.equal(known.get('c'), c);
});

test('a task larger than the limit is not kept, and one that is removed makes room', () => {
  const known = new KnownTasks(10);
  const [a, b, c] = ['a', 'b', 'c'].map(toTask);
  known.set(a!, 11);
  assert.equal(known.get('a'), undefined);
  known.set(a!, 6);
  known.set(a!, 6);
  known.set(b!, 4);
  assert.equal(known.get('a'), a);
  known.delete('a');
  assert.equal(known.get('a'), undefined);
  known.set(c!, 6);
  assert.equal(known.get('b'), b);
  assert.equal(known.get('c'), c);
});
