import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readValues } from '../../../src/authoring/draft/read-values.ts';

const read = (text: string) => readValues(Buffer.from(text), 'values.yaml');

test('a file of values without a member is an empty map, as helm takes it', () => {
  for (const text of ['', '# replicas: 3\n', '---\n', '---\n# replicas: 3\n', 'null\n', '{}\n'])
    assert.deepEqual(read(text), new Map(), JSON.stringify(text));
});

test('a file of values that is no map is refused', () => {
  for (const text of ['[]\n', 'replicas\n', '3\n'])
    assert.throws(() => read(text), { code: 'SVC-VAL-001' }, JSON.stringify(text));
});
