import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../kit/instance/eventually.ts';
import { adminPassword } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { needs } from '../../kit/program/peers.ts';
import { svcEnvironment, trackChild } from '../../kit/program/svc.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const demo = [process.execPath, join(root, 'scripts/run.mjs'), 'scripts/demo/demo.ts', '--stay'];

/** Printed when everything stays as it is. */
const staying = 'Ctrl-C stops';
/** The program that the other tests run: it starts in half the time of the sources. */
const program: Readonly<Record<string, string>> =
  process.env.SVC_BIN === undefined ? {} : { SVC_BIN: process.env.SVC_BIN };

interface StayingDemo {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  /** Everything it printed so far, without colours. */
  output(): string;
}

/**
 * Starts the demo in a folder for temporary files, and waits for words of its output. As a user starts it, it runs the
 * sources.
 */
async function startDemo(
  folder: string,
  {
    command = demo,
    until = staying,
    env = {},
  }: {
    readonly command?: readonly string[];
    readonly until?: string;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<StayingDemo> {
  const child = trackChild(
    spawn(command[0]!, command.slice(1), {
      env: svcEnvironment({ ...env, TMPDIR: folder, HOME: folder }),
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );
  let text = '';
  const output = (): string => text.replaceAll(/\x1b\[[0-9;]*m/g, '').replaceAll('\r', '');
  const exited = once(child, 'close').then(([code]) => code as number | null);
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.includes(until)) resolve();
      });
    }
    void exited.then((code) => reject(new Error(`the demo ended with ${code}:\n${output()}`)));
  });
  return { child, exited, output };
}

/** Command lines of processes that name the folder. */
async function listProcesses(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.includes(folder)) found.push(line.replaceAll('\0', ' '));
  }
  return found;
}

/** Fails unless so many instances run now; the function it returns waits until nothing of them is left. */
async function expectRunning(folder: string, instances = 4): Promise<() => Promise<void>> {
  assert.equal((await listProcesses(folder)).filter((line) => line.includes(' serve ')).length, instances);
  assert.deepEqual((await readdir(folder)).filter((name) => name.startsWith('svc-demo-')).length, 1);
  return async () => {
    await eventually('the end of every process', async () => (await listProcesses(folder)).length === 0);
    await eventually('no file left', async () => (await readdir(folder)).length === 0);
  };
}

const shellWords = demo.map((word) => `'${word}'`).join(' ');

test('the demo stays with a mirror and a zone to look at, and Ctrl-C at its terminal removes everything', async (t) => {
  const script = needs(t, 'script');
  if (script === undefined) return;
  await using folder = await openTempFolder();
  const command = [script, '-qec', `exec ${shellWords}`, '/dev/null'];
  const { child, exited, output } = await startDemo(folder.path, { command });
  const leavesNothing = await expectRunning(folder.path);
  const addresses = [...output().matchAll(/^(?:mirror|zone-b) +(http:\/\/127\.0\.0\.1:\d+)$/gm)];
  const [mirror, zone] = addresses.map(([, url]) => url!);
  const signIns = [...output().matchAll(/^(\w+) +((?:[a-z]{4}-?){4}) +(viewer|operator|admin) *$/gm)];
  assert.deepEqual(
    signIns.map(([, , , role]) => role),
    ['viewer', 'operator', 'admin'],
  );
  const passwords = signIns.map(([, , password]) => password!);
  assert.equal(new Set(passwords).size, 3);
  for (const password of passwords) assert.equal(output().split(password).length, 2, 'printed once');
  const ask = async (url: string, path: string, name: string, password: string) => {
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    const answer = await fetch(`${url}${path}`, { headers: { authorization } });
    return { status: answer.status, text: await answer.text() };
  };
  for (const url of [mirror!, zone!]) {
    for (const [, name, password, role] of signIns) {
      const { text } = await ask(url, '/api/v1/whoami', name!, password!);
      assert.equal(JSON.parse(text).role, role);
      const session = openBrowserSession({ url });
      await session.signIn(name!, password!);
      assert.match(await (await session.get('/recipes/-/shop')).text(), /1\.5\.0/);
    }
    assert.equal((await ask(url, '/api/v1/whoami', 'admin', adminPassword)).status, 401);
    const [, name, password] = signIns.at(-1)!;
    const { tasks } = JSON.parse((await ask(url, '/api/v1/tasks', name!, password!)).text);
    const done = tasks.filter((one: { status: string }) => one.status === 'done');
    assert.ok(done[0].progress.bytesDone > 1_000_000, JSON.stringify(tasks));
  }
  const [, name, password] = signIns[0]!;
  const file = await ask(zone!, '/files/packages/README.txt', name!, password!);
  assert.deepEqual([file.status, file.text], [200, 'packages for the zone\n']);
  child.stdin!.write('\x03');
  assert.equal(await exited, 0);
  assert.match(output(), /stopped; all processes and files are removed\n$/);
  await leavesNothing();
});

/** Printed at the beginning of the delivery. */
const delivering = 'svc serve is the origin';

test('SIGTERM in the middle of the delivery ends the demo, which removes everything', async () => {
  await using folder = await openTempFolder();
  const { child, exited } = await startDemo(folder.path, { until: delivering, env: program });
  const leavesNothing = await expectRunning(folder.path, 1);
  child.kill('SIGTERM');
  await exited;
  assert.equal(child.signalCode, 'SIGTERM');
  await leavesNothing();
});

test('a demo in the background ends when its terminal goes away, in the middle of the delivery too', async (t) => {
  const script = needs(t, 'script');
  if (script === undefined) return;
  await using folder = await openTempFolder();
  // with job control, the background has a process group of its own, which gets no SIGHUP
  const job = `set -m; ${shellWords} & wait`;
  const { child, exited } = await startDemo(folder.path, {
    command: [script, '-qec', job, '/dev/null'],
    until: delivering,
    env: program,
  });
  const leavesNothing = await expectRunning(folder.path, 1);
  child.kill('SIGKILL');
  await exited;
  await leavesNothing();
});
