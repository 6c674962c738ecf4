import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { openArrivals } from '../../src/zone/arrivals.ts';
import { beginDelivery } from '../../src/zone/delivery-record.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand } from '../kit/program/run-command.ts';
import { svcCommand, svcEnvironment } from '../kit/program/svc.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-commands-'));
});
after(() => rm(folder, { recursive: true, force: true }));

test('version is one line of text', async () => {
  const { exitCode, stdout, stderr } = await runCommand(['version']);
  assert.equal(exitCode, 0);
  assert.match(stdout, /^svc \d+\.\d+\.\d+ \(commit .+, built .+, node v\d+\..+, linux\/.+\)\n$/);
  assert.equal(stderr, '');
});

test('version as JSON has its members and the exit-code table, alone on stdout', async () => {
  const { stdout } = await runCommand(['version', '--output', 'json']);
  assertCliDocument('svc version', stdout);
  const document = JSON.parse(stdout);
  assert.deepEqual(Object.keys(document), [
    'version',
    'commit',
    'date',
    'runtime',
    'os',
    'arch',
    'apiMajor',
    'exitCodes',
  ]);
  assert.deepEqual(document.exitCodes, [
    { code: 0, name: 'ok' },
    { code: 1, name: 'failure' },
    { code: 2, name: 'usage' },
    { code: 3, name: 'policy' },
    { code: 4, name: 'verification' },
    { code: 5, name: 'changes-planned' },
  ]);
  assert.equal(document.apiMajor, 1);
});

test('the overview and --version answer without a command', async () => {
  const help = await runCommand(['--help']);
  assert.equal(help.exitCode, 0);
  assert.match(help.stdout, /svc media verify/);
  assert.match((await runCommand(['--version'])).stdout, /^svc /);
  const group = await runCommand(['user', '--help']);
  assert.equal(group.exitCode, 0);
  assert.match(group.stdout, /svc user passwd/);
});

test('each light command explains itself on stdout', async () => {
  for (const path of [['version'], ['config', 'dump'], ['user', 'add'], ['completion'], ['sync']]) {
    const { exitCode, stdout, stderr } = await runCommand([...path, '--help']);
    assert.deepEqual([exitCode, stderr], [0, ''], path.join(' '));
    assert.match(stdout, new RegExp(`usage: svc ${path.join(' ')}`));
    assert.match(stdout, /\nCommon flags: .*--storage-root/);
  }
});

const refused: readonly [args: string[], message: RegExp][] = [
  [[], /no command was given/],
  [['vresion'], /unknown command 'vresion'; did you mean svc version\?/],
  [['frobnicate'], /unknown command 'frobnicate'; see svc --help/],
  [['user'], /svc user requires a subcommand: add, list, passwd/],
  [['recipt', 'list'], /did you mean svc receipt list\?/],
  [['recip', 'lint'], /did you mean svc recipe lint\?/],
  [['evidence', 'pack', '--redact', 'names'], /--redact takes only actors/],
  [['user', 'lst'], /unknown command 'user lst'; did you mean svc user list\?/],
  [['--config', 'x', 'version'], /the command must come first/],
  [['version', '--stroage-root', '/x'], /unknown flag '--stroage-root'; did you mean --storage-root\?/],
  [['version', '--frobnicate'], /unknown flag '--frobnicate'; see --help/],
  [['version', '-x'], /unknown flag '-x'/],
  [['version', '--config'], /--config requires a value/],
  [['version', '--config', '--mode', 'mirror'], /--config requires a value/],
  [['version', 'extra'], /extra/i],
  [['user', 'add'], /./],
  [['version', '--output', 'xml'], /unknown output format 'xml': this command supports text, json/],
  [['version', '--output', 'out.json'], /--output names a format, never a path/],
  [['version', '--output', 'yaml'], /unknown output format 'yaml'/],
  [['config', 'dump', '--output', 'text'], /this command supports yaml, json/],
  [['config', 'dump', '--mode', 'both'], /mode must be one of passthrough, mirror \(--mode\)/],
  [['config', 'dump', '--shutdown-grace-period', '5'], /shutdown\.gracePeriod must be a duration/],
  [['config', 'dump', '--tls-cert-file', '/c.pem'], /server\.tls\.keyFile is missing/],
  [['config', 'dump', '--proxy-url', 'http://u:hunter2@p.example'], /must not contain credentials/],
  [['user', 'list', '--state-root', ''], /state\.root must not be empty/],
  [['user', 'add', 'x', '--role', 'root'], /--role takes one of viewer, operator, admin/],
  [['completion', 'tcsh'], /shell takes one of bash, zsh, fish, powershell/],
  [['completion', 'bash', '--output', 'json'], /unknown output format 'json': this command supports text/],
  [['sync', '--dry-run', '--wait'], /--wait cannot be used with --dry-run/],
  [['sync', '--dry-run', '--prune=false'], /--prune cannot be used with --dry-run/],
  [['sync', '--retriever', 'x'], /--retriever requires --dry-run/],
  [['sync', '--skip-destination'], /--skip-destination requires --dry-run/],
  [['sync', '--wait-timeout', '5s'], /--wait-timeout requires --wait/],
  [['sync', '--wait', '--wait-timeout', 'soon'], /--wait-timeout must be a duration/],
  [['sync', '--request-timeout', '0'], /--request-timeout must be a duration/],
  [['sync', '--prune=maybe'], /--prune takes true or false/],
  [['sync', '--instance', 'localhost:8080'], /--instance must be the http/],
  [['sync', '--instance', 'http://u:p@localhost'], /must not contain credentials/],
];
for (const [args, message] of refused) {
  test(`a usage error is exit 2, printed on stderr only: svc ${args.join(' ')}`, async () => {
    const { exitCode, stdout, stderr } = await runCommand(args);
    assert.deepEqual([exitCode, stdout], [2, ''], stderr);
    assert.match(stderr, /^svc: /);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /hunter2|\n {4}at /);
  });
}

