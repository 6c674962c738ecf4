import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { needs } from '../../kit/program/peers.ts';
import { runSvc, svcCommand, svcEnvironment } from '../../kit/program/svc.ts';
import { crossTheGap } from '../../kit/scene/cross-the-gap.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'deploy');
const unit = await readFile(join(folder, 'svc.service'), 'utf8');

/** The judgement of systemd on the unit, which names a program that this machine has. */
async function analyze(path: string, ...args: readonly string[]): Promise<string> {
  await using temporary = await openTempFolder();
  const file = join(temporary.path, 'svc.service');
  await writeFile(file, unit.replace('ExecStart=/usr/bin/svc', `ExecStart=${process.execPath}`));
  const { status, stdout, stderr } = spawnSync(path, [...args, file], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, SYSTEMD_COLORS: '0', LC_ALL: 'C.UTF-8' },
  });
  assert.equal(status, 0, stdout + stderr);
  return stdout + stderr;
}

test('systemd has nothing to say against the unit', async (t) => {
  const path = needs(t, 'systemd-analyze');
  if (!path) return;
  assert.equal(await analyze(path, 'verify', '--man=no'), '');
});

test('a start without a configuration ends at once, and is not repeated as one that failed', async (t) => {
  const path = needs(t, 'systemd-analyze');
  if (!path) return;
  const config = /^ExecStart=\S+ serve --config (\S+)$/m.exec(unit)![1]!;
  const [, asserted] = /^\[Unit\]$.*?^AssertPathExists=(\S+)$.*?^\[Service\]$/ms.exec(unit) ?? [];
  assert.equal(asserted, config);
  await using temporary = await openTempFolder();
  const judge = (file: string) => {
    const condition = `AssertPathExists=${join(temporary.path, file)}`;
    return spawnSync(path, ['condition', condition], { encoding: 'utf8' }).status;
  };
  await writeFile(join(temporary.path, 'config.yaml'), '');
  assert.deepEqual([judge('config.yaml'), judge('absent.yaml')], [0, 1]);
});

test('the sandbox of the unit leaves next to nothing open', async (t) => {
  const path = needs(t, 'systemd-analyze');
  if (!path) return;
  const text = await analyze(path, 'security', '--offline=yes', '--no-pager');
  const exposure = Number(/Overall exposure level for svc\.service: ([0-9.]+)/.exec(text)?.[1]);
  // of ten: a network service that compiles code can hardly have less than one
  assert.ok(exposure > 0 && exposure < 2, text);
});

test('the grace of a shutdown fits into the time that systemd gives, and the medium runs under the same filter', async () => {
  assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > 30 + 10);
  const script = await readFile(join(folder, 'svc-medium'), 'utf8');
  for (const [, filter] of unit.matchAll(/^SystemCallFilter=(.*)$/gm)) {
    assert.ok(script.includes(`SystemCallFilter=${filter}`), filter);
  }
});

