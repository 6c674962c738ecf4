import assert from 'node:assert/strict';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openAccounts } from '../../src/account/accounts.ts';
import { runCommand } from '../kit/program/run-command.ts';
import type { SvcOptions, SvcResult } from '../kit/program/svc.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';

let folder: string;
let state: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-user-'));
  state = join(folder, 'state');
});
after(() => rm(folder, { recursive: true, force: true }));

const user = (args: readonly string[], options?: SvcOptions): Promise<SvcResult> =>
  runCommand(['user', ...args, '--state-root', state], options);

test('accounts are created, listed and given passwords without a terminal', async () => {
  const first = await user(['add', 'ada', '--role', 'viewer', '--password-stdin', '--output', 'json'], {
    input: 'the good hunter2\n',
  });
  assert.equal(first.exitCode, 0, first.stderr);
  assertCliDocument('svc user add', first.stdout);
  assert.deepEqual(JSON.parse(first.stdout), { name: 'ada', role: 'admin', first: true });
  assert.match(first.stderr, /the first account is always an administrator/);
  const audit = first.stderr.split('\n').find((line) => line.includes('account.create'));
  const { action, actor, target, outcome } = JSON.parse(audit!);
  const expected = {
    action: 'account.create',
    actor: `local:${process.getuid!()}`,
    target: 'ada',
    outcome: 'success',
  };
  assert.deepEqual({ action, actor, target, outcome }, expected);

  const second = await user(['add', 'bob', '--password-stdin'], { input: 'one long line\r\nnot this\n' });
  assert.deepEqual([second.exitCode, second.stdout], [0, 'bob (viewer)\n']);

  const list = await user(['list', '--output', 'json']);
  assertCliDocument('svc user list', list.stdout);
  const { accounts } = JSON.parse(list.stdout);
  assert.deepEqual(
    accounts.map(({ name, role }: { name: string; role: string }) => [name, role]),
    [
      ['ada', 'admin'],
      ['bob', 'viewer'],
    ],
  );
  assert.match(
    (await user(['list'])).stdout,
    /^NAME +ROLE +CREATED +LAST SIGN-IN\nada +admin +.* never\nbob/,
  );
  assert.match((await user(['list', '--sort', 'created'])).stdout, /^NAME .*\nbob .*\nada /);
  assert.match((await user(['list', '--sort', 'role', '--order', 'desc'])).stdout, /\nbob .*\nada /);

  const changed = await user(['passwd', 'bob', '--password-stdin', '--output', 'json'], {
    input: 'a good new one\n',
  });
  assertCliDocument('svc user passwd', changed.stdout);
  assert.deepEqual(JSON.parse(changed.stdout), { name: 'bob', role: 'viewer' });
  assert.match(changed.stderr, /account\.password_change/);
  const stored = await readFile(join(state, 'accounts'), 'utf8');
  for (const text of [stored, first.stdout, first.stderr, second.stderr, changed.stderr]) {
    assert.doesNotMatch(text, /hunter2|one line|new one/);
  }
});

test('the first account is made once, from a file that is read only then', async () => {
  const root = join(folder, 'pod');
  const file = join(folder, 'password');
  const add = (...args: readonly string[]): Promise<SvcResult> =>
    runCommand(['user', 'add', 'admin', '--first', ...args, '--state-root', root]);
  const absent = await add('--password-file', file);
  assert.deepEqual([absent.exitCode, absent.stdout], [1, '']);
  assert.match(absent.stderr, /SVC-FIL-005/);
  await writeFile(file, 'read from a file\nnot this\n', { mode: 0o440 });
  const made = await add('--password-file', file);
  assert.deepEqual([made.exitCode, made.stdout], [0, 'admin (admin)\n'], made.stderr);
  assert.doesNotMatch(made.stderr, /warning/);
  const stored = await readFile(join(root, 'accounts'), 'utf8');
  // a secret that was used may be removed
  await rm(file);
  const again = await add('--password-file', file, '--output', 'json');
  assert.equal(again.exitCode, 0, again.stderr);
  assertCliDocument('svc user add', again.stdout);
  assert.deepEqual(JSON.parse(again.stdout), { name: 'admin', first: false });
  assert.match(again.stderr, /already has accounts; no account was added/);
  assert.doesNotMatch(again.stderr, /account\.create/);
  assert.equal(await readFile(join(root, 'accounts'), 'utf8'), stored);
  const both = await add('--password-file', file, '--password-stdin');
  assert.equal(both.exitCode, 2);
  assert.match(both.stderr, /two ways to give the password/);
});

