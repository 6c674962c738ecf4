import assert from 'node:assert/strict';
import { chmod, chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runAsStranger, stranger } from '../kit/instance/run-as-stranger.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand } from '../kit/program/run-command.ts';

test('a store or state of another user is refused for the user, with the step that helps, and not as a failing disk', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('not run: needs root');
  await using folder = await openTempFolder();
  const [store, state] = [join(folder.path, 'store'), join(folder.path, 'state')];
  const roots = ['--storage-root', store, '--state-root', state];
  await chmod(folder.path, 0o755);
  const made = await runCommand(['user', 'add', 'anna', '--password-stdin', ...roots.slice(2)], {
    input: 'a good password\n',
  });
  assert.equal(made.exitCode, 0, made.stderr);
  for (const root of [store, state]) {
    await mkdir(root, { recursive: true });
    await chmod(root, 0o700);
  }
  const serve = ['serve', '--mode', 'mirror', '--server-addr', '127.0.0.1:0', ...roots];
  const isDenied = (stderr: string, code: RegExp): void => {
    assert.match(stderr, code);
    assert.match(stderr, /The user that runs svc has no permission|54321 may not write into/);
    assert.match(stderr, /sudo -u <owner> svc /);
    assert.doesNotMatch(stderr, /unmounted|failing|the disk has an error|kernel log|svc store check/);
  };
  for (const args of [['store', 'check', ...roots], ['user', 'list', '--state-root', state], serve]) {
    const { exitCode, stderr } = await runAsStranger(args);
    assert.equal(exitCode, 1, stderr);
    isDenied(stderr, /SVC-STO-00[12]/);
    // the file that was met first is one of many
    const root = args.includes('check') ? store : state;
    if (args[0] !== 'serve') assert.ok(stderr.includes(`sudo chown -R 54321 ${root}.`), stderr);
    if (args[0] !== 'serve')
      assert.match(stderr, /FAT or exFAT has no owners: mount it with the option uid=54321/);
  }
  // the state is given away, and the store can be read but not written
  for (const name of ['.', ...(await readdir(state, { recursive: true }))])
    await chown(join(state, name), stranger, stranger);
  await chmod(store, 0o755);
  const unwritable = await runAsStranger(serve);
  assert.equal(unwritable.exitCode, 1, unwritable.stderr);
  isDenied(unwritable.stderr, /SVC-STO-002/);
  const french = await runAsStranger(serve, { LC_ALL: 'fr_FR.UTF-8' });
  assert.match(french.stderr, /54321 n’a pas le droit d’écrire dans le dossier/);
});
