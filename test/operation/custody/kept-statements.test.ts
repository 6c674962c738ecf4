import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { toCustodyFolder } from '../../../src/custody/ledger-files.ts';
import { keepStatement } from '../../../src/operation/custody/kept-statements.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('statements that are kept at once forget the oldest ones, and no other file', async () => {
  await using temp = await openTempFolder();
  const folder = join(toCustodyFolder(temp.path), 'receipts');
  await mkdir(folder, { recursive: true });
  for (let i = 0; i < 1000; i++) {
    const path = join(folder, `${i.toString(16).padStart(64, '0')}.sigstore.json`);
    await writeFile(path, 'old');
    await utimes(path, 1000 + i, 1000 + i);
  }
  await writeFile(join(folder, 'note.txt'), 'of a person');
  const added = Array.from({ length: 20 }, (_, i) => Buffer.from(`statement ${i}`));
  await Promise.all(
    added.map((bytes) => keepStatement(temp.path, 'receipts', { digest: hashBytes(bytes), bytes })),
  );
  const names = await readdir(folder);
  assert.equal(names.length, 1001);
  assert.ok(names.includes('note.txt'));
  for (const bytes of added) {
    const name = `${hashBytes(bytes).slice('sha256:'.length)}.sigstore.json`;
    assert.deepEqual(await readFile(join(folder, name)), bytes);
  }
  assert.ok(!names.includes(`${(19).toString(16).padStart(64, '0')}.sigstore.json`));
  assert.ok(names.includes(`${(20).toString(16).padStart(64, '0')}.sigstore.json`));
});