test('a bare system is installed as the page says, for the paths of the unit', async () => {
  const page = await readFile(join(folder, '..', 'docs', 'installing.md'), 'utf8');
  const block = /^```shell\n(install -m 0755 binary\/svc .*?)^```$/ms.exec(page)?.[1];
  assert.ok(block);
  await using temporary = await openTempFolder();
  const [work, system, bin] = ['work', 'system', 'bin'].map((name) => join(temporary.path, name));
  for (const path of ['usr/bin', 'etc/systemd/system', 'srv', 'var/lib'])
    await mkdir(join(system!, path), { recursive: true });
  await mkdir(join(work!, 'binary'), { recursive: true });
  await mkdir(bin!);
  await cp(folder, join(work!, 'deploy'), { recursive: true });
  await writeFile(join(work!, 'binary', 'svc'), 'the program');
  await writeFile(join(work!, 'password-file'), 'a good password\n');
  // commands that only root may run, and commands that ask a manager that does not run here
  const command = svcCommand().map((word) => `'${word}'`);
  const programs = {
    svc: `exec ${command.join(' ')} "$@"`,
    runuser: 'shift 3; exec "$@"',
    ...Object.fromEntries(
      ['systemd-sysusers', 'systemctl', 'chown', 'curl', 'journalctl'].map((n) => [n, '']),
    ),
  };
  for (const [name, text] of Object.entries(programs))
    await writeFile(join(bin!, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const script = block.replaceAll('-o svc -g svc ', '').replaceAll(/ \/(?=etc|srv|usr|var)/g, ` ${system}/`);
  const { status, stderr } = spawnSync('/bin/sh', ['-ec', script], {
    encoding: 'utf8',
    cwd: work,
    env: svcEnvironment({ PATH: `${bin}:${process.env.PATH}` }),
  });
  assert.equal(status, 0, stderr);

  const place = /^ExecStart=(\S+) serve --config (\S+)$/m.exec(unit)!;
  assert.equal(await readFile(join(system!, place[1]!), 'utf8'), 'the program');
  const dumped = await runSvc(['config', 'dump', '--config', join(system!, place[2]!)]);
  assert.equal(dumped.exitCode, 0, dumped.stderr);
  const { storage, state } = parse(dumped.stdout);
  assert.equal(state.root, join(system!, 'var/lib', /^StateDirectory=(\S+)$/m.exec(unit)![1]!));
  assert.ok(storage.root.startsWith(join(system!, /^ReadWritePaths=(\S+)$/m.exec(unit)![1]!)));
  for (const [name, from] of [
    ['etc/sysusers.d/svc.conf', 'svc.sysusers'],
    ['etc/systemd/system/svc.service', 'svc.service'],
  ] as const)
    assert.equal(await readFile(join(system!, name), 'utf8'), await readFile(join(folder, from), 'utf8'));
});

test('the script for a medium refuses what it cannot run, and is a script for any shell', async () => {
  const script = join(folder, 'svc-medium');
  const run = (...args: readonly string[]) => spawnSync('/bin/sh', [script, ...args], { encoding: 'utf8' });
  for (const [args, message] of [
    [[], /svc-medium verify/],
    [['verify', 'relative'], /not an absolute path/],
    [['verify', '/no/such/folder'], /not a folder/],
    [['verify', '/tmp/a b'], /letters, digits/],
    [['erase', '/tmp'], /verify or import/],
  ] as const) {
    const { status, stderr } = run(...args);
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, message);
  }
});

for (const [action, property] of [
  ['verify', 'PrivateNetwork=yes'],
  ['import', 'ReadWritePaths=-'],
] as const) {
  test(`${action} of a medium is started with settings that systemd knows, and with the flags that are given`, async (t) => {
    const path = needs(t, 'systemd-analyze');
    if (!path) return;
    await using temporary = await openTempFolder();
    const medium = temporary.path;
    await writeFile(join(medium, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const { status, stdout, stderr } = spawnSync(
      '/bin/sh',
      [join(folder, 'svc-medium'), action, medium, '--zone', 'zone b'],
      { encoding: 'utf8', env: { PATH: `${medium}:${process.env.PATH}` } },
    );
    assert.equal(status, 0, stderr);
    const words = stdout.split('\n').slice(0, -1);
    const start = words.indexOf('/usr/bin/svc');
    assert.deepEqual(words.slice(start), [
      '/usr/bin/svc',
      'media',
      action,
      ...['--config', '/etc/svc/config.yaml', '--storage-root', medium, '--zone', 'zone b'],
    ]);
    const properties = words.filter((_, index) => words[index - 1] === '-p');
    assert.ok(properties.some((one) => one.startsWith(property)));
    const file = join(medium, 'medium.service');
    await writeFile(file, `[Service]\nType=exec\nExecStart=/bin/true\n${properties.join('\n')}\n`);
    const verified = spawnSync(path, ['verify', '--man=no', file], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
    assert.deepEqual([verified.status, verified.stderr], [0, '']);
  });
}

/** The system calls that the unit allows, by name. */
function listAllowed(path: string): string[] {
  const { stdout } = spawnSync(path, ['syscall-filter', '--no-pager'], {
    encoding: 'utf8',
    env: { SYSTEMD_COLORS: '0' },
  });
  const groups = new Map<string, string[]>();
  let members: string[] = [];
  for (const line of stdout.split('\n')) {
    const name = /^\s*([@a-z][@a-z0-9_-]*)\s*$/.exec(line)?.[1];
    if (name === undefined) continue;
    if (line.startsWith('@')) {
      members = [];
      groups.set(name, members);
    } else members.push(name);
  }
  const expand = (name: string): string[] =>
    name.startsWith('@') ? (groups.get(name) ?? []).flatMap(expand) : [name];
  const allowed = new Set<string>();
  for (const [, filter] of unit.matchAll(/^SystemCallFilter=(.*)$/gm)) {
    const isDenied = filter!.startsWith('~');
    for (const name of filter!.replace('~', '').split(' ').flatMap(expand)) {
      if (isDenied) allowed.delete(name);
      else allowed.add(name);
    }
  }
  // calls that systemd itself allows, so that the program can be started
  for (const name of expand('@default')) allowed.add(name);
  allowed.add('execve');
  return [...allowed];
}

const confine = `import os, sys, seccomp
allowed = open(sys.argv[1]).read().split()
filter = seccomp.SyscallFilter(seccomp.ERRNO(1))
for name in allowed:
    try: filter.add_rule(seccomp.ALLOW, name)
    except (RuntimeError, ValueError): pass  # of another architecture
filter.load()
os.execv(sys.argv[2], sys.argv[2:])
`;

test('a whole journey runs under the system call filter of the unit', async (t) => {
  const path = needs(t, 'systemd-analyze');
  if (!path) return;
  const python = '/usr/bin/python3';
  if (spawnSync(python, ['-c', 'import seccomp']).status !== 0)
    return t.skip('not run: needs python3-seccomp');
  await using world = await openRehearsal();
  const allowed = listAllowed(path);
  assert.ok(
    allowed.length > 200 && !allowed.includes('mount') && !allowed.includes('setuid'),
    allowed.join(' '),
  );
  const [list, program, wrapper] = [world.path('allowed'), world.path('confine.py'), world.path('svc')];
  await writeFile(list, allowed.join('\n'));
  await writeFile(program, confine);
  const command = [python, program, list, ...svcCommand()].map((word) => `'${word}'`).join(' ');
  await writeFile(wrapper, `#!/bin/sh\nexec ${command} "$@"\n`);
  await chmod(wrapper, 0o755);
  // the filter is in force: a forbidden call fails
  const change = [python, '-c', 'import os; os.setuid(os.getuid())'];
  const forbidden = spawnSync(python, [program, list, ...change], { encoding: 'utf8' });
  assert.match(forbidden.stderr, /PermissionError/);
  const before = process.env.SVC_BIN;
  process.env.SVC_BIN = wrapper;
  try {
    await crossTheGap(world);
  } finally {
    if (before === undefined) delete process.env.SVC_BIN;
    else process.env.SVC_BIN = before;
  }
});
