import assert from 'node:assert/strict';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runSvc } from '../kit/program/svc.ts';

const [uid, gid] = [54_321, 54_322];

/** Everything in a folder belongs to the account of the service. */
async function requireOwned(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  assert.ok(names.length > 0, folder);
  for (const name of names) {
    const found = await stat(join(folder, name));
    assert.deepEqual([found.uid, found.gid], [uid, gid], name);
  }
}

test('what root packs, repairs and sets up in the folders of a service belongs to the service', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('not run: needs root');
  const own = await mkdtemp(join(tmpdir(), 'svc-owned-'));
  t.after(() => rm(own, { recursive: true, force: true }));
  await chmod(own, 0o755);
  const [home, tree] = [join(own, 'home'), join(own, 'tree')];
  await mkdir(tree);
  await writeFile(join(tree, 'file'), 'some text');
  await mkdir(home);
  await chown(home, uid, gid);
  const [store, state] = [join(home, 'store'), join(home, 'state')];
  const roots = ['--storage-root', store, '--state-root', state];

  const configPath = join(own, 'svc.yaml');
  const set = await runSvc(
    ['quickstart', '--config', configPath, '--mode', 'mirror', ...roots, '--password-stdin'],
    { input: 'the good hunter2\n', env: { SVC_SERVER_ADDR: '127.0.0.1:0' } },
  );
  assert.equal(set.exitCode, 0, set.stderr);
  assert.equal((await stat(configPath)).uid, 0, 'the configuration is of root, in a folder of root');
  await requireOwned(home);

  const packed = await runSvc(['fileset', 'pack', tree, 'some:1.0.0', ...roots]);
  assert.equal(packed.exitCode, 0, packed.stderr);
  await requireOwned(home);

  // the service reads the folder, also in a command of root
  await writeFile(join(tree, 'of-root'), '', { mode: 0o600 });
  const unreadable = await runSvc(['fileset', 'pack', tree, 'some:1.0.1', ...roots]);
  assert.equal(unreadable.exitCode, 1);
  assert.match(unreadable.stderr, /SVC-FIL-001/);

  // an archive of root in a folder of root, and a record of the task that the service can read
  const exported = await runSvc(['export', join(own, 'out.tar'), ...roots, '--output', 'json']);
  assert.equal(exported.exitCode, 0, exported.stderr);
  const files = await readdir(join(state, 'commands'));
  assert.ok(files.includes(`${JSON.parse(exported.stdout).taskId}.json`), files.join());
  assert.equal((await stat(join(own, 'out.tar'))).uid, 0);
  await requireOwned(home);

  const ledger = (await readdir(join(store, 'ledger'))).find((name) => name.startsWith('content'))!;
  const path = join(store, 'ledger', ledger);
  await truncate(path, (await stat(path)).size - 20);
  const repaired = await runSvc(['store', 'check', '--repair', '--quarantine', ...roots]);
  assert.match(repaired.stderr, /"actor":"local:0"/);
  await requireOwned(home);
});