test('config dump prints YAML by default and JSON on request, from all layers', async () => {
  const configPath = join(folder, 'dump.yaml');
  await writeFile(
    configPath,
    'mode: mirror\nnetwork: {proxy: {url: "http://p.example:1", password: hunter2}}\n',
  );
  const env = { SVC_SYNC_PARALLELISM: '9' };
  const yaml = await runCommand(['config', 'dump', '--config', configPath, '--log-level', 'warn'], { env });
  assert.deepEqual([yaml.exitCode, yaml.stderr], [0, '']);
  const document = parse(yaml.stdout);
  assert.equal(document.mode, 'mirror');
  assert.equal(document.sync.parallelism, 9);
  assert.equal(document.logging.level, 'warn');
  assert.equal(document.network.proxy.password, 'REDACTED');
  const json = await runCommand(
    ['config', 'dump', '--config', configPath, '--log-level', 'warn', '--output', 'json'],
    {
      env,
    },
  );
  assertCliDocument('svc config dump', json.stdout);
  assert.deepEqual(JSON.parse(json.stdout), document);
  assert.doesNotMatch(yaml.stdout + json.stdout, /hunter2/);
});

test('config dump of a bad configuration prints what merged, names everything on stderr, and exits 1', async () => {
  const configPath = join(folder, 'bad.yaml');
  await writeFile(
    configPath,
    'sync: {parallelism: 0}\ndestination: {basePath: x}\nnetwork: {proxy: {url: "http://u:hunter2@p"}}',
  );
  const { exitCode, stdout, stderr } = await runCommand([
    'config',
    'dump',
    '--config',
    configPath,
    '--output',
    'json',
  ]);
  assert.equal(exitCode, 1);
  assert.equal(JSON.parse(stdout).sync.parallelism, 0);
  assert.match(stderr, /^svc: SVC-CFG-001: /);
  for (const key of ['sync.parallelism', 'destination.basePath', 'network.proxy.url'])
    assert.ok(stderr.includes(key));
  assert.doesNotMatch(stdout + stderr, /hunter2/);
});

test('an unknown variable is a warning and changes no exit code', async () => {
  const { exitCode, stdout, stderr } = await runCommand(['config', 'dump'], { env: { SVC_PORT: 'tcp://x' } });
  assert.equal(exitCode, 0);
  assert.match(stderr, /^svc: warning: the environment variable SVC_PORT is not a setting/);
  assert.doesNotMatch(stdout, /PORT/);
});

