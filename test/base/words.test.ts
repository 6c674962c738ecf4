import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasWords } from '../../src/base/words.ts';

test('a text has the words of a filter in any order, without regard to case', () => {
  for (const q of ['', '  ', 'web', 'WEB shop', 'shop\tweb', 'registry web'])
    assert.ok(hasWords(q)('registry.example/Shop/web'), q);
  for (const q of ['webs', 'web other', 'shop web zz'])
    assert.ok(!hasWords(q)('registry.example/shop/web'), q);
});
