import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { translateRule } from '../../../src/base/rules/translate-rule.ts';
import { openStoreAt } from '../../kit/open-store-at.ts';
import { openTempFolder } from '../../kit/temp-folder.ts';

test('a new store where this instance wrote another one before is noticed, as when its disk is not mounted', async () => {
  await using folder = await openTempFolder();
  const [root, stateRoot] = [join(folder.path, 'store'), join(folder.path, 'state')];
  const first = await openStoreAt({ root, stateRoot });
  const { mediaId } = first;
  assert.deepEqual(first.notices, []);
  await first[Symbol.asyncDispose]();
  const again = await openStoreAt({ root, stateRoot });
  assert.deepEqual(again.notices, []);
  await again[Symbol.asyncDispose]();
  await rename(root, join(folder.path, 'unplugged'));
  await using second = await openStoreAt({ root, stateRoot });
  const [notice = '', ...more] = second.notices;
  assert.ok(notice.includes(mediaId) && notice.includes(root), notice);
  assert.match(notice, /check that its disk is mounted/);
  assert.match(translateRule(notice), /vérifiez que son disque est monté/);
  assert.deepEqual(more, []);
});
