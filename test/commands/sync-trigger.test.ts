import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestServer } from '../kit/instance/server.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';
import { runCommand } from '../kit/program/run-command.ts';
import { runSvc } from '../kit/program/svc.ts';
import { tlsPair } from '../kit/program/tls-pair.ts';
import { typeInto } from '../kit/program/type-into.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';
import { answer, base, done, type Handler, script, startPeer } from '../kit/scene/scripted-instance.ts';

/** A code of a newer version. */
const newCode = 'SVC-NEW-042';

test('an error with an unknown code is printed as the instance describes it, and its class decides the exit code', async () => {
  const problem = {
    type: `/help#${newCode}`,
    title: 'The moon is full.',
    status: 409,
    code: newCode,
    class: 'policy',
    probable_cause: 'It happens every month.',
    action: 'Wait for\u001b[2J tomorrow.',
    correlation_id: 'abc-1',
    params: { moon: 'full' },
  };
  await using peer = await startPeer((_req, res) => answer(res, 409, problem));
  const text = await runCommand(['sync', '--instance', peer.url]);
  assert.equal(text.exitCode, 3, text.stderr);
  assert.match(
    text.stderr,
    /SVC-NEW-042: The moon is full\.\n +Probable cause: It happens every month\.\n +What to do: Wait for\\u001b\[2J tomorrow\.\n +Correlation id: abc-1/,
  );
  const json = await runCommand(['sync', '--instance', peer.url, '--output', 'json']);
  assert.equal(json.exitCode, 3);
  const { error } = JSON.parse(json.stdout);
  const { code, class: kind, exit_code: exitCode, title, cause, params } = error;
  assert.deepEqual(
    { code, kind, exitCode, title, cause, params },
    {
      code: newCode,
      kind: 'policy',
      exitCode: 3,
      title: problem.title,
      cause: problem.probable_cause,
      params: { moon: 'full' },
    },
  );
  const { class: _, ...unclassified } = problem;
  await using older = await startPeer((_req, res) => answer(res, 409, unclassified));
  assert.equal((await runCommand(['sync', '--instance', older.url])).exitCode, 1);
});

test('a task that failed with an unknown code exits by the class of the error', async () => {
  for (const [kind, exitCode] of [
    ['verification', 4],
    ['policy', 3],
    ['failure', 1],
    ['something else', 1],
  ] as const) {
    const error = {
      code: newCode,
      class: kind,
      params: { moon: 'full', nights: [1, '2'] },
      detail: 'it is night',
    };
    const items = [{ name: 'shop', status: 'failed', transferredBytes: 0, error }];
    const failed = { ...base, status: 'failed', principalCode: newCode, items };
    const counts = { total: 1, done: 0, failed: 1, skipped: 0 };
    await using peer = await startPeer(script({ ...failed, counts }));
    const { exitCode: actual, stderr } = await runCommand(['sync', '--wait', '--instance', peer.url]);
    assert.equal(actual, exitCode, stderr);
    assert.doesNotMatch(stderr, /TypeError|SVC-SRV-001/);
    assert.match(
      stderr,
      /shop: SVC-NEW-042 This version has no description of this error \(moon: full, nights: 1, 2\)\./,
    );
    assert.match(
      stderr,
      /SVC-NEW-042: This version has no description of this error \(moon: full, nights: 1, 2\)\./,
    );
    assert.match(stderr, /it is night/);
  }
});

test('a real instance is triggered and waited for with a token from a file', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const tokenFile = join(folder.path, 'token');
  await writeFile(tokenFile, `${server.as.operator.replace('Bearer ', '')}\n`);
  const args = ['sync', '--instance', `${server.url}/`, '--token-file', tokenFile, '--output', 'json'];
  const triggered = await runCommand(args);
  assert.equal(triggered.exitCode, 0, triggered.stderr);
  assertCliDocument('svc sync', triggered.stdout);
  const { instance, waited, task } = JSON.parse(triggered.stdout);
  assert.deepEqual([instance, waited], [server.url, false]);
  assert.match(task.id, /^tsk_[0-9a-f]{12}$/);
  assert.equal(task.prune, false, 'the default of passthrough');

  const awaited = await runCommand([...args, '--wait', '--prune=false']);
  assert.equal(awaited.exitCode, 0, awaited.stderr);
  assertCliDocument('svc sync', awaited.stdout);
  const outcome = JSON.parse(awaited.stdout);
  assert.deepEqual([outcome.waited, outcome.task.status, outcome.task.prune], [true, 'done', false]);

  const text = await runCommand(['sync', '--wait', '--prune'], {
    env: { SVC_INSTANCE_URL: server.url, SVC_API_TOKEN: server.as.operator.replace('Bearer ', '') },
  });
  assert.deepEqual([text.exitCode, text.stderr], [0, '']);
  assert.match(text.stdout, /^tsk_[0-9a-f]{12} done: 0 items, 0 B\n$/);
});

