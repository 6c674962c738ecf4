import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { needs } from '../../kit/program/peers.ts';
import { typeInto } from '../../kit/program/type-into.ts';
import { crossTheGap } from '../../kit/scene/cross-the-gap.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const isBuildable = process.platform === 'linux';
const reason = 'not run: needs Linux';

let folder: TempFolder;
/** In a folder in which nothing may be written. */
let program: string;
let outer: string | undefined;
before(async () => {
  if (!isBuildable) return;
  folder = await openTempFolder('svc-binary-');
  const built = join(folder.path, 'built');
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'build-binary.ts'), built], {
    encoding: 'utf8',
    cwd: folder.path,
  });
  assert.equal(status, 0, stderr);
  const installed = join(folder.path, 'installed');
  await mkdir(installed);
  program = join(installed, 'svc');
  await cp(join(built, 'svc'), program);
  await chmod(installed, 0o555);
  outer = process.env.SVC_BIN;
  process.env.SVC_BIN = program;
});
after(async () => {
  if (outer === undefined) delete process.env.SVC_BIN;
  else process.env.SVC_BIN = outer;
  if (!isBuildable) return;
  await chmod(join(folder.path, 'installed'), 0o755);
  await folder[Symbol.asyncDispose]();
});

/** Runs it with nothing in its environment but where temporary files go. */
async function alone(cwd: string, args: readonly string[], input = '') {
  const temporary = join(cwd, '.tmp');
  await mkdir(temporary, { recursive: true });
  const result = spawnSync(program, args, { cwd, env: { TMPDIR: temporary }, encoding: 'utf8', input });
  assert.deepEqual(await readdir(temporary), [], 'nothing is left among the temporary files');
  return result;
}

test('one file runs without Node, environment or writable folder, and says what it is', async (t) => {
  if (!isBuildable) return t.skip(reason);
  await using work = await openTempFolder();
  const version = await alone(work.path, ['version', '--output', 'json']);
  assert.deepEqual([version.status, version.stderr], [0, '']);
  const document = JSON.parse(version.stdout);
  // the runtime reads no file that a flag of the program names
  const named = await alone(work.path, ['version', '--env-file', 'absent']);
  assert.deepEqual([named.status, named.stdout], [2, ''], named.stderr);
  assert.equal(document.runtime, process.version);
  assert.match(document.version, /^\d+\.\d+\.\d+/);
  const help = await alone(work.path, ['--help']);
  assert.match(help.stdout, /svc quickstart/);
  const wrong = await alone(work.path, ['snyc']);
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /did you mean svc sync\?/);
  const none = await alone(work.path, ['user', 'list', '--state-root', 'none']);
  assert.deepEqual(
    [none.status, none.stderr],
    [0, `svc: no accounts in ${join(work.path, 'none')}: the folder does not exist\n`],
  );
});

test('it hashes passwords with the code that it carries', async (t) => {
  if (!isBuildable) return t.skip(reason);
  await using work = await openTempFolder();
  const made = await alone(
    work.path,
    ['quickstart', '--mode', 'mirror', '--password-stdin'],
    'a good password\n',
  );
  assert.equal(made.status, 0, made.stderr);
  const added = await alone(
    work.path,
    ['user', 'add', 'ada', '--config', 'svc.yaml', '--password-stdin'],
    'a good secret\n',
  );
  assert.equal(added.status, 0, added.stderr);
  const listed = await alone(work.path, ['user', 'list', '--config', 'svc.yaml']);
  assert.match(listed.stdout, /ada +viewer.*\nadmin +admin/);
});

test('its dialogue runs on a terminal', async (t) => {
  if (!isBuildable) return t.skip(reason);
  const script = needs(t, 'script');
  if (!script) return;
  await using work = await openTempFolder();
  const { exitCode, screen } = await typeInto(
    script,
    ['quickstart', '--mode', 'mirror'],
    [
      ['› Store folder', '\r'],
      ['› State folder', '\r'],
      ['› Administrator', '\r'],
      ['› Start it now?', 'n\r'],
      ['Password: ', 'the good hunter2\r'],
      ['Password again: ', 'the good hunter2\r'],
    ],
    { cwd: work.path },
  );
  assert.equal(exitCode, 0, screen);
  assert.match(screen, /ready; start it with/);
});

test('it serves, synchronizes, verifies on several threads and imports', async (t) => {
  if (!isBuildable) return t.skip(reason);
  await using world = await openRehearsal();
  await crossTheGap(world);
});
