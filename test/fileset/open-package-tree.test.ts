import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPackageTree } from '../../src/fileset/package-check/open-package-tree.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

test('what leads out of a tree of packages is not read, and a pipe behind a link blocks nothing', async () => {
  await using folder = await openTempFolder();
  await using elsewhere = await openTempFolder();
  const root = realpathSync(folder.path);
  await writeFile(join(elsewhere.path, 'secret'), 'secret');
  await writeFile(join(root, 'Packages'), 'text');
  await symlink(join(elsewhere.path, 'secret'), join(root, 'outside'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  await symlink('pipe', join(root, 'piped'));
  const tree = await openPackageTree(root, () => undefined);
  assert.deepEqual(tree.paths, ['Packages', 'outside', 'piped']);
  for (const path of ['outside', 'piped', 'absent']) {
    assert.equal(await tree.sizeOf(path), undefined, path);
    await assert.rejects(tree.hash(path, 'sha256'), { code: 'SVC-FIL-005' }, path);
    await assert.rejects(async () => tree.read(path), { code: 'SVC-FIL-005' }, path);
  }
});