test('of two that make the first account at once, one makes it', async () => {
  const accounts = [1, 2].map(() =>
    openAccounts({
      stateRoot: join(folder, 'race'),
      hashing: { memoryCost: 64, timeCost: 1, parallelism: 1 },
    }),
  );
  const made = await Promise.all(
    accounts.map((one, at) => one.createFirst({ name: `admin${at}`, password: 'a good password' })),
  );
  assert.equal(made.filter((one) => one !== undefined).length, 1);
  assert.equal((await accounts[0]!.list()).length, 1);
  for (const one of accounts) await one[Symbol.asyncDispose]();
});

test('a taken name and an unknown one are refused with their codes, and audited', async () => {
  const taken = await user(['add', 'ada', '--password-stdin'], { input: 'a good password\n' });
  assert.deepEqual([taken.exitCode, taken.stdout], [1, '']);
  assert.match(taken.stderr, /SVC-AUTH-009/);
  assert.match(taken.stderr, /"outcome":"failure"/);
  const unknown = await user(['passwd', 'nobody', '--password-stdin'], { input: 'a good password\n' });
  assert.equal(unknown.exitCode, 1);
  assert.match(unknown.stderr, /SVC-AUTH-010/);
});

test('a name that no account can have is a usage error, before any configuration is read', async () => {
  for (const [name, rule] of [
    ['no spaces', /'no spaces' is not a user name: a name is 1 to 64 letters/],
    ['system', /this name is reserved/],
  ] as const) {
    const bad = await user(['add', name, '--password-stdin', '--config', '/nowhere.yaml'], {
      input: 'a good password\n',
    });
    assert.equal(bad.exitCode, 2, bad.stderr);
    assert.match(bad.stderr, rule);
    assert.equal(bad.stdout, '');
  }
});

test('an empty password is refused, and one that starts like a token', async () => {
  const empty = await user(['add', 'eve', '--password-stdin'], { input: '\n' });
  assert.equal(empty.exitCode, 2);
  assert.match(empty.stderr, /the password on stdin is empty/);
  assert.equal((await user(['add', 'eve', '--password-stdin'], { input: '' })).exitCode, 2);
  const token = await user(['add', 'eve', '--password-stdin'], { input: 'svc_abc\n' });
  assert.equal(token.exitCode, 1);
  assert.match(token.stderr, /SVC-AUTH-007/);
});

test('without a terminal and without the flag a password is not waited for', async () => {
  for (const args of [
    ['add', 'eve'],
    ['passwd', 'ada'],
  ]) {
    const { exitCode, stderr } = await user(args, { timeout: 20_000 });
    assert.equal(exitCode, 2);
    assert.match(stderr, /use --password-stdin/);
  }
});

test('what root changes in the state of a service stays readable for the service', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('not run: needs root');
  const [uid, gid] = [54_321, 54_322];
  const own = await mkdtemp(join(tmpdir(), 'svc-owned-'));
  t.after(() => rm(own, { recursive: true, force: true }));
  await chmod(own, 0o755);
  const root = join(own, 'state');
  await mkdir(root, { mode: 0o700 });
  await chown(root, uid, gid);
  for (const args of [
    ['add', 'ada'],
    ['add', 'bob'],
    ['passwd', 'ada'],
  ]) {
    const { exitCode, stderr } = await runCommand(
      ['user', ...args, '--password-stdin', '--state-root', root],
      {
        input: 'the good hunter2\n',
      },
    );
    assert.equal(exitCode, 0, stderr);
    // the audit log names the calling user
    assert.match(stderr, /"actor":"local:0"/);
  }
  const files = await readdir(root);
  assert.ok(files.includes('accounts'));
  for (const name of files) {
    const { uid: owner, gid: group } = await stat(join(root, name));
    assert.deepEqual([owner, group], [uid, gid], name);
  }
});
