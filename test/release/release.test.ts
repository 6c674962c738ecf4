import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { requireDebianPackages } from '../../scripts/release/inputs.ts';
import { requireGpgKey } from '../../scripts/release/packages/repositories.ts';
import { openReleaseKey } from '../../scripts/release/sign.ts';
import { openSource, RefusedError } from '../../scripts/release/source.ts';
import { cloneCommit } from '../../scripts/release/tree.ts';
import { canOpenRoot } from '../kit/instance/fresh-root.ts';
import { setVersion } from '../kit/instance/project-copy.ts';
import { onPath } from '../kit/program/peers.ts';
import { testArrival } from './cases/arrival.ts';
import { testBill } from './cases/bill.ts';
import { testFiles } from './cases/files.ts';
import { testPackages } from './cases/packages.ts';
import type { Shared } from './cases/shared.ts';
import { testTree } from './cases/tree.ts';
import { testVerify } from './cases/verify.ts';
import {
  debName,
  inputs,
  isFull,
  next,
  noReleaseReason,
  openReleaseScene,
  present,
  type ReleaseScene,
  readCommands,
  requireNothing,
  rpmName,
} from './scene.ts';

const reason = noReleaseReason();
let scene: ReleaseScene;
before(async () => {
  if (reason === undefined) scene = await openReleaseScene();
});
after(async () => {
  await scene?.[Symbol.asyncDispose]();
});

test('what cannot be a release is refused with the reason', async (t) => {
  if (reason !== undefined) return t.skip(reason);
  const { sources, path } = scene;
  const refused = (expected: RegExp) => (error: unknown) =>
    error instanceof RefusedError && expected.test(error.message);
  const judgeSource = (version: string, expected: RegExp): void =>
    assert.throws(() => openSource(sources, version), refused(expected));
  judgeSource('9.9.9', new RegExp(`the sources are version ${present}, not 9\\.9\\.9`));
  judgeSource('1.0', /1\.0 is not a version such as/);
  await writeFile(join(sources, 'forgotten.ts'), '');
  judgeSource(present, /the tree is not what was committed.*\n.*forgotten\.ts/);
  await rm(join(sources, 'forgotten.ts'));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.org', ...args], {
      cwd: sources,
      encoding: 'utf8',
    }).trim();
  const other = git('commit-tree', 'HEAD^{tree}', '-m', 'Another');
  for (const [tag, isRefused] of [
    [`v${present}`, true],
    [present, true],
    [`svc-${present}`, true],
    [`release/v${present}`, true],
    [`v${present}-rc.1`, false],
    [`v1.0.0-${present}`, false],
    [`v1${present}`, false],
  ] as const) {
    git('tag', tag, other);
    if (isRefused) judgeSource(present, new RegExp(`the tag ${tag} is on another commit`));
    else openSource(sources, present);
    git('tag', '--delete', tag);
  }
  git('tag', '--annotate', '--message', 'This one', `v${present}`);
  const source = openSource(sources, present);
  git('tag', '--delete', `v${present}`);
  // a file that git does not look for is refused, and has no part in a release anyway
  const page = join(sources, 'docs', 'README.md');
  const written = readFileSync(page);
  await writeFile(join(sources, 'deploy', 'x.log'), 'ignored');
  for (const flag of ['assume-unchanged', 'skip-worktree']) {
    git('update-index', `--${flag}`, 'docs/README.md');
    await writeFile(page, 'changed');
    assert.equal(git('status', '--porcelain'), '');
    judgeSource(present, /git does not look for changes of docs\/README\.md: run git update-index/);
    if (flag === 'assume-unchanged') {
      // settings of the user would change every line
      await writeFile(path('gitconfig'), `[core]\nattributesFile = ${path('gitattributes')}\n`);
      await writeFile(path('gitattributes'), '* text eol=crlf\n');
      const outer = process.env;
      process.env = { ...outer, GIT_CONFIG_GLOBAL: path('gitconfig'), GIT_INDEX_FILE: path('nowhere') };
      try {
        assert.throws(
          () => cloneCommit({ ...source, lockfile: '0'.repeat(64) }, path('cloned')),
          refused(/package-lock\.json is not the file of the commit/),
        );
        assert.equal(openSource(path('cloned'), present).commit, source.commit);
      } finally {
        process.env = outer;
      }
    }
    await writeFile(page, written);
    git('update-index', `--no-${flag}`, 'docs/README.md');
  }
  assert.ok(readFileSync(path('cloned', 'docs', 'README.md')).equals(written));
  assert.ok(!existsSync(path('cloned', 'deploy', 'x.log')));
  await rm(join(sources, 'deploy', 'x.log'));

  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(path('ed25519.key'), ed25519, { mode: 0o600 });
  await cp(scene.key, path('open.key'));
  await chmod(path('open.key'), 0o644);
  for (const [name, expected] of [
    ['absent.key', /the key .*absent\.key cannot be used/],
    ['open.key', /SVC-SGN-001: its mode is 0644/],
    ['ed25519.key', /openssl dgst verifies ECDSA and RSA only/],
  ] as const)
    await assert.rejects(openReleaseKey(path(name), undefined), refused(expected));
  assert.throws(() => requireGpgKey('nobody', source), refused(/gpg cannot sign with nobody/));

  await mkdir(path('inputs'));
  const judgeInputs = (expected: RegExp): void =>
    assert.throws(() => requireDebianPackages(['x64'], path('inputs')), refused(expected));
  judgeInputs(/ca-certificates_.*\.deb is not in .*release:inputs/);
  for (const name of readdirSync(inputs)) await symlink(join(inputs, name), path('inputs', name));
  requireDebianPackages(['x64'], path('inputs'));
  const changed = readdirSync(inputs).find((name) => name.startsWith('libc6_') && name.includes('amd64'))!;
  await rm(path('inputs', changed));
  await writeFile(path('inputs', changed), 'something else');
  judgeInputs(
    /libc6_.*is not the file that is pinned: expected sha256:[0-9a-f]{64}, found sha256:[0-9a-f]{64}/,
  );
});

