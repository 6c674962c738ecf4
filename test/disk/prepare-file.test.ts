import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { prepareFile } from '../../src/disk/atomic-file.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

test('a prepared file appears whole with its commit, and leaves nothing without one', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'a.yaml');
  {
    await using file = await prepareFile(path, 'never');
    assert.ok(file);
    assert.equal((await readdir(folder.path)).includes('a.yaml'), false);
  }
  assert.deepEqual(await readdir(folder.path), []);
  {
    await using file = await prepareFile(path, 'content');
    assert.equal(await file.commit(), true);
  }
  assert.equal(await readFile(path, 'utf8'), 'content');
  assert.deepEqual(await readdir(folder.path), ['a.yaml']);
});

test('what has the name already is untouched, whatever it is, and whenever it came', async () => {
  await using folder = await openTempFolder();
  const [plain, link, other] = ['plain', 'link', 'other'].map((name) => join(folder.path, name));
  const made = { [plain!]: 'file', [link!]: 'link', [other!]: 'folder' };
  for (const [path, kind] of Object.entries(made)) {
    await using file = await prepareFile(path, 'new');
    if (kind === 'file') await writeFile(path, 'old');
    else if (kind === 'link') await symlink(join(folder.path, 'nowhere'), path);
    else await mkdir(path);
    assert.equal(await file.commit(), false, kind);
  }
  assert.equal(await readFile(plain!, 'utf8'), 'old');
  assert.deepEqual((await readdir(folder.path)).sort(), ['link', 'other', 'plain']);
});

test('what a kill left beside it goes with the next one', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'a.yaml');
  await writeFile(`${path}.0123456789ab.tmp`, 'half');
  await writeFile(`${path}.mine.tmp`, 'somebody else');
  await using file = await prepareFile(path, 'content');
  await file.commit();
  assert.deepEqual((await readdir(folder.path)).sort(), ['a.yaml', 'a.yaml.mine.tmp']);
});

test('a place where nothing can be written is refused with its code', async () => {
  await assert.rejects(prepareFile('/proc/a.yaml', 'x'), { code: 'SVC-STO-002' });
});