test('a wrong credential is exit 1, a role below the floor exit 3, both with their correlation id', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const args = ['sync', '--instance', server.url];
  const none = await runCommand(args);
  assert.equal(none.exitCode, 1);
  assert.match(none.stderr, /SVC-AUTH-002/);
  const wrong = await runCommand(args, { env: { SVC_API_TOKEN: `svc_${'x'.repeat(43)}` } });
  assert.equal(wrong.exitCode, 1);
  assert.match(wrong.stderr, /SVC-AUTH-002: .*\n.*\n.*\n {2}Correlation id: \S+\n$/);
  assert.doesNotMatch(wrong.stderr, /xxxx/);
  const env = { SVC_API_TOKEN: server.as.viewer.replace('Bearer ', ''), LC_ALL: 'fr_FR.UTF-8' };
  const viewer = await runCommand(args, { env });
  assert.deepEqual([viewer.exitCode, viewer.stdout], [3, '']);
  assert.match(viewer.stderr, /SVC-AUTH-003\u00a0: .*operator/);
});

test('the flag wins over the variable, and the variable over the configured listener', async () => {
  await using peer = await startPeer(script(done));
  const flag = await runCommand(['sync', '--instance', peer.url], {
    env: { SVC_INSTANCE_URL: 'http://127.0.0.1:1' },
  });
  assert.equal(flag.exitCode, 0);
  const derived = await runCommand(['sync', '--output', 'json'], {
    env: { SVC_SERVER_ADDR: `:${peer.port}` },
  });
  assert.equal(derived.exitCode, 0, derived.stderr);
  assert.equal(JSON.parse(derived.stdout).instance, `http://localhost:${peer.port}`);
  const port0 = await runCommand(['sync'], { env: { SVC_SERVER_ADDR: '127.0.0.1:0' } });
  assert.equal(port0.exitCode, 1);
  assert.match(port0.stderr, /SVC-CFG-001: .*server\.addr.*--instance/);
  const bad = await runCommand(['sync'], { env: { SVC_INSTANCE_URL: 'nonsense' } });
  assert.equal(bad.exitCode, 1);
  assert.match(bad.stderr, /SVC-CFG-001: .*SVC_INSTANCE_URL/);
});

test('an instance that is not there is SRV-003', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const { exitCode, stderr, stdout } = await runCommand(['sync', '--instance', `http://127.0.0.1:${port}`]);
  assert.deepEqual([exitCode, stdout], [1, '']);
  assert.match(stderr, /SVC-SRV-003: .*ECONNREFUSED/);
  assert.doesNotMatch(stderr, /svc serve/);
  await using folder = await openTempFolder();
  const config = join(folder.path, 'own.yaml');
  await writeFile(config, JSON.stringify({ server: { addr: `127.0.0.1:${port}` } }));
  const own = await runCommand(['sync', '--config', config]);
  assert.ok(own.stderr.includes(`Start the instance of this configuration: svc serve --config ${config}.`));
  const env = { SVC_INSTANCE_URL: `http://127.0.0.1:${port}` };
  const named = await runCommand(['sync', '--config', config], { env });
  assert.match(named.stderr, /the address is that of SVC_INSTANCE_URL/);
  assert.doesNotMatch(named.stderr, /svc serve/);
});

test('something else at the address is SRV-003: another page, a redirect, an answer without a task', async () => {
  const answers: Handler[] = [
    (_req, res) => res.writeHead(404, { 'content-type': 'text/html' }).end('<h1>hunter2</h1>'),
    (_req, res) => res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    (_req, res) => answer(res, 200, { hello: 1 }),
    (_req, res) => answer(res, 200, []),
    (_req, res) => answer(res, 500, { code: 'SVC-NEW-001', params: {} }),
  ];
  for (const handler of answers) {
    await using peer = await startPeer(handler);
    const { exitCode, stderr } = await runCommand(['sync', '--instance', peer.url]);
    assert.equal(exitCode, 1);
    assert.match(stderr, /SVC-SRV-003/);
    assert.doesNotMatch(stderr, /hunter2/);
  }
});

