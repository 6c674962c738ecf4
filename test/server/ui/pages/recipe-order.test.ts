import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortRows } from '../../../../src/contract/operations/sorting.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { TaskTable } from '../../../../src/task/task-table.ts';
import { recipeValues } from '../../../../src/view/recipes.ts';
import { toRecipeRecord } from '../../../kit/content/recipe-record.ts';
import { openTempFolder } from '../../../kit/instance/temp-folder.ts';
import { openShowcase, password } from '../../../kit/showcase/showcase.ts';
import { openBrowserSession } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';

test('by signature, recipes that no key of today approves come first', () => {
  const recipe = (name: string, verified: boolean, keyFingerprint?: string) => ({
    ...toRecipeRecord(name, '1.0.0', []),
    verified,
    ...(keyFingerprint === undefined ? {} : { keyFingerprint }),
  });
  const rows = [
    recipe('a-signed', true, 'known'),
    recipe('b-withdrawn', true, 'gone'),
    recipe('c-admitted', true),
    recipe('d-published', false),
    recipe('0-signed', true, 'known'),
  ];
  const values = recipeValues([{ fingerprint: 'known' }]);
  assert.deepEqual(
    sortRows(rows, values, { sort: 'signature' }).map(({ name }) => name),
    ['d-published', 'b-withdrawn', 'c-admitted', '0-signed', 'a-signed'],
  );
});

test('tasks are ordered by how long they took, and those that have not ended come last', () => {
  const table = new TaskTable();
  const add = (sequence: number, seconds: number | undefined): void => {
    const startedAt = '2026-01-01T00:00:00.000Z';
    const finishedAt = seconds && new Date(Date.parse(startedAt) + seconds * 1000).toISOString();
    const head = { id: `${seconds}`, createdAt: startedAt, startedAt, finishedAt } as unknown as TaskHead;
    table.add({ sequence, head, names: [], live: undefined });
  };
  for (const [i, seconds] of [30, undefined, 4, 200].entries()) add(i, seconds);
  const idsOf = (order?: 'asc'): string =>
    table
      .select({ sort: 'duration', order })
      .selected.map(({ id }) => id)
      .join(' ');
  assert.equal(idsOf(), '200 30 4 undefined');
  assert.equal(idsOf('asc'), '4 30 200 undefined');
});

test('the list of recipes is ordered by whether they are here as wanted, the missing ones first', async () => {
  await using folder = await openTempFolder();
  await using show = await openShowcase(folder.path);
  const session = openBrowserSession(show.server);
  await session.signIn('alice', password);
  const standingsOf = async (order: string): Promise<readonly string[]> => {
    const page = await (await session.get(`/recipes?sort=wanted&order=${order}`)).text();
    assert.match(page, /aria-sort="(?:asc|desc)ending"><a class="sort" href="\/recipes\?sort=wanted/);
    return Array.from(page.matchAll(/data-label="Wanted"[^>]*>(.*?)<\/td>/gs), ([, cell]) =>
      cell!.includes('badge-bad') ? 'away' : cell!.includes('badge-ok') ? 'here' : 'none',
    );
  };
  const both = (found: readonly string[]): readonly string[] =>
    found.filter((each, i) => each !== found[i - 1] && each !== 'none');
  assert.deepEqual(both(await standingsOf('asc')), ['away', 'here']);
  assert.deepEqual(both(await standingsOf('desc')), ['here', 'away']);
  const { status } = await session.get('/api/v1/recipes?sort=wanted');
  assert.equal(status, 422, 'the API knows no wanted recipes');
});

test('the list of recipes shows those in one state, with the name in it, and says so where none is', async () => {
  await using folder = await openTempFolder();
  await using show = await openShowcase(folder.path);
  const session = openBrowserSession(show.server);
  await session.signIn('alice', password);
  const rowsOf = async (query: string): Promise<readonly string[]> => {
    const page = await (await session.get(`/recipes?pageSize=200&${query}`)).text();
    return Array.from(page.matchAll(/<tr[^>]*>\s*<th[^>]* scope="row".*?<\/tr>/gs), ([row]) =>
      toPageText(row),
    );
  };
  const all = await rowsOf('');
  const stateOf = (row: string): string | undefined =>
    ['blocked', 'missing', 'no longer here', 'here'].find((word) => new RegExp(`\\b${word}\\b`).test(row));
  const expected = (word: string | undefined) => all.filter((row) => stateOf(row) === word);
  assert.ok(expected('here').length > 1 && expected('blocked').length > 0);
  assert.deepEqual(await rowsOf('state=present'), expected('here'));
  assert.deepEqual(await rowsOf('state=blocked'), expected('blocked'));
  assert.deepEqual(await rowsOf('state=unwanted'), expected(undefined));
  const [first] = expected('here');
  const [name] = first!.trim().split(' ');
  assert.ok((await rowsOf(`state=present&q=${name}`)).includes(first!));
  assert.deepEqual(await rowsOf(`state=unwanted&q=${name}&sort=name`), []);
  const empty = toPageText(await (await session.get('/recipes?state=unwanted&q=no-such')).text());
  assert.match(empty, /Nothing matches no-such · State: not wanted/);
});

test('recipes that ask for attention come first: errors, warnings, and then the others by name', async () => {
  await using folder = await openTempFolder();
  await using show = await openShowcase(folder.path);
  const session = openBrowserSession(show.server);
  await session.signIn('alice', password);
  const page = await (await session.get('/recipes?pageSize=200')).text();
  const marks = Array.from(page.matchAll(/<tr[^>]*>\s*<th[^>]* scope="row".*?<\/tr>/gs), ([row]) =>
    row.includes('badge-bad') ? 'error' : row.includes('badge-warn') ? 'warning' : 'good',
  );
  assert.deepEqual(
    marks.filter((mark, i) => mark !== marks[i - 1]),
    ['error', 'warning', 'good'],
  );
});
