import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/bundle-options.ts';
import { renderResources } from '../../scripts/render-resources.ts';
import { resources } from '../../src/base/shares/resources.ts';

test('the documentation has the table of what callers share, with the limits that the program enforces', () => {
  const text = readFileSync(join(root, 'docs/operating/limits.md'), 'utf8');
  assert.ok(text.includes(renderResources()), renderResources());
});

test('no account, and no two of them, can take what administrators need', () => {
  for (const [name, { total, reserve, share }] of Object.entries(resources)) {
    assert.ok(share.account <= total - reserve, name);
    assert.ok(2 * share.account <= total || share.account === 1, name);
  }
});
