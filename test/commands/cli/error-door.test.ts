import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { CommandLineError } from '../../../commands/cli/command-line-error.ts';
import { printError } from '../../../commands/cli/error-document.ts';
import { writeError } from '../../../commands/cli/error-door.ts';
import { fr } from '../../../src/text/language.ts';

/** The text of an error on both streams, and its exit code. */
async function leave(error: unknown, env: Readonly<Record<string, string>> = {}) {
  let [stdout, stderr] = ['', ''];
  const out = new Writable({
    write(chunk, _encoding, done) {
      stdout += chunk;
      done();
    },
  });
  await printError(error, { stdout: out });
  const exitCode = await writeError(error, { stderr: { write: (text: string) => (stderr += text) }, env });
  return { exitCode, stderr, error: JSON.parse(stdout).error };
}

test('an error that nobody expected is an internal one, with what it said as its detail', async () => {
  const { exitCode, stderr, error } = await leave(new Error('3 things\u0007 are left'));
  assert.equal(exitCode, 1);
  assert.match(stderr, /^svc: SVC-SRV-001: Internal error\.\n {2}Probable cause: .*\n {2}What to do: /);
  assert.match(stderr, /Detail: 3 things\\u0007 are left\n$/);
  assert.deepEqual(
    [error.code, error.exit_code, error.detail],
    ['SVC-SRV-001', 1, '3 things\u0007 are left'],
  );
  assert.ok(error.cause !== '' && error.action !== '');
});

test('a system that has no more descriptors is no defect', async () => {
  const shortage = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', path: '/x' });
  assert.equal((await leave(shortage)).error.code, 'SVC-STO-014');
});

test('an error of the command line is a sentence, and so is a current directory that is gone', async () => {
  const usage = await leave(
    new CommandLineError(['--x is unknown', fr`--x est inconnu`], ['usage: svc', fr`usage : svc`]),
  );
  assert.deepEqual(
    [usage.exitCode, usage.error.code, usage.stderr],
    [2, '', 'svc: --x is unknown\nusage: svc\n'],
  );
  const gone = await leave(Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'uv_cwd' }), {
    LANG: 'fr_FR.UTF-8',
  });
  assert.equal(gone.exitCode, 1);
  assert.match(gone.stderr, /^svc: le répertoire courant n’existe plus/);
});
