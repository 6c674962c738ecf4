import assert from 'node:assert/strict';
import { chmod, cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { folderPrint } from '../../kit/result/folder-print.ts';

const kept = join(import.meta.dirname, '..', '..', 'fixtures', 'kept');
const formats = (await readdir(kept)).filter((name) => name.startsWith('format-'));

/** A copy of a kept folder; the permissions of the state are those that the program gives. */
async function openKept(format: string): Promise<TempFolder & { readonly roots: readonly string[] }> {
  const folder = await openTempFolder();
  await cp(join(kept, format), folder.path, { recursive: true });
  const state = join(folder.path, 'state');
  await chmod(state, 0o700);
  for (const name of await readdir(state)) await chmod(join(state, name), 0o600);
  return { ...folder, roots: ['--storage-root', join(folder.path, 'store'), '--state-root', state] };
}

for (const format of formats) {
  test(`a store and a state of ${format} are read, served and written by this version`, async () => {
    await using folder = await openKept(format);
    const checked = await runCommand(['store', 'check', ...folder.roots]);
    assert.equal(checked.exitCode, 0, checked.stderr);
    assert.match(checked.stdout, /verdict +clean/);
    const users = await runCommand(['user', 'list', ...folder.roots.slice(2)]);
    assert.match(users.stdout, /^admin +admin/m);

    const files = {
      filesets: [{ name: 'manuals', ref: 'localhost/filesets/manuals', version: '1.0', anonymous: true }],
    };
    await using instance = await startInstance({
      folder: folder.path,
      password: 'a good password',
      config: { files },
    });
    const served = await fetch(`${instance.url}/files/manuals/docs/start.txt`);
    assert.equal(await served.text(), 'Read me first.\n');
    // the password that was set then opens the account now
    assert.equal((await instance.api('GET', '/whoami')).body.name, 'admin');
    assert.equal(await instance.stop(), 0, instance.log());

    const packed = await runCommand([
      'fileset',
      'pack',
      join(kept, format, 'store', 'blobs'),
      'more:1.0',
      ...folder.roots,
    ]);
    assert.equal(packed.exitCode, 0, packed.stderr);
    const again = await runCommand(['store', 'check', ...folder.roots]);
    assert.match(again.stdout, /verdict +clean/);
  });
}

test('a store of a later format is refused by every command, is not repaired, and is not changed', async () => {
  await using folder = await openKept('format-1');
  const ledger = join(folder.path, 'store', 'ledger', 'content-00000001.jsonl');
  const text = await readFile(ledger, 'utf8');
  // the changes of a later version are unknown: here it names the members of a batch otherwise
  await writeFile(ledger, text.replace('"format":1', '"format":2').replaceAll('"batch":', '"step":'));
  const before = await folderPrint(join(folder.path, 'store'));
  for (const command of [
    ['status'],
    ['store', 'check'],
    ['store', 'check', '--repair'],
    ['fileset', 'pack', join(kept, 'format-1', 'state'), 'more:1.0'],
    ['export', join(folder.path, 'out.tar')],
  ]) {
    const { exitCode, stderr } = await runCommand([...command, ...folder.roots]);
    assert.equal(exitCode, 1, command.join(' '));
    assert.match(
      stderr,
      /SVC-STO-008: The store has format 2; this version of svc supports 1/,
      command.join(' '),
    );
  }
  assert.deepEqual(await folderPrint(join(folder.path, 'store')), before);
});

test('accounts of a later format are refused, and are not changed', async () => {
  await using folder = await openKept('format-1');
  const path = join(folder.path, 'state', 'accounts');
  const later = (await readFile(path, 'utf8')).replace('"format": 1', '"format": 2');
  await writeFile(path, later);
  const { exitCode, stderr } = await runCommand(['user', 'list', ...folder.roots.slice(2)]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /accounts failed: it has format 2, and this version of svc reads 1/);
  assert.equal(await readFile(path, 'utf8'), later);
});
