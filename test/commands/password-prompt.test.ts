import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { CommandContext } from '../../commands/cli/command-context.ts';
import { readPassword } from '../../commands/user/read-password.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';
import { runCommand } from '../kit/program/run-command.ts';
import { typeInto } from '../kit/program/type-into.ts';

test('on a terminal the password is asked for twice and never shown', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const state = join(folder.path, 'state');
  const config = join(folder.path, 'svc.yaml');
  await writeFile(config, JSON.stringify({ mode: 'mirror', storage: { root: './store' } }));
  const args = ['user', 'add', 'ada', '--config', config, '--state-root', state];
  const { exitCode, screen } = await typeInto(script, args, [
    ['Password: ', 'the good hunter2\r'],
    ['Password again: ', 'the good hunter2\r'],
  ]);
  assert.equal(exitCode, 0, screen);
  assert.match(screen, /ada \(admin\)/);
  // the next command is printed as the reader types it
  assert.ok(screen.split('\r\n').includes(`  svc serve --config ${config} --state-root ${state}`), screen);
  assert.doesNotMatch(screen, /hunter2/);
  assert.match((await runCommand(['user', 'list', '--state-root', state])).stdout, /ada +admin/);
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
  assert.doesNotMatch((await runCommand(['user', 'list', '--state-root', state])).stdout, /ada/);
});

test('an interruption does not wait for the password on stdin', async () => {
  const interrupted = new AbortController();
  const stdin = new PassThrough();
  const context = { stdin, signal: interrupted.signal } as unknown as CommandContext;
  const reading = readPassword(context, true);
  stdin.write('half a li');
  interrupted.abort(new Error('interrupted'));
  await assert.rejects(reading, /^Error: interrupted$/);
});

test('Ctrl-C at the prompt dies of the signal', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const args = ['user', 'add', 'ada', '--state-root', join(folder.path, 'state')];
  const { exitCode } = await typeInto(script, args, [['Password: ', '\u0003']]);
  assert.equal(exitCode, 130);
});
