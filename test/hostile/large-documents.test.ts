import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDraft } from '../../src/authoring/pin/open-draft.ts';
import { parseRecipe, parseRetriever } from '../../src/recipe/document.ts';
import { mostEntries } from '../../src/recipe/document-reader.ts';
import {
  findDocumentLine,
  readDocumentValue,
  readRecipeDocument,
  readRetrieverDocument,
} from '../../src/recipe/read-document.ts';
import { isSvcError } from '../../src/text/error.ts';
import { sayParam } from '../../src/text/message.ts';

const header = (kind: string, name: string, version = '') =>
  `apiVersion: recipe.tobby.dev/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}${version}}\nspec:\n`;

function toRetriever(count: number): Buffer {
  const entries = Array.from({ length: count }, (_, i) => `    - {name: r${i}, version: ^1.0.0}\n`);
  return Buffer.from(
    `${header('Retriever', 'zone')}  cookbook: registry.test/cookbook\n  recipes:\n${entries.join('')}`,
  );
}

function toRecipe(count: number): Buffer {
  const entries = Array.from(
    { length: count },
    (_, i) => `    - {name: i${i}, kind: ContainerImage, ref: registry.test/team/app${i}, version: 1.0.0}\n`,
  );
  return Buffer.from(`${header('Recipe', 'shop', ', version: 1.0.0')}  ingredients:\n${entries.join('')}`);
}

