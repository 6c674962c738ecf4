import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { needs } from '../../kit/program/peers.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { svcCommand, svcEnvironment, trackChild } from '../../kit/program/svc.ts';
import { typeInto } from '../../kit/program/type-into.ts';
import { listening, watchOutput } from '../../kit/program/watch-output.ts';

const flags = ['quickstart', '--mode', 'mirror', '--password-stdin'];
const input = 'a good password\n';
/** An address that no program on this machine uses. */
const env = { SVC_SERVER_ADDR: '127.0.0.1:0' } as const;
const listAccounts = async (cwd: string): Promise<string> =>
  (await runCommand(['user', 'list', '--config', 'svc.yaml'], { cwd })).stdout;

test('with flags alone it sets everything up, prints the path of the configuration, and serve runs from it', async () => {
  await using folder = await openTempFolder();
  const cwd = folder.path;
  const more = ['--server-addr', '127.0.0.1:0', '--shutdown-grace-period', '3s'];
  const { exitCode, stdout, stderr } = await runCommand([...flags, ...more], { cwd, input });
  assert.equal(exitCode, 0, stderr);
  const path = join(cwd, 'svc.yaml');
  assert.equal(stdout, `${path}\n`);
  assert.match(stderr, /^ {2}svc serve --config .*svc\.yaml$/m);
  assert.deepEqual(parse(await readFile(path, 'utf8')), {
    mode: 'mirror',
    storage: { root: join(cwd, 'storage') },
    state: { root: join(cwd, 'state') },
    server: { addr: '127.0.0.1:0' },
    shutdown: { gracePeriod: '3s' },
  });
  assert.match(await listAccounts(cwd), /admin +admin/);
  const dump = await runCommand(['config', 'dump', '--config', path]);
  assert.equal(dump.exitCode, 0, dump.stderr);
  assert.deepEqual((await readdir(cwd)).sort(), ['state', 'svc.yaml']);
});

test('--serve goes on to serve', async () => {
  await using folder = await openTempFolder();
  const [command, ...first] = svcCommand();
  const child = trackChild(
    spawn(command, [...first, ...flags, '--serve', '--server-addr', '127.0.0.1:0', '--admin', 'ada'], {
      cwd: folder.path,
      env: svcEnvironment(),
    }),
  );
  child.stdin.end(input);
  const { found, text } = watchOutput(child, listening);
  const url = (await found)[1]!;
  const authorization = `Basic ${Buffer.from('ada:a good password').toString('base64')}`;
  const answer = await fetch(`${url}/api/v1/accounts`, { headers: { authorization } });
  assert.equal(answer.status, 200);
  child.kill('SIGTERM');
  const [exitCode] = await once(child, 'close');
  assert.equal(exitCode, 0, text());
});

test('without a terminal and without answers it names the flags that would do, and those commands do', async () => {
  await using folder = await openTempFolder();
  const cwd = folder.path;
  const given = ['quickstart', '--storage-root', "./it's here", '--admin', 'ada'];
  const { exitCode, stdout, stderr } = await runCommand(given, { cwd, env });
  assert.deepEqual([exitCode, stdout], [2, '']);
  assert.match(stderr, /--mode and --password-stdin were not given/);
  assert.deepEqual(await readdir(cwd), []);
  assert.match(stderr, /^ {2}svc quickstart --config \S+ --for medium --zone \S+ .* --trust-key \S+$/m);
  const line = /^ {2}(svc quickstart .*)$/m.exec(stderr)![1]!;
  await writeFile(join(cwd, 'password-file'), input);
  const quoted = svcCommand()
    .map((word) => `'${word}'`)
    .join(' ');
  const child = trackChild(
    spawn('/bin/sh', ['-c', line.replace(/^svc/, quoted)], { cwd, env: { ...svcEnvironment(), ...env } }),
  );
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0, said);
  assert.equal(parse(await readFile(join(cwd, 'svc.yaml'), 'utf8')).storage.root, join(cwd, "it's here"));
  assert.match(await listAccounts(cwd), /ada +admin/);
});

test('what flags leave out is taken from the environment', async () => {
  await using folder = await openTempFolder();
  const settings = { SVC_MODE: 'passthrough', SVC_STATE_ROOT: join(folder.path, 'elsewhere') };
  const { exitCode, stderr } = await runCommand(['quickstart', '--password-stdin'], {
    cwd: folder.path,
    env: { ...env, ...settings },
    input,
  });
  assert.equal(exitCode, 0, stderr);
  const { mode, state } = parse(await readFile(join(folder.path, 'svc.yaml'), 'utf8'));
  assert.deepEqual([mode, state.root], ['passthrough', settings.SVC_STATE_ROOT]);
});

