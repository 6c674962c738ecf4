import assert from 'node:assert/strict';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { writePackableTree } from '../kit/content/packable-tree.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand } from '../kit/program/run-command.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';

async function openScene() {
  const folder = await openTempFolder();
  const tree = join(folder.path, 'tree');
  writePackableTree(tree);
  const env = {
    SVC_STORAGE_ROOT: join(folder.path, 'store'),
    SVC_STATE_ROOT: join(folder.path, 'state'),
  };
  return {
    folder: folder.path,
    tree,
    blobs: () => readdirSync(join(folder.path, 'store', 'blobs', 'sha256')),
    svc: (...args: string[]) => runCommand(['fileset', 'pack', ...args], { env, cwd: folder.path }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('stdout has the digest only, stderr the configuration that serves the FileSet', async () => {
  await using scene = await openScene();
  const { exitCode, stdout, stderr } = await scene.svc('tree', 'debian:12');
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, /^sha256:[0-9a-f]{64}\n$/);
  const block = stderr.slice(stderr.indexOf('# configuration that serves it under /files/debian/'));
  assert.deepEqual(parse(block), {
    files: { filesets: [{ name: 'debian', ref: 'localhost/filesets/debian', version: '12' }] },
  });
  assert.match(stderr, /"action":"fileset.pack"/);

  const again = await scene.svc(scene.tree, 'debian:12');
  assert.equal(again.stdout, stdout);
  assert.match(again.stderr, /is already packed with the same content/);
  assert.equal(scene.blobs().length, 3);
});

test('the printed configuration serves the newest version, and two can be combined', async () => {
  await using scene = await openScene();
  const config = join(scene.folder, 'svc.yaml');
  const said = async (fileset: string, text: string): Promise<string> => {
    await writeFile(config, text);
    const { exitCode, stderr } = await scene.svc('tree', fileset, '--config', config);
    assert.equal(exitCode, 0, stderr);
    return stderr.slice(stderr.indexOf('}\n') + 2);
  };
  const first = await said('debian:1.0.0', '');
  const entry = { name: 'debian', ref: 'localhost/filesets/debian' };
  assert.deepEqual(parse(first), { files: { filesets: [entry] } });
  assert.match(first, /to pin one: version: "1\.0\.0"$/m);
  const second = await said('other:1.0.0', first);
  assert.match(second, /^# add this entry to files\.filesets/);
  const both = [entry, { name: 'other', ref: 'localhost/filesets/other' }];
  assert.deepEqual(parse(first + second), { files: { filesets: both } });
  assert.match(await said('other:2.0.0', first + second), /files\.filesets has \/files\/other\/ already/);
  const pinned = second.replace(/# the newest.*: version/, 'version');
  assert.match(await said('other:1.0.0', first + pinned), /nothing to add/);
  assert.match(
    await said('other:2.0.0', first + pinned),
    /warning: files\.filesets pins \/files\/other\/ to version 1\.0\.0: to serve 2\.0\.0,/,
  );
  const elsewhere = second.replace('localhost/filesets', 'registry.example/filesets');
  assert.match(await said('other:2.0.0', first + elsewhere), /warning: .* give it another name/);
});

test('packing other content under a version prints the digest before', async () => {
  await using scene = await openScene();
  const first = await scene.svc('tree', 'debian:12');
  symlinkSync('Release', join(scene.tree, 'new'));
  const second = await scene.svc('tree', 'debian:12');
  assert.notEqual(second.stdout, first.stdout);
  assert.ok(second.stderr.includes(`pointed at ${first.stdout.trim()} before`));
});

test('as JSON the document is alone on stdout, as its schema says', async () => {
  await using scene = await openScene();
  const { exitCode, stdout, stderr } = await scene.svc('tree', 'debian:12', '--output', 'json');
  assert.equal(exitCode, 0, stderr);
  assertCliDocument('svc fileset pack', stdout);
  assert.equal(stderr.includes('filesets:'), false);
});

test('the exit code distinguishes usage errors from failures', async () => {
  await using scene = await openScene();
  const cases: readonly (readonly [args: readonly string[], exitCode: number, says: RegExp])[] = [
    [['tree'], 2, /an argument is missing/],
    [['tree', 'debian:12', 'more'], 2, /unexpected argument/],
    [['tree', 'debian'], 2, /'debian' is not <name>:<version>: the version is missing/],
    [['tree', ':12'], 2, /':12' is not <name>:<version>: the name must be/],
    [['tree', 'debian:'], 2, /'debian:' is not <name>:<version>: the version must be/],
    [['tree', 'a/b:12'], 2, /'a\/b:12' is not <name>:<version>/],
    [['missing', 'debian:12'], 1, /SVC-FIL-001/],
    [['tree/Release', 'debian:12'], 1, /SVC-FIL-001/],
    [['.', 'debian:12'], 3, /SVC-FIL-002.*store folder/],
    [['tree', 'debian:12', '--output', 'yaml'], 2, /unknown output format/],
    [['tree', 'debian:12', '--storage-root', ''], 2, /storage-root/],
  ];
  for (const [args, exitCode, says] of cases) {
    const result = await scene.svc(...args);
    assert.equal(result.exitCode, exitCode, `${args.join(' ')}\n${result.stderr}`);
    assert.match(result.stderr, says);
    assert.equal(result.stdout, '');
  }
  symlinkSync('/etc', join(scene.tree, 'etc'));
  symlinkSync('/usr', join(scene.tree, 'usr'));
  const refused = await scene.svc('tree', 'debian:12');
  assert.equal(refused.exitCode, 3, refused.stderr);
  assert.match(refused.stderr, /SVC-FIL-002: .*etc - the target of the link is outside the folder: \/etc/);
  assert.match(refused.stderr, /usr: the target of the link is outside the folder: \/usr/);
  assert.equal(existsSync(join(scene.folder, 'store', 'index.json')) && scene.blobs().length > 0, false);
});

test('beside an instance that holds the store it is refused, and the error names the holder', async () => {
  await using scene = await openScene();
  await using instance = await startInstance({ folder: scene.folder });
  assert.ok(instance.url);
  const { exitCode, stderr } = await scene.svc('tree', 'debian:12');
  assert.equal(exitCode, 1);
  assert.match(stderr, /SVC-STO-007: .*svc serve/);
  // nothing is indexed and signed for a store that cannot take it
  const before = readdirSync(scene.tree);
  const indexed = await scene.svc('tree', 'debian:12', '--index', 'apt', '--gpg-key', 'A'.repeat(40));
  assert.equal(indexed.exitCode, 1);
  assert.match(indexed.stderr, /SVC-STO-007: .*svc serve/);
  assert.deepEqual(readdirSync(scene.tree), before);
});
