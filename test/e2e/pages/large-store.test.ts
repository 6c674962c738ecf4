import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeLargeStore } from '../../bench/large-store.ts';
import { startLoadClient } from '../../bench/load/load-client.ts';
import { runMixed } from '../../bench/mixed.ts';
import { askPages } from '../../bench/pages/ask-pages.ts';
import { openPageClient } from '../../bench/pages/page-client.ts';
import { polledPages, toPagePaths } from '../../bench/pages/page-paths.ts';
import { startObservedServer } from '../../bench/servers/observed-server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

const shape = { repositories: 100, tags: 20 };
/** Milliseconds of processor time that are too many on any machine. */
const tooLong = 500;

let folder: TempFolder;

before(async () => {
  folder = await openTempFolder();
  await makeLargeStore(folder.path, shape);
});
after(() => folder[Symbol.asyncDispose]());

test('every page of a store with content, tasks and recipes is answered, and polls of an unchanged one with 304', async () => {
  await using server = await startObservedServer(folder.path, { config: { tasks: { keepFinished: 0 } } });
  using client = openPageClient(server);
  const { repositories } = shape;
  await askPages(client, { repositories, times: 2 });
  await server.takeFigures();
  const times = 3;
  await askPages(client, { repositories, times });
  const { answers } = await server.takeFigures();
  for (const name of Object.keys(toPagePaths(repositories))) {
    assert.deepEqual(answers[name]?.statuses, { 200: times }, name);
    assert.ok(answers[name].cpu50 < tooLong, `${name}: ${answers[name].cpu50} ms`);
  }
  for (const name of Object.keys(polledPages))
    assert.deepEqual(answers[`poll-${name}`]?.statuses, { 304: times }, name);
});

test('clients of every kind get right answers while content is synchronized, pruned, deleted and collected', async () => {
  await using load = await startLoadClient();
  const clients = { pull: 8, push: 2, list: 3, api: 3, page: 4 };
  const result = await runMixed({ folder: folder.path, shape, clients, seconds: 6, load, seed: 'test' });
  assert.deepEqual(result.job.errors, []);
  assert.deepEqual(result.failures, []);
  assert.ok(result.syncs > 0 && result.deletions > 0, `${result.syncs} syncs, ${result.deletions} deletions`);
  // the versions that only recipes of the first synchronization owned, and these recipes
  assert.ok(result.pruned > 0);
  assert.ok(result.peak < 600, `${result.peak} MiB`);
  for (const kind of Object.keys(clients)) assert.ok(result.job.p99s?.[kind] !== undefined, kind);
});
