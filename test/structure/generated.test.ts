import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generatedPages } from '../../scripts/generated-pages.ts';

const root = join(import.meta.dirname, '..', '..');

test('the generated pages are what the code prints (npm run generate)', async () => {
  for (const [path, text] of await generatedPages()) {
    assert.equal(readFileSync(join(root, path), 'utf8'), text, `${path} is stale`);
  }
});
