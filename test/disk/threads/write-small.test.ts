import assert from 'node:assert/strict';
import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { openCopyPool } from '../../../src/disk/threads/copy-pool.ts';
import { statFile } from '../../../src/engine/medium/hash-medium.ts';

const temporaryFolder = () => mkdtempDisposable(join(tmpdir(), 'svc-small-'));
const texts = ['one', '', 'three'.repeat(10_000)];

function toWrites(folder: string) {
  const contents = texts.map((text) => Buffer.from(text));
  return {
    files: contents.map((bytes, i) => ({
      temporary: join(folder, `${i}.part`),
      path: join(folder, `${i}`),
      digest: hashBytes(bytes),
      size: bytes.length,
    })),
    bytes: new Uint8Array(Buffer.concat(contents)),
  };
}

test('small files get their names, and are identified as their disk returns them', async () => {
  await using folder = await temporaryFolder();
  await using pool = openCopyPool({ threads: 1 });
  const outcome = await pool.writeSmall(toWrites(folder.path));
  assert.ok('readBack' in outcome);
  assert.deepEqual((await readdir(folder.path)).sort(), ['0', '1', '2']);
  for (const [i, text] of texts.entries()) {
    assert.equal(await readFile(join(folder.path, `${i}`), 'utf8'), text);
    const info = statFile(folder.path, `${i}`)!;
    assert.deepEqual(outcome.readBack[i], {
      device: info.dev,
      inode: info.ino,
      size: text.length,
      ctimeNs: info.ctimeNs,
    });
  }
});

test('a small file that the disk returns with other bytes is not identified', async () => {
  await using folder = await temporaryFolder();
  await using pool = openCopyPool({ threads: 1 });
  const { files, bytes } = toWrites(folder.path);
  const [first, ...rest] = files;
  const outcome = await pool.writeSmall({
    files: [{ ...first!, digest: hashBytes('other') }, ...rest],
    bytes,
  });
  assert.ok('readBack' in outcome);
  assert.deepEqual(
    outcome.readBack.map((one) => one !== undefined),
    [false, true, true],
  );
});

test('files that cannot be written get no names', async () => {
  await using folder = await temporaryFolder();
  await using pool = openCopyPool({ threads: 1 });
  await writeFile(join(folder.path, '2.part'), 'of another writer');
  const outcome = await pool.writeSmall(toWrites(folder.path));
  assert.ok('code' in outcome && outcome.code === 'EEXIST');
  assert.deepEqual((await readdir(folder.path)).sort(), ['0.part', '1.part', '2.part']);
});