test('a configuration that is named and missing is exit 1 with its path', async () => {
  const path = join(folder, 'none.yaml');
  const { exitCode, stderr } = await runCommand(['user', 'list', '--config', path]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /SVC-CFG-001: .*does not exist/);
  assert.ok(stderr.includes(path));
});

test('coded errors are in French where the locale asks for it, with the same code and exit code', async () => {
  const english = await runCommand(['user', 'list'], { env: { LC_ALL: 'C', LANG: 'fr_FR.UTF-8' } });
  const french = await runCommand(['user', 'list'], { env: { LC_ALL: 'fr_FR.UTF-8' } });
  const byLang = await runCommand(['user', 'list'], { env: { LC_ALL: '', LANG: 'fr_CA' } });
  assert.deepEqual([english.exitCode, french.exitCode, byLang.exitCode], [1, 1, 1]);
  assert.match(
    english.stderr,
    /^svc: SVC-CFG-001: .*state\.root.*\n {2}Probable cause: .*\n {2}What to do: .*\n$/,
  );
  assert.match(
    french.stderr,
    /^svc: SVC-CFG-001\u00a0: .*state\.root.*\n {2}Cause probable\u00a0: .*\n {2}Que faire\u00a0: .*\n$/,
  );
  assert.equal(byLang.stderr, french.stderr);
});

test('a closed pipe ends the output without an error', async () => {
  const [command, ...first] = svcCommand();
  for (const [stream, ...args] of [
    ['stdout', 'config', 'dump'],
    ['stdout', '--help'],
    ['stderr', 'config', 'dump', '--mode', 'both'],
  ] as const) {
    const child = spawn(command, [...first, ...args], {
      env: svcEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child[stream].destroy();
    let other = '';
    child[stream === 'stdout' ? 'stderr' : 'stdout'].setEncoding('utf8').on('data', (text: string) => {
      other += text;
    });
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.on('close', (...end) => resolve(end)),
    );
    assert.deepEqual([code, signal, other], [stream === 'stdout' ? 0 : 2, null, '']);
  }
});

test('everything that is wrong with a configuration is listed, a line each, under one error', async () => {
  const path = join(folder, 'config.yaml');
  const wrong = Array.from({ length: 30 }, (_, index) => `wrong${index}: 1`);
  await writeFile(path, `${wrong.join('\n')}\n"sync\\u001b": 1\n`);
  const dumped = await runCommand(['config', 'dump', '--config', path]);
  assert.equal(dumped.exitCode, 1);
  const listed = dumped.stderr.split('\n').filter((line) => line.startsWith('    - '));
  assert.equal(listed.length, 31);
  assert.match(dumped.stderr, /wrong0, wrong1, wrong2, … \(\+28\)/);
  assert.equal(dumped.stderr.includes('\u001b'), false);
});

test('an unreadable configuration is the only error that is printed', async () => {
  const path = join(folder, 'config.yaml');
  await writeFile(path, 'mode: [');
  const refused = await runCommand(['serve', '--config', path]);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /SVC-CFG-001: .*configuration file is not valid YAML/);
  assert.doesNotMatch(refused.stderr, /required/);
});

test('a report that cannot be written is a failure with its reason', async () => {
  const [command, ...first] = svcCommand();
  const full = await open('/dev/full', 'w');
  await using state = await openTempFolder();
  const { path: stateRoot } = state;
  const said = { id: 'dlv_0123456789ab', zone: 'zone-b', resolvedAt: '2026-11-20T09:00:00Z', parts: 2 };
  await openArrivals(stateRoot).update(said, () => beginDelivery(said));
  // media status exits with 5 here
  for (const args of [['config', 'dump'], ['media', 'status', '--state-root', stateRoot], ['--help']]) {
    const child = spawn(command, [...first, ...args], {
      env: svcEnvironment(),
      stdio: ['ignore', full.fd, 'pipe'],
    });
    let stderr = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [exitCode] = await once(child, 'close');
    assert.equal(exitCode, 1, args.join(' '));
    assert.match(stderr, /^svc: the output cannot be written: ENOSPC\n$/);
  }
  await full.close();
});

test('help <command> is the help of that command', async () => {
  const asked = await runCommand(['help', 'user', 'add']);
  assert.deepEqual([asked.exitCode, asked.stdout], [0, (await runCommand(['user', 'add', '--help'])).stdout]);
});
