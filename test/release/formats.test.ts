import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../../scripts/parse-flags.ts';
import { readArMember, toAr } from '../../scripts/release/ar.ts';
import { parseReleaseArguments } from '../../scripts/release/arguments.ts';
import { compareReleases } from '../../scripts/release/check-release.ts';
import { toDatedTar } from '../../scripts/release/dated-tar.ts';
import { toDeb } from '../../scripts/release/packages/deb.ts';
import { listPackageFiles } from '../../scripts/release/packages/package-files.ts';
import { isReleaseVersion, toPackageVersion } from '../../scripts/release/version.ts';
import { stripSymbols } from '../../scripts/strip-symbols.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';

const seconds = 1_700_000_000;

test('each link of a document that a package installs leads to an installed file', () => {
  const root = join(import.meta.dirname, '..', '..');
  const files = listPackageFiles(root, { zsh: 'usr/share/zsh/vendor-completions' }, Buffer.alloc(0));
  assert.ok(files.filter(({ path }) => path.endsWith('.md')).length > 20);
});

test('dpkg and rpm order the versions of packages as semantic versions are ordered', async (t) => {
  const dpkg = needs(t, 'dpkg');
  if (!dpkg) return;
  const ordered = [
    '0.9.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-rc.1',
    '1.0.0-rc.2',
    '1.0.0',
    '1.0.1',
    '1.10.0',
  ];
  for (const [index, version] of ordered.slice(1).entries()) {
    const before = ordered[index]!;
    const args = ['--compare-versions', toPackageVersion(before), 'lt', toPackageVersion(version)];
    assert.equal(spawnSync(dpkg, args).status, 0, `${before} < ${version}`);
  }
  const rpm = needs(t, 'rpm');
  if (!rpm) return;
  for (const [index, version] of ordered.slice(1).entries()) {
    const compared = `%{lua: print(rpm.vercmp('${toPackageVersion(ordered[index]!)}', '${toPackageVersion(version)}'))}`;
    assert.equal(execFileSync(rpm, ['--eval', compared], { encoding: 'utf8' }).trim(), '-1', version);
  }
});

test('a version of a release is a semantic version that a registry accepts as a tag', () => {
  for (const version of ['0.1.0', '10.20.30', '1.0.0-rc.1', '1.0.0-0a'])
    assert.ok(isReleaseVersion(version), version);
  for (const version of [
    '1',
    '1.2',
    'v1.2.3',
    '1.2.3+build',
    '01.2.3',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3\n',
    '',
  ]) {
    assert.ok(!isReleaseVersion(version), JSON.stringify(version));
  }
});

test('tar and ar read what the writers make, with the time and root as owner', async (t) => {
  for (const name of ['tar', 'ar']) if (!needs(t, name)) return;
  await using folder = await openTempFolder();
  const path = `./${'long/'.repeat(25)}name`;
  const archive = toDatedTar(
    [
      { path: './', type: 'folder', mode: 0o755, bytes: Buffer.alloc(0) },
      { path: './program', type: 'file', mode: 0o755, bytes: Buffer.from('odd') },
      { path, type: 'file', mode: 0o644, bytes: Buffer.alloc(0) },
    ],
    seconds,
  );
  const file = join(folder.path, 'a.tar');
  await writeFile(file, archive);
  const listed = execFileSync('tar', ['--utc', '-tvf', file], { encoding: 'utf8' }).trim().split('\n');
  assert.deepEqual(listed, [
    'drwxr-xr-x root/root         0 2023-11-14 22:13 ./',
    '-rwxr-xr-x root/root         3 2023-11-14 22:13 ./program',
    `-rw-r--r-- root/root         0 2023-11-14 22:13 ${path}`,
  ]);
  const members = [
    { name: 'odd', bytes: Buffer.from('123') },
    { name: 'even', bytes: Buffer.from('1234') },
  ];
  await writeFile(join(folder.path, 'a.ar'), toAr(members, seconds));
  assert.equal(execFileSync('ar', ['p', join(folder.path, 'a.ar'), 'even'], { encoding: 'utf8' }), '1234');
  assert.equal(readArMember(toAr(members, seconds), 'even').bytes.toString(), '1234');
  assert.throws(() => readArMember(toAr(members, seconds), 'none'), /no member none/);
});