test('a request that is not answered in time is given up', async () => {
  await using peer = await startPeer(() => {});
  const { exitCode, stderr } = await runCommand([
    'sync',
    '--instance',
    peer.url,
    '--request-timeout',
    '300ms',
  ]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /SVC-SRV-003: .*no answer within 0\.3 s/);
});

const failures: readonly [string, Record<string, unknown>, number][] = [
  ['a failure', { principalCode: 'SVC-REG-002' }, 1],
  ['a policy refusal', { principalCode: 'SVC-POL-001' }, 3],
  ['a verification', { principalCode: 'SVC-SIG-001' }, 4],
  [
    'an error of its own',
    { error: { code: 'SVC-STO-004', class: 'failure', params: { path: '/s', shortfall: 5 } } },
    1,
  ],
  ['nothing known', {}, 1],
];
for (const [what, change, exitCode] of failures) {
  test(`under --wait a task that failed by ${what} exits ${exitCode}, its report printed`, async () => {
    const params = { subject: 'app', reason: 'none', host: 'h.example' };
    const code = change.principalCode ?? 'SVC-REG-002';
    const items = [
      { name: 'fine', status: 'done', transferredBytes: 1 },
      {
        name: 'broken\u001b[2J',
        status: 'failed',
        transferredBytes: 0,
        error: { code, class: 'failure', params },
      },
    ];
    await using peer = await startPeer(
      script({ ...base, status: 'running' }, { ...base, ...change, items, status: 'failed' }),
    );
    const result = await runCommand(['sync', '--wait', '--instance', peer.url, '--output', 'json']);
    assert.equal(result.exitCode, exitCode, result.stderr);
    assert.equal(JSON.parse(result.stdout).task.status, 'failed');
    assert.match(result.stderr, /broken\\u001b\[2J: SVC-/);
    assert.match(result.stderr, /^svc: SVC-[A-Z]+-\d+: /m);
    assert.doesNotMatch(result.stderr, /\u001b/);
  });
}

test('waiting continues while an instance is briefly unreachable', async () => {
  let asked = 0;
  await using peer = await startPeer((req, res) => {
    if (req.method === 'POST') return answer(res, 201, { task: base });
    asked += 1;
    if (asked < 3) return void req.socket.destroy();
    answer(res, 200, { task: done });
  });
  const { exitCode, stdout } = await runCommand(['sync', '--wait', '--instance', peer.url]);
  assert.equal(exitCode, 0);
  assert.match(stdout, /done: 2 items \(1 done, 1 skipped\)/);
});

test('giving up the wait names the task, prints what was seen and exits 1', async () => {
  await using peer = await startPeer(script({ ...base, status: 'running' }));
  const args = ['sync', '--wait', '--wait-timeout', '500ms', '--instance', peer.url, '--output', 'json'];
  const { exitCode, stdout, stderr } = await runCommand(args);
  assert.equal(exitCode, 1);
  assert.match(stderr, /svc: timed out after 500ms; task tsk_0123456789ab continues/);
  const { waited, task } = JSON.parse(stdout);
  assert.deepEqual([waited, task.status], [false, 'running']);
});

test('a wait for a window is said when it begins, in the outcome and when the wait is given up', async () => {
  const waiting = { reason: 'window', until: '2030-01-02T03:00:00Z' };
  await using peer = await startPeer(script({ ...base, waiting }));
  const args = ['--wait-timeout', '500ms', '--instance', peer.url];
  const sync = await runCommand(['sync', '--wait', ...args]);
  assert.equal(sync.exitCode, 1);
  const why = 'waits for the next window of transfers, until 2 Jan 2030, 03:00';
  const lines = sync.stderr.split('\n');
  assert.match(lines[0]!, new RegExp(`^svc: task tsk_0123456789ab ${why}`), sync.stderr);
  assert.match(
    lines[1]!,
    new RegExp(`^svc: timed out after 500ms; task tsk_0123456789ab ${why}.*, and continues then on http`),
  );
  assert.equal(lines.length, 3);
  assert.match(sync.stdout, new RegExp(`^tsk_0123456789ab pending: ${why}`));
  const french = await runCommand(['task', 'wait', base.id, ...args], { env: { LC_ALL: 'fr' } });
  assert.match(
    french.stderr,
    /^svc: la tâche tsk_\w+ attend la prochaine fenêtre de transfert, jusqu’au 2 janv\. 2030/,
  );
  assert.match(french.stderr, /dépassé\s; la tâche tsk_\w+ attend .*, et continue alors sur http/);
});

test('Ctrl-C while waiting names the task and dies of the signal', async () => {
  const { spawn } = await import('node:child_process');
  const { svcCommand, svcEnvironment } = await import('../kit/program/svc.ts');
  const [command, ...first] = svcCommand();
  let child: ReturnType<typeof spawn> | undefined;
  await using peer = await startPeer((req, res) => {
    if (req.method === 'POST') return answer(res, 201, { task: base });
    answer(res, 200, { task: { ...base, status: 'running' } });
    child!.kill('SIGINT');
  });
  child = spawn(command, [...first, 'sync', '--wait', '--instance', peer.url], {
    env: svcEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code, signal] = await once(child, 'close');
  assert.deepEqual([code, signal], [null, 'SIGINT']);
  assert.match(stderr, /interrupted; task tsk_0123456789ab continues/);
});

test('a derived https address trusts exactly the configured certificate, whatever its names', async () => {
  await using folder = await openTempFolder();
  await using peer = await startPeer(script(done), true);
  const certFile = join(folder.path, 'cert.pem');
  const keyFile = join(folder.path, 'key.pem');
  await writeFile(certFile, tlsPair.cert);
  await writeFile(keyFile, tlsPair.key);
  const env = {
    SVC_SERVER_ADDR: `127.0.0.1:${peer.port}`,
    SVC_SERVER_TLS_CERT_FILE: certFile,
    SVC_SERVER_TLS_KEY_FILE: keyFile,
    SVC_NETWORK_PROXY_URL: 'http://127.0.0.1:1',
  };
  const trusted = await runCommand(['sync'], { env });
  assert.equal(trusted.exitCode, 0, trusted.stderr);
  await writeFile(certFile, tlsPair.otherCa);
  const other = await runCommand(['sync'], { env });
  assert.equal(other.exitCode, 1);
  assert.match(other.stderr, /SVC-SRV-003/);
});

test('a derived https address trusts the certificate that the instance keeps in its state', async () => {
  await using folder = await openTempFolder();
  await using peer = await startPeer(script(done), true);
  const kept = join(folder.path, 'tls', 'generated-1');
  await mkdir(kept, { recursive: true });
  await writeFile(join(kept, 'certificate.pem'), tlsPair.cert);
  await writeFile(join(kept, 'key.pem'), tlsPair.key);
  const env = {
    SVC_SERVER_ADDR: `127.0.0.1:${peer.port}`,
    SVC_SERVER_TLS_ENABLED: 'true',
    SVC_STATE_ROOT: folder.path,
  };
  const { exitCode, stderr } = await runCommand(['sync'], { env });
  assert.equal(exitCode, 0, stderr);
});

test('an address that was given is judged by the authorities of the system and the configuration, and no variable turns that off', async () => {
  await using peer = await startPeer(script(done), true);
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_EXTRA_CA_CERTS: tlsPair.caFile };
  const refused = await runSvc(['sync', '--instance', peer.url], { env });
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /SVC-SRV-003/);
  for (const name of ['SVC_NETWORK_TLS_CA_FILES', 'SSL_CERT_FILE']) {
    const env = { [name]: tlsPair.caFile };
    const accepted = await runSvc(['sync', '--instance', peer.url], { env });
    assert.equal(accepted.exitCode, 0, accepted.stderr);
  }
});

