import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findEnglish, runInLanguage } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { folderPrint } from '../../kit/result/folder-print.ts';
import { carry } from '../../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';

let good: BuiltMedium;
before(async () => {
  good = await buildMedium();
});
after(() => good[Symbol.asyncDispose]());

const show = (folder: string, ...more: string[]) => runInLanguage(['media', 'show', folder, ...more], 'en');

test('a disk is shown without any configuration, as it claims to be, and is not changed', async () => {
  const printed = folderPrint(good.root);
  const { exitCode, stdout, stderr } = await show(good.root, '--output', 'json');
  assert.deepEqual([exitCode, stderr], [0, '']);
  assertCliDocument('svc media show', stdout);
  const { medium, recipes, verified, volume } = JSON.parse(stdout);
  assert.deepEqual([medium.zone, medium.resolvedAt, verified], ['zone-b', '2026-01-02T03:04:05.000Z', false]);
  assert.deepEqual(
    recipes.map(({ name, digest }: { name: string; digest: string }) => [name, digest]),
    good.records.map(({ name, digest }) => [name, digest]),
  );
  assert.ok(medium.files > 0 && medium.bytes > 0 && volume.totalBytes >= volume.freeBytes);
  const text = (await show(good.root)).stdout;
  assert.match(text, /nothing of it is verified yet/);
  assert.ok(text.includes(`svc media verify --storage-root ${good.root} --config FILE\n`));
  assert.deepEqual(folderPrint(good.root), printed);
});

test('a carried program is shown with its version, which is escaped', async () => {
  const medium = await carry(good);
  await medium.editManifest((header) => {
    header.program = { version: '1.2.3\u001b[2J', files: 2, bytes: 2048 };
    return undefined;
  });
  const { stdout } = await show(medium.root, '--output', 'json');
  assertCliDocument('svc media show', stdout);
  assert.deepEqual(JSON.parse(stdout).medium.program, {
    version: '1.2.3\u001b[2J',
    files: 2,
    bytes: 2048,
  });
  assert.match((await show(medium.root)).stdout, /^Program +svc 1\.2\.3\\u001b\[2J, 2 files, 2 KiB$/m);
});

test('pipes, links, giant and broken manifests are refused', async () => {
  const root = join(good.folder, 'special');
  const manifest = join(root, 'media.jsonl');
  for (const [name, make] of [
    ['a pipe', () => execFileSync('mkfifo', [manifest])],
    ['a link', () => symlink(join(good.root, 'media.jsonl'), manifest)],
    ['a link to a device', () => symlink('/dev/zero', manifest)],
    ['a folder', () => mkdir(manifest)],
    ['a giant', () => writeFile(manifest, '').then(() => truncate(manifest, 2 ** 40))],
    ['one endless line', () => writeFile(manifest, '').then(() => truncate(manifest, 200 << 20))],
    ['no JSON', () => writeFile(manifest, '{"mediaFormat":1\n')],
    ['bytes', () => writeFile(manifest, Buffer.from([0xff, 0xfe, 0x0a]))],
  ] as const) {
    await mkdir(root);
    await make();
    const { exitCode, stdout, stderr } = await show(root);
    assert.deepEqual([exitCode, stdout], [4, ''], `${name}: ${stderr}`);
    assert.match(stderr, /SVC-MED-002/, name);
    await rm(root, { recursive: true });
  }
});

test('what is no medium says what it is', async () => {
  const empty = join(good.folder, 'empty');
  await mkdir(empty);
  assert.match((await show(empty)).stderr, /SVC-MED-001.*\n.*The folder is empty: the disk is not mounted/);
  assert.match((await show(good.folder)).stderr, /SVC-MED-001.*\n.*The folder is above the media /);
  const absent = await show(join(good.folder, 'absent'));
  assert.equal(absent.exitCode, 1);
  assert.match(absent.stderr, /SVC-FIL-005/);
  for (const name of ['oci-layout', 'media.jsonl']) {
    const file = await show(join(good.root, name));
    assert.equal(file.exitCode, 1);
    assert.match(file.stderr, /SVC-FIL-005.*is a file, not a folder/s, name);
  }
});

test('names of others are escaped, every line fits the terminal, and everything is said in French', async () => {
  const medium = await carry(good);
  await medium.editManifest((header, lines) => {
    header.zone = 'zone\u001b[2Jb';
    header.recipes[0].name = 'evil\u202ename';
    return lines;
  });
  const { stdout } = await show(medium.root);
  assert.match(stdout, /zone\\u001b\[2Jb/);
  assert.match(stdout, /evil\\u202ename/);
  assert.ok(!/[\u001b\u202e]/.test(stdout));
  for (const columns of [60, 80, 120]) {
    for (const language of ['en', 'fr'] as const) {
      const printed = await runInLanguage(['media', 'show', good.root], language, {
        COLUMNS: String(columns),
      });
      const lines = printed.stdout.split('\n').filter((line) => !line.includes(good.folder));
      assert.deepEqual(
        lines.filter((line) => line.length > columns),
        [],
      );
      if (language === 'fr') assert.equal(findEnglish(lines.join('\n')), undefined, printed.stdout);
    }
  }
});

test('without a folder the store of the configuration is shown, and a folder beside --storage-root is refused', async () => {
  const named = await runInLanguage(['media', 'show', '--storage-root', good.root, '--output', 'json'], 'en');
  assert.equal(named.exitCode, 0, named.stderr);
  const direct = await show(good.root, '--output', 'json');
  assert.deepEqual(JSON.parse(named.stdout).medium, JSON.parse(direct.stdout).medium);
  const both = await show(good.root, '--storage-root', good.root);
  assert.equal(both.exitCode, 2);
  assert.match(both.stderr, /a folder and --storage-root are given/);
  const neither = await runInLanguage(['media', 'show'], 'en');
  assert.equal(neither.exitCode, 1);
  assert.match(neither.stderr, /storage\.root/);
});
