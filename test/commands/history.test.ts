import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand, runInLanguage } from '../kit/program/run-command.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';
import { writeAudit } from '../kit/scene/audit-records.ts';

let folder: TempFolder;
let server: TestServer;
let state: string;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  state = join(folder.path, 'state');
  await writeAudit(state);
});

after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const history = (...args: string[]) => runCommand(['history', '--state-root', state, ...args]);

async function listed(...args: string[]): Promise<{ readonly targets: unknown[]; readonly next?: string }> {
  const { stdout, stderr, exitCode } = await history('--output', 'json', ...args);
  assert.equal(exitCode, 0, stderr);
  assertCliDocument('svc history', stdout);
  const { records, next } = JSON.parse(stdout);
  return { targets: records.map(({ target }: { target: string }) => target), next };
}

test('records are listed as a table, escaped, in both languages', async () => {
  const { stdout } = await history('--to', '2026-07-02');
  assert.equal(
    stdout,
    'TIME                      ACTOR                       ACTION             OUTCOME  FROM        TARGET\n' +
      '2 Jul 2026, 23:59:59 UTC  =1+1\\u202e (not signed in)  auth.authenticate  denied   192.0.2.66  =1+1\\u202e\n' +
      '1 Jul 2026, 08:00:00 UTC  ana                         account.create     success              bo\n',
  );
  const french = await runInLanguage(['history', '--state-root', state, '--page-size', '1'], 'fr', {});
  assert.match(
    french.stdout,
    /^HEURE .*\n.* ana +content\.delete +succès .*\nenregistrements suivants\s: --cursor 2-\d+\n$/,
  );
});

test('filters select, a cursor continues, and all records come as one list', async () => {
  assert.deepEqual((await listed('--subject', 'bo')).targets, ['bo']);
  assert.deepEqual((await listed('--outcome', 'denied', '--outcome', 'failure')).targets, ['=1+1\u202e']);
  const first = await listed('--page-size', '2');
  assert.deepEqual(first.targets, ['library/app:1.0', 'library/app:1.0']);
  const rest = await listed('--cursor', first.next!);
  const all = await listed('--all');
  assert.deepEqual([...first.targets, ...rest.targets], all.targets);
  assert.deepEqual((await listed('--all', '--order', 'asc')).targets, all.targets.toReversed());
  assert.equal(all.next, undefined);
  assert.equal((await history('--actor', 'nobody')).stdout, 'no audit record\n');
});

test('an instance answers with the same records, to administrators only', async () => {
  const ask = (authorization: string) =>
    runCommand(['history', '--all', '--output', 'json', '--instance', server.url], {
      env: { SVC_API_TOKEN: authorization.replace('Bearer ', '') },
    });
  assert.equal((await ask(server.as.admin)).stdout, (await history('--all', '--output', 'json')).stdout);
  assert.match((await ask(server.as.operator)).stderr, /SVC-AUTH-003/);
});

test('a command keeps its own audit records', async () => {
  const made = await runCommand(['token', 'create', 'nightly', '--role', 'viewer', '--state-root', state]);
  assert.equal(made.exitCode, 0, made.stderr);
  const { stdout } = await history('--action', 'token.create', '--output', 'json');
  const [record] = JSON.parse(stdout).records;
  const { actor, target, outcome, details } = record;
  assert.deepEqual(
    { actor, target, outcome, details },
    {
      actor: `local:${process.getuid!()}`,
      target: 'nightly',
      outcome: 'success',
      details: { role: 'viewer' },
    },
  );
});

test('the action that was meant is named to somebody who mistyped one of many', async () => {
  const { exitCode, stderr } = await history('--action', 'content.delet');
  assert.equal(exitCode, 2);
  assert.equal(stderr, "svc: --action does not take 'content.delet'; did you mean content.delete?\n");
  assert.match(
    (await history('--action', 'nothing-like-it')).stderr,
    /--action takes one of changes, sign-ins, requests/,
  );
});

test('a wrong time and two sources are usage errors', async () => {
  const wrong = await history('--from', 'yesterday');
  assert.deepEqual([wrong.exitCode, /--from must be a day or a time in UTC/.test(wrong.stderr)], [2, true]);
  const reversed = await history('--from', '2026-07-02', '--to', '2026-07-01');
  assert.deepEqual([reversed.exitCode, /--to must not be before --from/.test(reversed.stderr)], [2, true]);
  assert.equal((await history('--instance', server.url)).exitCode, 2);
});
