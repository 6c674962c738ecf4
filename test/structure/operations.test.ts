import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { apiRoutes } from '../../server/api/routes.ts';
import type { NamedQuery, Operation } from '../../src/contract/operation.ts';
import { listTasks } from '../../src/contract/operations/tasks.ts';

const folder = join(import.meta.dirname, '../../src/contract/operations');

test('each operation is exported by its identifier, and has a handler', async () => {
  const found: string[] = [];
  for (const path of globSync(join(folder, '*.ts')))
    for (const [name, value] of Object.entries<Operation>(await import(path))) {
      if (typeof value?.path !== 'string') continue;
      assert.equal(name, value.id, basename(path));
      found.push(name);
    }
  assert.deepEqual(found.sort(), apiRoutes.map(({ id }) => id).sort());
});

test('a query of a client compiles only if it names every parameter', () => {
  // @ts-expect-error the parameter `type` is missing
  const query: NamedQuery<typeof listTasks.query> = {
    q: undefined,
    status: 'failed',
    view: undefined,
    sort: undefined,
    order: undefined,
    page: 1,
    pageSize: 10,
  };
  assert.deepEqual([...Object.keys(query), 'type'].sort(), Object.keys(listTasks.query).sort());
});
