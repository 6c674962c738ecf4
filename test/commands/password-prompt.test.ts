import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { needs } from '../kit/peers.ts';
import { runSvc, svcCommand, svcEnvironment } from '../kit/svc.ts';
import { openTempFolder } from '../kit/temp-folder.ts';

/** Runs `svc` on a terminal of its own and types each answer after its question. */
async function typeInto(
  script: string,
  args: readonly string[],
  answers: readonly [question: string, text: string][],
) {
  const line = [...svcCommand(), ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn(script, ['-qec', line, '/dev/null'], {
    env: svcEnvironment({ TERM: 'xterm' }),
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  let screen = '';
  let typed = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const next = answers[typed];
    if (next === undefined || screen.split(next[0]).length - 1 < 1) return;
    typed += 1;
    child.stdin.write(next[1]);
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, screen };
}

test('on a terminal the password is asked for twice and never shown', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const state = join(folder.path, 'state');
  const args = ['user', 'add', 'ada', '--state-root', state];
  const { exitCode, screen } = await typeInto(script, args, [
    ['Password: ', 'hunter2\r'],
    ['Password again: ', 'hunter2\r'],
  ]);
  assert.equal(exitCode, 0, screen);
  assert.match(screen, /ada \(admin\)/);
  assert.doesNotMatch(screen, /hunter2/);
  assert.match((await runSvc(['user', 'list', '--state-root', state])).stdout, /ada +admin/);
});

test('two different passwords change nothing', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const state = join(folder.path, 'state');
  const { exitCode, screen } = await typeInto(
    script,
    ['user', 'add', 'ada', '--state-root', state],
    [
      ['Password: ', 'one\r'],
      ['Password again: ', 'two\r'],
    ],
  );
  assert.equal(exitCode, 2, screen);
  assert.match(screen, /the two passwords differ/);
  assert.doesNotMatch((await runSvc(['user', 'list', '--state-root', state])).stdout, /ada/);
});

test('Ctrl-C at the prompt dies of the signal', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const args = ['user', 'add', 'ada', '--state-root', join(folder.path, 'state')];
  const { exitCode } = await typeInto(script, args, [['Password: ', '\u0003']]);
  assert.equal(exitCode, 130);
});
