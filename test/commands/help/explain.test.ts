import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCodes } from '../../../src/text/errors/codes.ts';
import { errorRegistry } from '../../../src/text/errors/registry.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';

test('a code is explained: its class, exit code, what happened, why, what to do', async () => {
  const { exitCode, stdout, stderr } = await runCommand(['explain', 'SVC-AUTH-005']);
  assert.deepEqual([exitCode, stderr], [0, '']);
  assert.match(stdout, /^SVC-AUTH-005 {2}failure, exit code 1, HTTP 401\n {2}The session has ended\.\n/);
  assert.match(stdout, /Probable cause: The session expired/);
  assert.match(stdout, /What to do: Sign in again\.\n$/);
});

test('a code can be written without its prefix, in lower case and without dashes', async () => {
  const { stdout: expected } = await runCommand(['explain', 'SVC-MED-012']);
  for (const written of ['med-012', 'MED012', 'svc-med-12', 'svc_med_012'])
    assert.equal((await runCommand(['explain', written])).stdout, expected, written);
});

test('without an argument every code is explained, without brackets and within 100 columns', async () => {
  for (const lang of ['en_GB.UTF-8', 'fr_FR.UTF-8']) {
    const { stdout, exitCode } = await runCommand(['explain'], { env: { LC_ALL: lang } });
    assert.equal(exitCode, 0);
    for (const code of errorCodes) assert.match(stdout, new RegExp(`^${code} `, 'm'));
    const long = stdout.split('\n').filter((line) => line.length > 100 && line.trim().includes(' '));
    assert.deepEqual(long, []);
    assert.doesNotMatch(stdout, /\[[^\]]*\{|\|[^\]]*\]/, 'no marks of optional parts');
    assert.doesNotMatch(stdout, /\) [;,:]/);
    // the values of a parameter that select a sentence are no words of the user
    const values = [...JSON.stringify(errorRegistry).matchAll(/\{[A-Za-z]+=([a-z-]+)\}/g)].map(
      ([, value]) => value!,
    );
    assert.ok(values.includes('plain'));
    for (const value of values) assert.doesNotMatch(stdout, new RegExp(`\\(${value}\\s?:`));
  }
});

test('several codes are explained at once, each once', async () => {
  const { exitCode, stdout } = await runCommand(['explain', 'STO-004', 'med-012', 'STO-004']);
  assert.equal(exitCode, 0);
  assert.deepEqual(stdout.match(/^SVC-\S+/gm), ['SVC-STO-004', 'SVC-MED-012']);
  const { stdout: mistyped, ...one } = await runCommand(['explain', 'STO-004', 'MEDD-012']);
  assert.deepEqual([one.exitCode, mistyped], [2, '']);
});

test('the document lists the codes with their parameters', async () => {
  const one = await runCommand(['explain', 'REG-003', '--output', 'json']);
  assertCliDocument('svc explain', one.stdout);
  const { errors } = JSON.parse(one.stdout);
  assert.deepEqual(
    errors.map((error: Record<string, unknown>) => [error.code, error.exit_code, error.params]),
    [['SVC-REG-003', 1, ['host', 'detail?', 'login?']]],
  );
  const all = await runCommand(['explain', '--output', 'json']);
  assertCliDocument('svc explain', all.stdout);
  assert.equal(JSON.parse(all.stdout).errors.length, errorCodes.length);
});

test('an unknown code is a usage error that names the nearest one', async () => {
  const mistyped = await runCommand(['explain', 'SVC-MEDD-012']);
  assert.deepEqual([mistyped.exitCode, mistyped.stdout], [2, '']);
  assert.match(mistyped.stderr, /unknown error code 'SVC-MEDD-012'; did you mean SVC-MED-012\?/);
  const unknown = await runCommand(['explain', 'hello']);
  assert.equal(unknown.exitCode, 2);
  assert.match(unknown.stderr, /svc explain lists all codes/);
});

test('a remedy stands below its own cause, and no word joins them', async () => {
  const { stdout } = await runCommand(['explain', 'SIG-001']);
  assert.match(
    stdout,
    /\n {2}Probable cause: There is a signature, but it cannot be read\.\n {4}What to do: Have it signed again by a trusted key\.\n/,
  );
  for (const LC_ALL of ['en_GB.UTF-8', 'fr_FR.UTF-8'])
    assert.doesNotMatch((await runCommand(['explain'], { env: { LC_ALL } })).stdout, /Or:|Ou bien/);
});
