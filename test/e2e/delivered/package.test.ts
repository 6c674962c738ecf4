import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('the built package adds an account from wherever it was copied to', async () => {
  await using folder = await openTempFolder('svc-package-');
  const built = join(folder.path, 'built');
  const build = spawnSync(process.execPath, [join(root, 'scripts', 'build.ts'), built], { encoding: 'utf8' });
  assert.equal(build.status, 0, build.stderr);
  const copied = join(folder.path, 'elsewhere', 'svc');
  await mkdir(dirname(copied));
  await cp(built, copied, { recursive: true });
  const run = (args: readonly string[], input = '') =>
    spawnSync(join(copied, 'svc'), args, {
      cwd: folder.path,
      env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
      encoding: 'utf8',
      input,
    });
  const state = ['--state-root', join(folder.path, 'state')];
  const added = run(['user', 'add', 'ops', '--password-stdin', ...state], 'a good password\n');
  assert.equal(added.status, 0, added.stderr);
  const listed = run(['user', 'list', '--output', 'json', ...state]);
  assert.equal(listed.status, 0, listed.stderr);
  assert.match(listed.stdout, /"ops"/);

  // a version and the overview are printed by the script that starts the program, and need nothing else of it
  const pages = [['version'], ['--help']] as const;
  const whole = pages.map((args) => run(args).stdout);
  await rm(join(copied, 'lib', 'program.js'));
  assert.deepEqual(
    pages.map((args) => run(args).stdout),
    whole,
  );
  assert.match(whole[1]!, /^ {2}svc quickstart /m);

  // the start script without the code beside it
  const alone = join(folder.path, 'alone');
  await mkdir(alone);
  await cp(join(built, 'svc'), join(alone, 'svc'));
  const lone = spawnSync(join(alone, 'svc'), ['version'], { encoding: 'utf8' });
  assert.equal(lone.status, 1);
  assert.equal(lone.stdout, '');
  assert.match(lone.stderr, /^svc: [^\n]*alone\/lib\/start\.cjs is missing: copy the folder dist [^\n]*\n$/);
});