test('a refusal ends with its code, and leaves nothing', async (t) => {
  if (reason !== undefined) return t.skip(reason);
  const { key, path, rehearse } = scene;
  const usage = rehearse([present, '--out', path('refused')]);
  assert.equal(usage.status, 2, usage.stderr);
  assert.match(usage.stderr, /no key: a release is signed with --key FILE/);
  const absent = rehearse([present, '--key', path('absent.key'), '--out', path('refused')]);
  assert.equal(absent.status, 1, absent.stderr);
  assert.match(absent.stderr, /the key .*absent\.key cannot be used/);
  requireNothing(scene.folder, 'refused');
  // a filesystem without new folders, in which the recursive one of Node never ends
  const system = rehearse([present, '--key', key, '--out', '/proc/svc/release']);
  assert.equal(system.status, 1, system.stderr);
  assert.match(system.stderr, /the folder of the release cannot be made: ENOENT/);
  const home = path('home');
  await mkdir(home);
  const asked = [present, '--key', key, '--gpg-key', 'nobody', '--inputs', inputs, '--out', path('refused')];
  const gpg = rehearse(asked, { HOME: home, GNUPGHOME: '' });
  assert.equal(gpg.status, 1, gpg.stderr);
  assert.match(gpg.stderr, /gpg cannot sign with nobody: there are no keys, as .*\.gnupg does not exist/);
  assert.deepEqual(readdirSync(home), []);
  await mkdir(path('taken'));
  const taken = rehearse([present, '--key', key, '--out', path('taken')]);
  assert.equal(taken.status, 1, taken.stderr);
  assert.match(taken.stderr, /taken exists: a release is never replaced/);
  await symlink(path('nowhere'), path('link'));
  const link = rehearse([present, '--key', key, '--out', path('link')]);
  assert.deepEqual(
    [link.status, link.stderr],
    [1, `release: ${path('link')} exists: a release is never replaced; move it away first\n`],
  );
});

test('a release on a full volume ends with the reason', async (t) => {
  if (reason !== undefined) return t.skip(reason);
  if (!canOpenRoot(t)) return;
  const { key, path, follow } = scene;
  const [volume, out] = [path('full'), path('full', 'release')];
  await mkdir(volume);
  const made = `node test/release/rehearse-release.ts ${present} --key ${key} --platform x64 --out ${out}`;
  const { status, stderr } = follow(
    `unshare --mount sh -ec 'mount -t tmpfs -o size=200k tmpfs ${volume}; ${made} || { ls -A ${volume} >&2; exit 7; }'`,
  );
  assert.equal(status, 7, stderr);
  assert.match(
    stderr,
    /\nrelease: ENOSPC: no space left on device, \w+.* \(the release is made in \S+\/full and \S+; make room, or choose other folders with --out and TMPDIR\)\n$/,
  );
  assert.doesNotMatch(stderr, /\n +at |node:/);
});

const steps = [
  'sources and packages',
  'program',
  'bill of materials',
  'packages',
  'image and chart',
  'package repositories',
  'recipe and layout',
  'provenance and sums',
] as const;

test('a release that is interrupted at any step leaves nothing that looks finished', async (t) => {
  if (reason !== undefined) return t.skip(reason);
  const { key, path, rehearse, pipe } = scene;
  await mkdir(path('interrupted'));
  const args = [present, '--key', key, '--platform', 'x64', '--out', path('interrupted', 'release')];
  const left = (): string[] => readdirSync(path('interrupted'), { recursive: true }) as string[];
  const stopAt = (step: string, signal: NodeJS.Signals): void => {
    const ended = rehearse(args, { SVC_REHEARSAL_STOP: `${step}:${signal}` });
    assert.equal(ended.signal, signal, `${step}\n${ended.stderr}`);
    const said = steps.slice(0, steps.indexOf(step as never) + 1).map((one) => `release: ${one}\n`);
    const told = ended.stderr.replace(/^(?:release: removed .*\n)*/, '');
    assert.ok(told.startsWith(said.join('')), ended.stderr);
    // in the middle of a step, while it waits for any program
    if (step === 'packages') assert.equal(told, said.join(''));
    assert.doesNotMatch(ended.stderr, /complete/);
  };
  for (const step of isFull ? steps : (['packages'] as const)) {
    stopAt(step, isFull ? 'SIGTERM' : 'SIGHUP');
    assert.deepEqual(left(), [], step);
    requireNothing(path('temporary'), 'svc-release-tree');
  }
  const unread = pipe(args, 'head -1');
  assert.equal(unread.stdout, 'release: sources and packages\n');
  assert.deepEqual(left(), [], 'nobody reads what the release says');
  for (const step of isFull ? steps : (['recipe and layout'] as const)) {
    stopAt(step, 'SIGKILL');
    assert.match(
      left()
        .filter((name) => !name.includes('/'))
        .join(),
      /^\.release-\d+$/,
      'one hidden folder, which the next run removes',
    );
  }
});

