import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('the built package adds an account from wherever it was copied to', async () => {
  await using folder = await openTempFolder('svc-package-');
  const built = join(folder.path, 'built');
  const made = spawnSync(process.execPath, [join(root, 'scripts', 'build.ts'), built], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  const copied = join(folder.path, 'elsewhere', 'svc');
  await mkdir(dirname(copied));
  await cp(built, copied, { recursive: true });
  const home = join(folder.path, 'home');
  await mkdir(home);
  const run = (args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}) =>
    spawnSync(join(copied, 'svc'), args, {
      cwd: folder.path,
      env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, ...env },
      encoding: 'utf8',
      input,
    });
  const state = ['--state-root', join(folder.path, 'state')];
  // the runtime reads no file that a flag of the program names
  const named = run(['version', '--env-file', 'absent']);
  assert.deepEqual([named.status, named.stdout], [2, ''], named.stderr);
  assert.match(named.stderr, /no flag '--env-file'/);
  const added = run(['user', 'add', 'ops', '--password-stdin', ...state], 'a good password\n');
  assert.equal(added.status, 0, added.stderr);
  const listed = run(['user', 'list', '--output', 'json', ...state]);
  assert.equal(listed.status, 0, listed.stderr);
  assert.match(listed.stdout, /"ops"/);

  // each run that had no compiled form of its command leaves one, which no other user can write
  const cache = join(home, '.cache');
  const [build] = await readdir(join(cache, 'svc', 'code'));
  const kept = join(cache, 'svc', 'code', build!);
  assert.deepEqual((await readdir(kept)).sort(), ['user-add', 'user-list', 'version']);
  const path = join(kept, 'user-list');
  assert.equal((await stat(cache)).mode & 0o777, 0o700);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  const whole = await readFile(path);
  const runWith = async (bytes: Buffer): Promise<Buffer> => {
    await writeFile(path, bytes);
    const { stdout, stderr, status } = run(['user', 'list', '--output', 'json', ...state]);
    assert.deepEqual({ stdout, stderr, status }, { stdout: listed.stdout, stderr: '', status: 0 });
    return readFile(path);
  };
  assert.deepEqual(await runWith(whole), whole, 'a compiled form that fits is used and kept');
  const altered = Buffer.from(whole);
  altered[altered.length - 100]! ^= 1;
  for (const damaged of [altered, whole.subarray(0, 5000), Buffer.alloc(0)])
    assert.ok((await runWith(damaged)).length > 100_000, 'a damaged one is replaced');

  // tagged templates keep their letters in the scripts; other texts are escaped there. Again from the compiled form
  for (let i = 0; i < 2; i += 1) {
    const french = run(['user', 'list', 'x'], '', { LC_ALL: 'fr_FR.UTF-8' });
    assert.match(french.stderr, /argument «\s?x\s?» inattendu/);
  }

  // a version and the overview are printed by the script that starts the program, and need nothing else of it
  const pages = [['version'], ['--help']] as const;
  const printed = pages.map((args) => run(args).stdout);
  await rm(join(copied, 'lib', 'program.cjs'));
  assert.deepEqual(
    pages.map((args) => run(args).stdout),
    printed,
  );
  assert.match(printed[1]!, /^ {2}svc quickstart /m);

  // the start script without the code beside it
  const alone = join(folder.path, 'alone');
  await mkdir(alone);
  await cp(join(built, 'svc'), join(alone, 'svc'));
  const lone = spawnSync(join(alone, 'svc'), ['version'], { encoding: 'utf8' });
  assert.equal(lone.status, 1);
  assert.equal(lone.stdout, '');
  assert.match(lone.stderr, /^svc: [^\n]*alone\/lib\/start\.cjs is missing: copy the folder dist [^\n]*\n$/);
});