test('a token file that is missing, empty or no token is exit 1, and its content is never shown', async () => {
  await using folder = await openTempFolder();
  const tokenFile = join(folder.path, 'token');
  const args = ['sync', '--instance', 'http://127.0.0.1:1', '--token-file', tokenFile];
  assert.match((await runCommand(args)).stderr, /svc: SVC-FIL-005: [\s\S]* does not exist/);
  assert.match(
    (await runCommand([...args.slice(0, -1), folder.path])).stderr,
    /svc: SVC-FIL-005: [\s\S]* is a folder, not a file/,
  );
  await writeFile(tokenFile, '\n');
  assert.match((await runCommand(args)).stderr, /svc: SVC-VAL-001: .* contains no token/);
  await writeFile(tokenFile, 'hunter2 hunter2\n');
  const { exitCode, stderr } = await runCommand(args);
  assert.equal(exitCode, 1);
  assert.match(stderr, /contains no token/);
  assert.doesNotMatch(stderr, /hunter2/);
});

test('on a terminal, a synchronization of this mirror says where its medium is; that of another machine does not', async (t) => {
  const terminal = needs(t, 'script');
  if (!terminal) return;
  await using folder = await openTempFolder();
  await using peer = await startPeer(script(done));
  const config = join(folder.path, 'svc.yaml');
  const server = { addr: new URL(peer.url).host };
  await writeFile(config, JSON.stringify({ mode: 'mirror', server, storage: { root: './store' } }));
  const sync = ['sync', '--wait', '--config', config];
  const own = await typeInto(terminal, sync, []);
  assert.equal(own.exitCode, 0, own.screen);
  assert.ok(own.screen.includes(`the medium is ${join(folder.path, 'store')}: `), own.screen);
  assert.ok(own.screen.split('\r\n').includes('  svc quickstart --for medium'), own.screen);
  const other = await typeInto(terminal, [...sync, '--instance', peer.url], []);
  assert.equal(other.exitCode, 0, other.screen);
  assert.doesNotMatch(other.screen, /quickstart/);
});

