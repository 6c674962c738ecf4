import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { evidenceLimits } from '../../../src/contract/evidence.ts';
import { openPackFolder } from '../../../src/engine/evidence/pack-folder.ts';
import { renderError } from '../../../src/text/message.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('what a killed process left of a pack under the same name is removed, and nothing else', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'pack');
  const left = ['pack.0123456789ab.tmp', 'pack.mine.tmp', 'pack2.0123456789ab.tmp'];
  for (const name of left) {
    await mkdir(join(folder.path, name));
    await writeFile(join(folder.path, name, 'evidence.json'), '{}');
  }
  await using pack = await openPackFolder(path);
  await pack.putText('evidence.json', ['{}']);
  await pack.finish();
  assert.deepEqual((await readdir(folder.path)).sort(), ['pack', ...left.slice(1)]);
});

test('a text that no check would read is refused before it is written, and not made to its end', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'pack');
  {
    await using pack = await openPackFolder(path);
    const piece = 'x'.repeat(1 << 20);
    let made = 0;
    const pieces = function* (count: number): Generator<string> {
      for (let i = 0; i < count; i += 1) {
        made += 1;
        yield piece;
      }
    };
    const most = evidenceLimits.document / piece.length;
    await assert.rejects(pack.putText('evidence.json', pieces(2 * most)), (error: never) => {
      assert.match(
        renderError(error, 'en').what,
        /^The evidence pack would be too large: its file evidence\.json has at most 64 MiB\.$/,
      );
      return true;
    });
    assert.equal(made, most + 1);
    assert.deepEqual(await readdir(pack.root), []);
    await pack.putText('evidence.json', pieces(most));
    assert.deepEqual(await readdir(pack.root), ['evidence.json']);
  }
  assert.deepEqual(await readdir(folder.path), []);
});