test('an existing file with the name of the configuration is not changed', async () => {
  await using folder = await openTempFolder();
  const cwd = folder.path;
  await writeFile(join(cwd, 'file.yaml'), 'mode: passthrough\n');
  await mkdir(join(cwd, 'folder.yaml'));
  await symlink(join(cwd, 'nowhere'), join(cwd, 'link.yaml'));
  for (const name of ['file.yaml', 'folder.yaml', 'link.yaml']) {
    const { exitCode, stderr } = await runCommand([...flags, '--config', name], { cwd, input });
    assert.equal(exitCode, 2, name);
    assert.match(stderr, /already exists and is not overwritten/);
  }
  assert.equal(await readFile(join(cwd, 'file.yaml'), 'utf8'), 'mode: passthrough\n');
  assert.deepEqual((await readdir(cwd)).sort(), ['file.yaml', 'folder.yaml', 'link.yaml']);
});

test('what cannot work is refused before anything is written', async () => {
  await using folder = await openTempFolder();
  const cwd = folder.path;
  await writeFile(join(cwd, 'plain'), '');
  await mkdir(join(cwd, 'theirs'));
  await writeFile(join(cwd, 'theirs', 'a'), '');
  const cases: readonly [readonly string[], string, number, RegExp][] = [
    [['--mode', 'miror'], input, 2, /did you mean mirror/],
    [['--storage-root', 'state/below'], input, 2, /must not be inside state\.root/],
    [
      ['--storage-root', 'theirs'],
      input,
      2,
      /--storage-root: .*theirs is not a store and contains other files: a/,
    ],
    [
      ['--state-root', 'plain/below'],
      input,
      2,
      /state\.root must be a folder: it is a file, or is below a file \(--state-root\)/,
    ],
    [['--server-addr', 'nonsense'], input, 2, /server\.addr/],
    [['--admin', 'no good'], input, 2, /'no good' is not a user name/],
    [['--config', 'plain/svc.yaml'], input, 1, /SVC-STO-002.*ENOTDIR/s],
    [[], '\n', 2, /empty/],
    [[], 'svc_looks_like_a_token\n', 1, /SVC-AUTH-007/],
    [['--outptu', 'json'], input, 2, /did you mean --output/],
  ];
  for (const [more, given, expected, message] of cases) {
    const { exitCode, stdout, stderr } = await runCommand([...flags, ...more], { cwd, env, input: given });
    assert.equal(exitCode, expected, `${more.join(' ')}\n${stderr}`);
    assert.equal(stdout, '');
    assert.match(stderr, message);
    assert.deepEqual((await readdir(cwd)).sort(), ['plain', 'theirs'], more.join(' '));
  }
});

test('the missing folders of the configuration are created, as those of store and state are', async () => {
  await using folder = await openTempFolder();
  const cwd = folder.path;
  const made = await runCommand([...flags, '--config', 'etc/svc/config.yaml'], { cwd, env, input });
  assert.equal(made.exitCode, 0, made.stderr);
  assert.equal(made.stdout, `${join(cwd, 'etc', 'svc', 'config.yaml')}\n`);
  const dump = await runCommand(['config', 'dump', '--config', 'etc/svc/config.yaml'], { cwd });
  assert.equal(dump.exitCode, 0, dump.stderr);
});

test('nothing is written in a folder whose name a configuration cannot contain', async () => {
  await using folder = await openTempFolder();
  const cwd = join(folder.path, 'two\nlines');
  await mkdir(cwd);
  const { exitCode, stderr } = await runCommand(flags, { cwd, input });
  assert.equal(exitCode, 2);
  assert.match(stderr, /--config: .*two\\u000alines.* contains control characters/);
  assert.deepEqual(await readdir(cwd), []);
});

test('a folder without write permission is refused before the first question', async (t) => {
  if (process.getuid?.() === 0) return t.skip('not run: needs a user whom permissions keep out');
  await using folder = await openTempFolder();
  await chmod(folder.path, 0o500);
  const { exitCode, stderr } = await runCommand(['quickstart'], { cwd: folder.path });
  assert.equal(exitCode, 1);
  assert.match(stderr, /SVC-STO-002/);
});

test('accounts that exist stay the only ones, and no password is needed', async () => {
  await using folder = await openTempFolder();
  const cwd = folder.path;
  await runCommand([...flags, '--admin', 'first', '--config', 'one.yaml'], { cwd, env, input });
  const { exitCode, stderr } = await runCommand(['quickstart', '--mode', 'mirror'], { cwd, env });
  assert.equal(exitCode, 0, stderr);
  assert.match(stderr, /already has accounts/);
  const accounts = await listAccounts(cwd);
  assert.match(accounts, /first/);
  assert.doesNotMatch(accounts, /^admin /m);
});

/** The questions before the passwords. */
const asked = 9;
const interactive = ['quickstart', '--server-addr', '127.0.0.1:0'];
const dialogue = [
  ['› Use', '\u001b[B\u001b[B\r'],
  ['› Retriever', '\r'],
  ['› Destination', '\r'],
  ['› Trust key', '\r'],
  ['› Logins', '\r'],
  // typed and pasted, of which the second line is nothing
  ['› Store folder', '\u0015./\u001b[200~content\rmore\u001b[201~\r'],
  ['› State folder', '\r'],
  ['› Administrator', '\u0015ada\r'],
  ['› Start it now?', 'n\r'],
  ['Password: ', 'the good hunter2\r'],
  ['Password again: ', 'the good hunter2\r'],
] as const;