/** Turns that the event loop makes while work is under way. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  work.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  while (!isOver) {
    await pause(2);
    turns += 1;
  }
  return turns;
}

test('a large document is read as a small one is, and the event loop turns meanwhile', async () => {
  const retriever = toRetriever(mostEntries);
  const recipe = toRecipe(5000);
  const reading = Promise.all([
    readRetrieverDocument(retriever, 'zone.yaml'),
    readRecipeDocument(recipe, 'recipe.yaml'),
  ]);
  assert.ok((await countTurns(reading)) > 10);
  assert.deepEqual(await reading, [
    parseRetriever(retriever, 'zone.yaml'),
    parseRecipe(recipe, 'recipe.yaml'),
  ]);
});

test('a draft is edited the same whether its nodes are kept or read again, and the result is what a reader finds', async () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  for (const count of [3, 2000]) {
    const draft = toRecipe(count);
    const opened = await openDraft(draft, 'draft.yaml');
    assert.deepEqual(opened.recipe, parseRecipe(draft, 'draft.yaml'));
    const at = ['spec', 'ingredients', count - 1];
    const { document, recipe } = await opened.edit([
      { path: [...at, 'version'], value: '2.0.0' },
      { path: [...at, 'digest'], value: digest, after: 'version' },
    ]);
    assert.equal(
      document.toString(),
      draft
        .toString()
        .replace(`app${count - 1}, version: 1.0.0}`, `app${count - 1}, version: 2.0.0, digest: ${digest}}`),
    );
    assert.deepEqual(recipe, parseRecipe(document, 'draft.yaml'));
  }
});

test('what is wrong with a large document is told as with a small one', async () => {
  const failureOf = async (read: () => unknown) => {
    try {
      await read();
    } catch (error) {
      assert.ok(isSvcError(error), String(error));
      return { code: error.code, params: error.params, detail: error.detail };
    }
    return assert.fail('not refused');
  };
  const bad = Buffer.concat([toRetriever(5000), Buffer.from('    - {name: R, versoin: 1}\n    - {}\n')]);
  const refusal = await failureOf(() => readRetrieverDocument(bad, 'zone.yaml'));
  assert.deepEqual(refusal, await failureOf(() => parseRetriever(bad, 'zone.yaml')));
  assert.equal(refusal.code, 'SVC-VAL-001');
});

test('more entries than a document may have are refused', async () => {
  for (const read of [
    () => readRetrieverDocument(toRetriever(mostEntries + 1), 'x.yaml'),
    () => readRecipeDocument(toRecipe(mostEntries + 1), 'x.yaml'),
  ])
    await assert.rejects(read(), (error) => {
      assert.ok(isSvcError(error, 'SVC-VAL-001'));
      assert.match(String(error.params.rule), /at most 10000 entries/);
      return true;
    });
});

test('hostile documents of 4 MiB side by side neither hold the event loop nor leave their memory behind', async () => {
  const hostile = Buffer.from(`a: [${'{a: [1]},'.repeat((4_194_304 - 16) / 9)}]`);
  const before = process.memoryUsage().rss;
  const reading = Promise.allSettled(
    Array.from({ length: 2 }, (_, i) => readRetrieverDocument(hostile, `${i}.yaml`)),
  );
  assert.ok((await countTurns(reading)) > 10);
  for (const { status } of await reading) assert.equal(status, 'rejected');
  assert.ok(process.memoryUsage().heapUsed < before + (256 << 20));
});

test('a document that takes too long ends with its thread, and those behind it are read', async () => {
  const large = toRecipe(mostEntries);
  const after = toRecipe(1000);
  const late = assert.rejects(readRecipeDocument(large, 'late.yaml', {}, 1), (error) => {
    assert.ok(isSvcError(error, 'SVC-VAL-001'));
    assert.equal(error.params.rule, 'takes more than 1ms to read: make it smaller or simpler');
    assert.match(sayParam(error, 'rule', 'fr'), /^prend plus de 1ms à lire/);
    return true;
  });
  const behind = readRecipeDocument(after, 'after.yaml');
  await late;
  assert.equal((await behind).ingredients.length, 1000);
});

test('a caller who leaves ends the reading of his document, and has no place among those that wait', async () => {
  const large = toRecipe(mostEntries);
  const leaving = new AbortController();
  const caller = { actor: 'anna', signal: leaving.signal };
  const order: string[] = [];
  const left = [0, 1, 2].map((i) =>
    assert.rejects(readRecipeDocument(large, `${i}.yaml`, caller), /left/).then(() => order.push('left')),
  );
  const stays = readRecipeDocument(toRecipe(1000), 'ben.yaml', { actor: 'ben' }).then(() =>
    order.push('read'),
  );
  leaving.abort(new Error('left'));
  await Promise.all([...left, stays]);
  assert.deepEqual(order, ['left', 'left', 'left', 'read']);
});

test('a line is looked for in a large document, and a value read from one, while the event loop turns', async () => {
  const slow = `a: [${'b,'.repeat(100_000)}]\nc: {d: [{e: 1, f: 2}, 3], g: *h}\n`.replace('*h', 'h');
  const line = findDocumentLine(slow, 'c.d');
  assert.ok((await countTurns(line)) > 10);
  assert.equal(await line, 2);
  assert.equal(await findDocumentLine('a: 1\nb: 2\n', 'b'), 2);
  assert.equal(await findDocumentLine(`a: [${'b,'.repeat(100_000)}`, 'a[1]'), undefined);

  const read = (wanted: Parameters<typeof readDocumentValue>[2]) =>
    readDocumentValue(Buffer.from(slow), 'chart', wanted);
  const value = read({ path: ['c', 'd'], members: ['f'] });
  assert.ok((await countTurns(value)) > 10);
  assert.deepEqual(await value, [new Map([['f', { bare: 2, source: '2' }]]), { bare: 3, source: '3' }]);
  assert.deepEqual(await read({ path: ['c'], members: ['g'] }), new Map([['g', 'h']]));
  assert.equal(await read({ path: ['c', 'x', 'y'] }), undefined);
  await assert.rejects(read({ path: ['a'] }), { code: 'SVC-VAL-001' });
  const shared = `x: &x "${'y'.repeat(100_000)}"\nz: [${'*x,'.repeat(99)}]\n`;
  await assert.rejects(readDocumentValue(Buffer.from(shared), 'chart', {}), { code: 'SVC-VAL-002' });
});

test('lists and maps with too many entries are refused, and as many as are allowed are read in time', async () => {
  const entries = (count: number) => Array.from({ length: count }, (_, i) => `linux/a${i}`);
  const toText = (platforms: readonly string[], annotations: readonly string[]) =>
    Buffer.from(`apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 1.0.0, annotations: {${annotations.map((one) => `${one}: x`).join(', ')}}}
spec:
  ingredients:
    - {name: a, kind: ContainerImage, ref: registry.example/a, version: 1.0.0, platforms: [${platforms.join(', ')}]}
    - {name: b, kind: ContainerImage, ref: registry.example/b, version: 1.0.0, platforms: [linux/b]}
`);
  const before = process.cpuUsage();
  const recipe = await readRecipeDocument(toText(entries(mostEntries), entries(mostEntries)), 'x.yaml');
  const { user, system } = process.cpuUsage(before);
  assert.equal(recipe.ingredients[0]!.platforms.length, mostEntries);
  assert.deepEqual(recipe.ingredients[1]!.platforms, [{ os: 'linux', architecture: 'b' }]);
  assert.equal(Object.keys(recipe.metadata.annotations).length, mostEntries);
  assert.ok(user + system < 3_000_000, `${user + system} µs`);
  for (const [document, path] of [
    [toText(entries(mostEntries + 1), []), 'spec.ingredients[0].platforms'],
    [toText([], entries(mostEntries + 1)), 'metadata.annotations'],
  ] as const)
    await assert.rejects(readRecipeDocument(document, 'x.yaml'), (error) => {
      assert.ok(isSvcError(error, 'SVC-VAL-001'));
      assert.deepEqual([error.params.path, error.params.rule], [path, 'must have at most 10000 entries']);
      return true;
    });
});
