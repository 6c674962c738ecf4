import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generatedFolders } from '../../scripts/generated-folders.ts';
import { generatedPages } from '../../scripts/generated-pages.ts';

const root = join(import.meta.dirname, '..', '..');

test('what is generated is what the code prints (npm run generate), and nothing besides', async () => {
  const pages = await generatedPages();
  for (const [path, text] of pages) {
    assert.equal(readFileSync(join(root, path), 'utf8'), text, `${path} is stale`);
  }
  for (const folder of generatedFolders) {
    const names = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
    assert.deepEqual(
      names.filter((name) => !pages.has(name)),
      [],
    );
  }
});
