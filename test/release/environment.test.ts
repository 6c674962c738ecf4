import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { root } from '../../scripts/bundle-options.ts';
import { toDatedTar } from '../../scripts/release/dated-tar.ts';
import { npmFileName, readInput } from '../../scripts/release/inputs.ts';
import { hashLockfile, RefusedError } from '../../scripts/release/source.ts';
import { toBuildEnvironment } from '../../scripts/release/tools/environment.ts';
import { runGit } from '../../scripts/release/tools/git.ts';
import { runTool } from '../../scripts/release/tools/run-tool.ts';
import { unpack } from '../../scripts/release/tools/unpack.ts';
import { cloneCommit } from '../../scripts/release/tree.ts';
import { commitAll } from '../kit/instance/project-copy.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';

/** Does work with other variables. */
function withVariables(more: Readonly<Record<string, string>>, work: () => void): void {
  const outer = process.env;
  process.env = { ...outer, ...more };
  try {
    work();
  } finally {
    process.env = outer;
  }
}

/** Variables from which programs take options, and that name programs. */
const hostile = {
  TAR_OPTIONS: '--transform=s/one/two/',
  TAPE: '/nowhere',
  GZIP: '--no-such-option',
  XZ_OPT: '--no-such-option',
  XZ_DEFAULTS: '--no-such-option',
  RPM_CONFIGDIR: '/nowhere',
  RPM_BUILD_ROOT: '/nowhere',
  LD_PRELOAD: '/nowhere.so',
  BASH_ENV: '/nowhere',
  GIT_DIR: '/nowhere',
  NODE_OPTIONS: '--no-such-option',
  ESBUILD_BINARY_PATH: '/nowhere',
};

test('a program that a release starts gets no variable that changes what it does', async (t) => {
  for (const name of ['tar', 'xz']) if (!needs(t, name)) return;
  await using folder = await openTempFolder();
  const entry = { path: './one', type: 'file', mode: 0o644, bytes: Buffer.from('content') } as const;
  const archive = toDatedTar([entry], 1_700_000_000);
  const xz = runTool('xz', ['--compress', '--stdout'], { input: archive });
  withVariables(hostile, () => {
    unpack(gzipSync(archive), join(folder.path, 'gzip'), '--gzip');
    unpack(xz, join(folder.path, 'xz'), '--xz');
    const got = runTool('env', ['-0']).toString().split('\0').filter(Boolean);
    const names = got.map((one) => one.slice(0, one.indexOf('=')));
    assert.deepEqual(names.filter((one) => one !== 'TMPDIR').sort(), ['HOME', 'LC_ALL', 'PATH', 'TZ']);
    assert.ok(got.includes('HOME=/nonexistent'), got.join());
    const left = Object.keys(toBuildEnvironment(process.env)).filter((one) => one in hostile);
    assert.deepEqual(left, []);
  });
  for (const name of ['gzip', 'xz']) {
    assert.deepEqual(readdirSync(join(folder.path, name)), ['one']);
    assert.equal(readFileSync(join(folder.path, name, 'one'), 'utf8'), 'content');
  }
});

test('every program of a release is started in one place', () => {
  const starts = globSync('**/*.ts', { cwd: join(root, 'scripts', 'release') }).filter((path) =>
    readFileSync(join(root, 'scripts', 'release', path), 'utf8').includes("'node:child_process'"),
  );
  // the build, with an environment that is made for it, and the step with a network, whose results are verified
  assert.deepEqual(starts.sort(), ['build-in-tree.ts', 'fetch-inputs.ts', 'tools/run-tool.ts']);
});

test('settings of git neither change the files of a release nor run a program', async (t) => {
  if (!needs(t, 'git')) return;
  await using folder = await openTempFolder();
  const path = (...parts: string[]): string => join(folder.path, ...parts);
  const [sources, home] = [path('sources'), path('home')];
  for (const one of [sources, home, path('hooks')]) await mkdir(one);
  const git = (...args: string[]): void =>
    void execFileSync('git', args, { cwd: sources, env: { PATH: process.env.PATH, HOME: folder.path } });
  git('init', '--quiet', '--template=');
  await writeFile(join(sources, 'package-lock.json'), '{}');
  await writeFile(join(sources, 'one'), 'content\n');
  await symlink('one', join(sources, 'link'));
  commitAll(sources, 'One');
  const ran = `touch ${path('ran')}`;
  for (const name of ['post-checkout', 'monitor'])
    await writeFile(path('hooks', name), `#!/bin/sh\n${ran}\n`, { mode: 0o755 });
  await writeFile(path('attributes'), '* filter=evil text eol=crlf\n');
  const config = `[core]\nattributesFile = ${path('attributes')}\nhooksPath = ${path('hooks')}\nfsmonitor = ${path('hooks', 'monitor')}\n[filter "evil"]\nsmudge = "${ran}; cat; echo evil"\nclean = "${ran}; sed s/evil//"\n`;
  await writeFile(join(home, '.gitconfig'), config);
  const source = {
    ...{ root: sources, version: '1.0.0', commit: runGit(sources, 'rev-parse', 'HEAD') },
    ...{ date: new Date(0), seconds: 0, lockfile: hashLockfile(sources) },
  };
  withVariables({ HOME: home, GIT_CONFIG_GLOBAL: join(home, '.gitconfig') }, () => {
    cloneCommit(source, path('cloned'));
    // also those of the repository itself
    runGit(sources, 'config', 'core.fsmonitor', path('hooks', 'monitor'));
    for (const one of [sources, path('cloned')]) assert.equal(runGit(one, 'status', '--porcelain'), '');
  });
  assert.equal(readFileSync(path('cloned', 'one'), 'utf8'), 'content\n');
  assert.deepEqual(
    readdirSync(folder.path).filter((one) => one === 'ran'),
    [],
  );

  const refused = (expected: RegExp) => (error: unknown) =>
    error instanceof RefusedError && expected.test(error.message);
  // attributes of the commit, by which git writes other bytes than it has
  await writeFile(join(sources, '.gitattributes'), 'one text eol=crlf\n');
  commitAll(sources, 'Two');
  const second = { ...source, commit: runGit(sources, 'rev-parse', 'HEAD') };
  assert.throws(() => cloneCommit(second, path('other')), refused(/^git made another file of one than/));
  const id = runGit(sources, 'rev-parse', 'HEAD:one');
  const object = join(sources, '.git', 'objects', id.slice(0, 2), id.slice(2));
  const another = runGit(sources, 'rev-parse', 'HEAD:link');
  await chmod(object, 0o644);
  await writeFile(
    object,
    readFileSync(join(sources, '.git', 'objects', another.slice(0, 2), another.slice(2))),
  );
  assert.throws(
    () => cloneCommit(second, path('forged')),
    refused(/^git cannot clone the commit [0-9a-f]{40}: run git fsck in /),
  );
});

test('an input that is a pipe is refused, and not waited for', async (t) => {
  if (!needs(t, 'mkfifo')) return;
  await using folder = await openTempFolder();
  const one = { name: 'yaml', version: '1.0.0', integrity: 'sha512-none' };
  const file = join(folder.path, npmFileName(one));
  execFileSync('mkfifo', [file]);
  assert.throws(() => readInput(folder.path, one), /yaml-1\.0\.0\.tgz is not a file: remove it/);
  await rm(file);
  assert.throws(() => readInput(folder.path, one), /yaml-1\.0\.0\.tgz is not in /);
});