test('on a terminal, a synchronization that is not waited for shows the command that waits, with its flags', async (t) => {
  const terminal = needs(t, 'script');
  if (!terminal) return;
  await using folder = await openTempFolder();
  await using peer = await startPeer(script(done));
  const token = join(folder.path, 'token');
  await writeFile(token, 'svc_secret\n', { mode: 0o600 });
  const flags = `--instance ${peer.url} --token-file ${token}`;
  const { exitCode, screen } = await typeInto(terminal, ['sync', ...flags.split(' ')], [], { columns: 200 });
  assert.equal(exitCode, 0, screen);
  assert.match(screen, /svc: wait for its end with:\r\n/);
  const [command] = screen.split('\r\n').filter((line) => line.startsWith('  svc task wait '));
  assert.equal(command, `  svc task wait ${base.id} ${flags}`);
  // typed as it is shown
  const waited = await runCommand(command!.trim().split(' ').slice(1));
  assert.equal(waited.exitCode, 0, waited.stderr);
  // a script gets nothing of it
  const piped = await runCommand(['sync', ...flags.split(' ')]);
  assert.doesNotMatch(piped.stderr, /task wait/);
});

test('control characters in the identifier and the codes of a task never reach the terminal', async () => {
  const evil = '\u001b]0;owned\u0007\u001b[31mred\r\nsvc: forged line';
  const items = [
    {
      name: evil,
      status: 'failed',
      transferredBytes: 0,
      error: { code: evil, class: 'failure', params: {} },
    },
  ];
  const counts = { total: 1, done: 0, failed: 1, skipped: 0 };
  const error = { code: evil, class: 'failure', params: {} };
  const failed = { ...base, status: 'failed', principalCode: evil, error, items, counts };
  const sound = { ...error, code: newCode };
  const answers: readonly object[] = [
    failed,
    { ...failed, principalCode: newCode, error: sound },
    { ...base, id: evil },
    { ...base, reference: evil, actor: evil, runId: evil, items: [{ ...items[0], error: sound }] },
  ];
  for (const task of answers) {
    await using peer = await startPeer((req, res) =>
      answer(res, req.method === 'POST' ? 201 : 200, { task }),
    );
    for (const args of [['sync'], ['task', 'show', base.id], ['task', 'show', base.id, '--output', 'json']]) {
      const { stdout, stderr } = await runCommand([...args, '--instance', peer.url]);
      assert.doesNotMatch(`${stdout}${stderr}`, /[\x00-\x08\x0b-\x1f]|^svc: forged/m, args.join(' '));
    }
    if (task === answers[3]) continue;
    const { exitCode, stderr } = await runCommand(['task', 'show', base.id, '--instance', peer.url]);
    assert.equal(exitCode, 1);
    assert.match(stderr, /SVC-SRV-003: .*in its answer, \/task\//);
  }
});

test('an instance that answers with another task than the one asked for is no instance', async () => {
  await using peer = await startPeer((_req, res) =>
    answer(res, 200, { task: { ...done, id: 'tsk_ba9876543210' } }),
  );
  const { exitCode, stderr } = await runCommand(['task', 'show', base.id, '--instance', peer.url]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /SVC-SRV-003: .*another task than tsk_0123456789ab/);
});