test('on a terminal it asks for everything, and never shows the password', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const cwd = folder.path;
  const { exitCode, screen } = await typeInto(script, interactive, dialogue, { cwd });
  assert.equal(exitCode, 0, screen);
  assert.doesNotMatch(screen, /hunter2/);
  for (const line of [
    '✓ Use             passthrough',
    '✓ Store folder    ./content',
    '✓ Administrator   ada',
  ])
    assert.ok(screen.includes(line), `${line}\n${screen}`);
  assert.deepEqual(parse(await readFile(join(cwd, 'svc.yaml'), 'utf8')), {
    mode: 'passthrough',
    storage: { root: join(cwd, 'content') },
    state: { root: join(cwd, 'state') },
    server: { addr: '127.0.0.1:0' },
  });
  assert.match(await listAccounts(cwd), /ada +admin/);
});

test('what is typed ahead answers the questions that follow, in their order', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const cwd = folder.path;
  const ahead = dialogue.slice(0, asked).map(([, text]) => text);
  const answers = [[dialogue[0][0], ahead.join('')], ...dialogue.slice(asked)] as const;
  const { exitCode, screen } = await typeInto(script, interactive, answers, { cwd });
  assert.equal(exitCode, 0, screen);
  assert.deepEqual(parse(await readFile(join(cwd, 'svc.yaml'), 'utf8')), {
    mode: 'passthrough',
    storage: { root: join(cwd, 'content') },
    state: { root: join(cwd, 'state') },
    server: { addr: '127.0.0.1:0' },
  });
  assert.match(await listAccounts(cwd), /ada +admin/);
});

test('it asks in a pipeline that has a terminal, and not on one that cannot draw', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const cwd = folder.path;
  const dumb = await typeInto(script, interactive, [], { cwd, env: { TERM: 'dumb' } });
  assert.equal(dumb.exitCode, 2, dumb.screen);
  assert.match(dumb.screen, /svc quickstart --config/);
  const pipeline = await typeInto(script, interactive, dialogue, { cwd, env: { CI: 'true' } });
  assert.equal(pipeline.exitCode, 0, pipeline.screen);
});

test('an invalid answer is shown with its question and can be corrected, also by going back', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const cwd = folder.path;
  await writeFile(join(cwd, 'plain'), '');
  const { exitCode, screen } = await typeInto(
    script,
    ['quickstart', '--mode', 'mirror'],
    [
      ['› Store folder', '\u0015plain/x\r'],
      ['must be a folder', '\u0015store\r'],
      ['› State folder', '\u0015store/state\r'],
      ['must not be inside storage.root', '\u001b'],
      ['› Store folder    store', '\u007f\u007f\u007f\u007f\u007fcontent\r'],
      ['› State folder', '\r'],
      ['› Administrator', '\u0015no good\r'],
      ['a name is 1 to 64', '\u0015ada\r'],
      ['› Start it now?', 'n\r'],
      ['Password: ', 'one\r'],
      ['Password again: ', 'two\r'],
      ['Password: ', 'svc_three\r'],
      ['Password again: ', 'svc_three\r'],
      ['Password: ', 'the right one\r'],
      ['Password again: ', 'the right one\r'],
    ],
    { cwd, env },
  );
  assert.equal(exitCode, 0, screen);
  assert.match(screen, /the two passwords differ/);
  assert.equal(parse(await readFile(join(cwd, 'svc.yaml'), 'utf8')).storage.root, join(cwd, 'content'));
});

test('Ctrl-C at each kind of question dies of the signal and leaves nothing', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  // a choice, a text, the choice after all answers, and both passwords
  for (const at of [0, 1, asked - 1, asked, asked + 1]) {
    await using folder = await openTempFolder();
    const cwd = folder.path;
    const answers = dialogue.map(
      ([question, text], index) => [question, index === at ? '\u0003' : text] as const,
    );
    const { exitCode, screen } = await typeInto(script, interactive, answers.slice(0, at + 1), { cwd });
    assert.equal(exitCode, 130, `${dialogue[at]![0]}\n${screen}`);
    assert.deepEqual(await readdir(cwd), [], dialogue[at]![0]);
  }
});

test('leaving the questions or typing no password writes nothing and is no success', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const cwd = folder.path;
  const left = await typeInto(script, interactive, [['› Use', '\u0004']], { cwd });
  assert.equal(left.exitCode, 2, left.screen);
  assert.match(left.screen, /nothing was written/);
  const silent = await typeInto(script, interactive, [...dialogue.slice(0, asked), ['Password: ', '\r']], {
    cwd,
  });
  assert.equal(silent.exitCode, 2, silent.screen);
  assert.deepEqual(await readdir(cwd), []);
});

test('the dialogue can go on to serve, and Ctrl-C then ends the instance', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const answers = [
    ...dialogue.slice(0, asked - 1),
    ['› Start it now?', '\r'],
    ...dialogue.slice(asked),
    ['listening', '\u0003'],
  ] as const;
  const { exitCode, screen } = await typeInto(script, interactive, answers, { cwd: folder.path });
  assert.equal(exitCode, 0, screen);
  assert.match(screen, /stopped/);
});
