import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../kit/instance/eventually.ts';
import { writeConfig } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { needs } from '../../kit/program/peers.ts';
import { runSvc, svcCommand, svcEnvironment, trackChild } from '../../kit/program/svc.ts';

const deploy = join(import.meta.dirname, '..', '..', '..', 'deploy');

for (const name of ['log-to-file.conf', 'log-to-journal.conf']) {
  test(`systemd has nothing to say against the unit with ${name}`, async (t) => {
    const program = needs(t, 'systemd-analyze');
    if (program === undefined) return;
    await using folder = await openTempFolder();
    const file = join(folder.path, 'svc.service');
    const unit = await readFile(join(deploy, 'svc.service'), 'utf8');
    await writeFile(file, unit.replace('ExecStart=/usr/bin/svc', `ExecStart=${process.execPath}`));
    await mkdir(`${file}.d`);
    const verify = () =>
      spawnSync(program, ['verify', '--man=no', file], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
      });
    // the drop-in is read: systemd names a setting that it does not know in its place
    await writeFile(join(`${file}.d`, name), '[Service]\nNoSuchSetting=1\n');
    assert.match(verify().stderr, /NoSuchSetting/);
    await cp(join(deploy, name), join(`${file}.d`, name));
    const { status, stdout, stderr } = verify();
    assert.deepEqual([status, stdout + stderr], [0, '']);
  });
}

test('every setting of the journal of the service is one that journald knows', async (t) => {
  const known = await readFile('/etc/systemd/journald.conf', 'utf8').catch(() => undefined);
  if (known === undefined) return t.skip('not run: needs /etc/systemd/journald.conf');
  const text = await readFile(join(deploy, 'journald@svc.conf'), 'utf8');
  const settings = [...text.matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
  assert.ok(settings.length > 5);
  for (const name of settings) assert.match(known, new RegExp(`^#?${name}=`, 'm'));
});

/** Lines of a log as records; every one must be complete JSON. */
const recordsOf = (text: string): any[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('the file that a running instance logs to is rotated by logrotate, and goes on from its beginning', async (t) => {
  const logrotate = needs(t, 'logrotate');
  if (logrotate === undefined) return;
  await using folder = await openTempFolder();
  const logs = join(folder.path, 'log');
  await mkdir(logs, { mode: 0o750 });
  const log = join(logs, 'svc.log');
  const settings = (await readFile(join(deploy, 'svc.logrotate'), 'utf8')).replace(
    '/var/log/svc/',
    `${logs}/`,
  );
  assert.ok(settings.includes(logs));
  const path = join(folder.path, 'svc.logrotate');
  await writeFile(path, settings);
  // logrotate ignores settings that others could write
  await chmod(path, 0o644);
  const configPath = await writeConfig(folder.path);
  const add = ['user', 'add', 'admin', '--password-stdin', '--config', configPath];
  assert.equal((await runSvc(add, { input: 'a good password\n' })).exitCode, 0);
  // as systemd opens it: StandardError=append:
  const file = await open(log, 'a', 0o640);
  const [command, ...first] = svcCommand();
  const child = trackChild(
    spawn(command, [...first, 'serve', '--config', configPath], {
      env: svcEnvironment(),
      stdio: ['ignore', 'ignore', file.fd],
    }),
  );
  t.after(() => child.kill('SIGKILL'));
  await file.close();
  const url = await eventually(
    'the address',
    async () => /"msg":"listening".*?"url":"([^"]+)"/.exec(await readFile(log, 'utf8'))?.[1],
    120,
  );
  const rotate = (): void => {
    const state = join(folder.path, 'state-of-logrotate');
    const { status, stderr } = spawnSync(logrotate, ['--force', '--state', state, path], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '');
  };
  rotate();
  // the lines of the start are in the old file; the instance may have written more since
  assert.doesNotMatch(await readFile(log, 'utf8'), /"msg":"listening"/);
  await fetch(`${url}/api/v1/status`, { headers: { 'x-request-id': 'after-the-rotation' } });
  child.kill('SIGTERM');
  await once(child, 'close');
  const after = recordsOf(await readFile(log, 'utf8'));
  assert.ok(after.some(({ correlationId }) => correlationId === 'after-the-rotation'));
  assert.ok(after.some(({ action }) => action === 'instance.stop'));
  const [old, ...more] = (await readdir(logs)).filter((name) => name !== 'svc.log');
  assert.deepEqual(more, []);
  assert.ok(recordsOf(await readFile(join(logs, old!), 'utf8')).some(({ msg }) => msg === 'listening'));
  assert.equal((await stat(join(logs, old!))).mode & 0o777, 0o640);
});