test('dpkg-deb reads a package, and the same arguments make the same package', async (t) => {
  const dpkg = needs(t, 'dpkg-deb');
  if (!dpkg) return;
  await using folder = await openTempFolder();
  const source = { version: '1.0.0-rc.1', seconds, date: new Date(seconds * 1000) };
  const files = [{ path: 'usr/bin/svc', mode: 0o755, bytes: Buffer.from('#!/bin/sh\n') }];
  const make = () => toDeb(files, 'arm64', source, Buffer.from('Copyright (c) 2026 Somebody\n\nText\n'));
  assert.ok(make().equals(make()));
  const file = join(folder.path, 'svc.deb');
  await writeFile(file, make());
  const field = (name: string) => execFileSync(dpkg, ['-f', file, name], { encoding: 'utf8' }).trim();
  assert.deepEqual([field('Version'), field('Architecture')], ['1.0.0~rc.1', 'arm64']);
  const contents = execFileSync(dpkg, ['-c', file], { encoding: 'utf8' });
  assert.match(contents, /^-rwxr-xr-x root\/root +10 .* \.\/usr\/bin\/svc$/m);
  const copyright = execFileSync('sh', [
    '-c',
    `dpkg-deb --fsys-tarfile "$1" | tar -xO ./usr/share/doc/svc/copyright`,
    'sh',
    file,
  ]);
  assert.match(copyright.toString(), /^Copyright: 2026 Somebody$/m);
});

test('a program without symbols is shorter and still runs', async () => {
  if (process.platform !== 'linux') return;
  await using folder = await openTempFolder();
  const program = readFileSync('/bin/true');
  const stripped = stripSymbols(program);
  assert.ok(stripped.length <= program.length);
  const file = join(folder.path, 'true');
  await writeFile(file, stripped, { mode: 0o755 });
  assert.equal(spawnSync(file).status, 0);
});

test('two builds are the same only where every file is in both with the same bytes', () => {
  const lines: string[] = [];
  const compare = (a: [string, string][], b: [string, string][]) =>
    compareReleases(new Map(a), new Map(b), (line) => lines.push(line));
  assert.equal(compare([['a', '1']], [['a', '1']]), true);
  assert.equal(compare([['a', '1']], [['a', '2']]), false);
  assert.equal(compare([['a', '1']], []), false);
  assert.equal(compare([], [['b', '1']]), false);
  assert.deepEqual(
    lines.filter((line) => line.includes('differs')),
    ['a differs: 1 and 2', 'a differs: 1 and absent', 'b differs: absent and 1'],
  );
});

test('arguments without a key, with two ways or with an unknown platform are refused with the reason', () => {
  const parse = (...args: string[]) => parseReleaseArguments(args, {}, '/sources');
  for (const [args, reason] of [
    [[], /exactly one version/],
    [['1.0.0', '2.0.0', '--unsigned'], /exactly one version/],
    [['1.0.0'], /no key: .*--key FILE/],
    [['1.0.0', '--key', 'a', '--check'], /only one of/],
    [['1.0.0', '--unsigned', '--platform', 'riscv64'], /riscv64: the platforms are x64 and arm64/],
    [['1.0.0', '--unsigned', '--registry', 'registry.example'], /is not a registry with a folder/],
    [['1.0.0', '--sign'], /--sign/],
  ] as const) {
    assert.throws(
      () => parse(...args),
      (error: unknown) => error instanceof UsageError && reason.test(error.message),
      args.join(' '),
    );
  }
  const parsed = parse('1.0.0', '--check');
  assert.ok(parsed !== 'help');
  const { out, platforms, mode } = parsed;
  assert.deepEqual([out, platforms, mode], ['/sources/release', ['x64', 'arm64'], 'check']);
});
