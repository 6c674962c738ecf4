import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountsFile } from '../../src/account/accounts-file.ts';
import { KeptWork } from '../../src/base/kept-work.ts';
import { readKept, readPlain, readPlainText, readPlainTextSync } from '../../src/disk/plain-file.ts';
import { openFreshness } from '../../src/engine/medium/freshness.ts';
import { openSignatureRounds } from '../../src/engine/sync/signature-rounds.ts';
import { readRememberedLedgers } from '../../src/store/opening/remembered-ledgers.ts';
import { readStoreKey } from '../../src/store/opening/store-key.ts';
import { openTaskFiles } from '../../src/task/task-files.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand } from '../kit/program/run-command.ts';

/** Fails when the work does not end within five seconds. */
async function promptly<T>(what: string, work: Promise<T>): Promise<T> {
  const late = pause(5000, undefined, { ref: false }).then(() =>
    assert.fail(`${what}: still waiting after 5 s`),
  );
  return Promise.race([work, late]);
}

async function plantPipe(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
}

const refused = { code: 'SVC-STO-001' };

test('a regular file is read, also through a link; a pipe, a device and a folder are refused at once', async () => {
  await using folder = await openTempFolder();
  const at = (name: string): string => join(folder.path, name);
  await writeFile(at('file'), 'text');
  await symlink(at('file'), at('link'));
  for (const name of ['file', 'link']) {
    assert.equal((await readPlain(at(name))).toString(), 'text');
    assert.equal(await readPlainText(at(name)), 'text');
    assert.equal(readPlainTextSync(at(name)), 'text');
  }
  await plantPipe(at('pipe'));
  for (const path of [at('pipe'), '/dev/zero', folder.path]) {
    await assert.rejects(promptly(path, readPlain(path)), refused, path);
    assert.throws(() => readPlainTextSync(path), refused, path);
  }
  await assert.rejects(readPlain(at('none')), { code: 'ENOENT' });
});

test('a pipe in place of a file of the state never blocks its reader', async () => {
  await using folder = await openTempFolder();
  const state = folder.path;
  await plantPipe(join(state, 'media', 'freshness.json'));
  await assert.rejects(promptly('freshness', openFreshness(state).get('zone-b')), refused);
  await plantPipe(join(state, 'store.key'));
  await assert.rejects(promptly('store key', readStoreKey(state)), refused);
  await plantPipe(join(state, 'ledgers'));
  await assert.rejects(promptly('ledgers', readRememberedLedgers(state)), refused);
  await plantPipe(join(state, 'signature-round'));
  assert.equal(await promptly('signatures', openSignatureRounds(state).read()), undefined);
  await plantPipe(join(state, 'accounts'));
  assert.throws(() => new AccountsFile(state).read(), refused);

  const report = createRecordingReport();
  await plantPipe(join(state, 'tasks', 'tsk_0123456789ab.json'));
  await plantPipe(join(state, 'tasks', 'tsk_0123456789ac.log'));
  const storage = await openTaskFiles(join(state, 'tasks'), report);
  assert.deepEqual(await promptly('tasks', storage.load()), []);
});

test('a command ends with an error when the accounts are a pipe', async () => {
  await using folder = await openTempFolder();
  await plantPipe(join(folder.path, 'accounts'));
  const { exitCode, stderr } = await runCommand(['user', 'list', '--state-root', folder.path]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /SVC-STO-001.*accounts.*not a regular file/);
});

test('a kept file is read once, and again after it was replaced, changed in place, or removed and made again', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'record');
  const kept = new KeptWork<string, string>(1 << 20);
  let readings = 0;
  const read = () =>
    readKept(kept, path, async () => {
      readings += 1;
      const value = await readFile(path, 'utf8');
      if (value === 'damaged') throw new Error('damaged');
      return { value, bytes: value.length };
    });
  assert.deepEqual([await read(), readings], [undefined, 0]);
  await writeFile(path, 'first');
  assert.deepEqual([await read(), await read(), readings], ['first', 'first', 1]);
  await writeFile(`${path}.new`, 'other');
  await rename(`${path}.new`, path);
  assert.deepEqual([await read(), await read(), readings], ['other', 'other', 2]);
  await writeFile(path, 'longer than before');
  assert.deepEqual([await read(), readings], ['longer than before', 3]);
  // a failure is not kept
  await writeFile(path, 'damaged');
  await assert.rejects(read(), /damaged/);
  await assert.rejects(read(), /damaged/);
  assert.equal(readings, 5);
  await rm(path);
  assert.equal(await read(), undefined);
});
