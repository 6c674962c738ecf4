import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLine } from '../../src/recipe/find-line.ts';

const text = `apiVersion: v1
metadata:
  name: shop
  "odd.key": 1
spec:
  ingredients:
    - name: web
      kind: Image
    - name: db
`;

test('the line of a member is that of its name, of an item that of its first member', () => {
  for (const [path, line] of [
    ['apiVersion', 1],
    ['metadata.name', 3],
    ['metadata["odd.key"]', 4],
    ['spec.ingredients[0].kind', 8],
    ['spec.ingredients[1]', 9],
    ['line 5, column 2', 5],
  ] as const)
    assert.equal(findLine(text, path), line, path);
});

test('for a member that is missing it is the line of what should have it', () => {
  assert.equal(findLine(text, 'spec.ingredients[1].digest'), 9);
  assert.equal(findLine(text, 'spec.ingredients[7]'), 6);
});

test('a document that is empty, broken or very long has no line, and no error', () => {
  assert.equal(findLine('', 'kind'), undefined);
  assert.doesNotThrow(() => findLine('a: [\n&x: *x\n', 'a[0].b'));
  assert.equal(findLine(`a: 1\n${'#\n'.repeat(200_000)}`, 'a'), undefined);
});