test('a release is the same under another path, user, umask, locale, time zone and clock', async (t) => {
  if (reason !== undefined) return t.skip(reason);
  const { rehearse, commit, sources, follow, path } = scene;
  await writeFile(path('told'), '', { mode: 0o666 });
  await chmod(path('told'), 0o666);
  const takeBack = await commit(() => writeFile(join(sources, 'tell'), path('told')));
  const same = rehearse([present, '--check', ...(isFull ? [] : ['--platform', 'x64'])]);
  takeBack();
  assert.equal(same.status, 0, same.stderr);
  const [first, second] = readFileSync(path('told'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.match(same.stderr, /building in .*\/first\/sources, umask 022, LC_ALL=C\.UTF-8 TZ=UTC$/m);
  assert.match(same.stderr, /elsewhere\/sources, umask 077, LC_ALL=tr_TR\.UTF-8 .*TZ=Pacific\/Kiritimati/m);
  assert.match(same.stderr, /[2-9]\d files, each the same in both builds$/m);
  assert.notEqual(first.cwd, second.cwd);
  assert.deepEqual([first.TZ, first.LC_ALL], ['UTC', 'C.UTF-8']);
  assert.deepEqual([second.TZ, second.LC_ALL], ['Pacific/Kiritimati', 'tr_TR.UTF-8']);
  if (process.getuid?.() === 0) assert.deepEqual([first.uid, second.uid], [0, 65_534]);
  else t.diagnostic('the user of both builds is the same: needs root');
  const later = new Date(Date.now() + 400 * 86_400_000).getFullYear();
  if (onPath('faketime') !== undefined) assert.equal(second.year, later);
  else t.diagnostic('the clock of both builds is the same: needs faketime');
  requireNothing(sources, 'release');
  if (!isFull) return;
  const [, , line] = readCommands('releasing.md', 'Make a release', present);
  const whole = follow(line!);
  assert.equal(whole.status, 0, whole.stderr);
  t.diagnostic(whole.stderr);
});

test('the commands of the page make a release, and the next version is made in the same way', async (t) => {
  if (reason !== undefined) return t.skip(reason);
  const { follow, rehearse, commit, keep, sources, key, gpgKey, releases } = scene;
  const [bring, make] = readCommands('releasing.md', 'Make a release', present);
  const brought = follow(bring!);
  assert.equal(brought.status, 0, brought.stderr);
  const encrypted = ['--key', '../release.key', '--key-password-file', '../release.password'];
  const line = `npm run release -- ${present} ${encrypted.join(' ')}   # offline; fills release/`;
  assert.equal(make, line);
  const flags = ['--gpg-key', gpgKey];
  // variables that programs would take options from
  const options = {
    TAR_OPTIONS: '--transform=s/lib/evil/',
    GZIP: '--evil',
    XZ_OPT: '--evil',
    RPM_CONFIGDIR: '/',
  };
  const made = isFull ? follow(make!, flags) : rehearse([present, ...encrypted, ...flags], options);
  assert.equal(made.status, 0, made.stderr);
  await keep('present');
  await commit(() => setVersion(sources, next));
  const args = [next, '--key', key, ...flags, '--platform', 'x64'];
  const later = isFull ? follow(`npm run release -- ${args.join(' ')}`) : rehearse(args);
  assert.equal(later.status, 0, later.stderr);
  await keep('next');
  assert.deepEqual(readdirSync(releases).sort(), ['next', 'present', 'svc-release.pub']);
  const names = readdirSync(join(releases, 'present'));
  const programs = ['svc-linux-x64', 'svc-linux-arm64'];
  for (const name of [...programs, debName(present), rpmName(present), `svc-${present}.tgz`])
    assert.ok(names.includes(name), name);
});

const shared: Shared = {
  get scene() {
    return scene;
  },
  isMade(t) {
    if (reason !== undefined) t.skip(reason);
    else assert.ok(existsSync(join(scene.releases, 'next')), 'the releases were not made');
    return reason === undefined;
  },
};
testVerify(shared);
testFiles(shared);
testTree(shared);
testBill(shared);
testPackages(shared);
testArrival(shared);
