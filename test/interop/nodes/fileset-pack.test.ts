import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { writePackableTree } from '../../kit/content/packable-tree.ts';
import { buildDeb } from '../../kit/content/packages.ts';
import { adminPassword, startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { type ClientHome, openClientHome } from '../../kit/program/client-home.ts';
import { needs } from '../../kit/program/peers.ts';
import { runInLanguage } from '../../kit/program/run-command.ts';
import { runSvc } from '../../kit/program/svc.ts';
import { listTree } from '../../kit/result/list-tree.ts';

interface Scene extends AsyncDisposable {
  readonly folder: string;
  readonly tree: string;
  readonly digest: string;
  readonly home: ClientHome;
}

async function openScene(): Promise<Scene> {
  const folder = await openTempFolder();
  const tree = join(folder.path, 'tree');
  writePackableTree(tree);
  const env = { SVC_STORAGE_ROOT: join(folder.path, 'store'), SVC_STATE_ROOT: join(folder.path, 'state') };
  const { exitCode, stdout, stderr } = await runSvc(['fileset', 'pack', tree, 'tree:1.0'], { env });
  assert.equal(exitCode, 0, stderr);
  return {
    folder: folder.path,
    tree,
    digest: stdout.trim(),
    home: await openClientHome(folder.path),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('skopeo reads a packed FileSet from the store at rest, and umoci unpacks what it copies', async (t) => {
  const skopeo = needs(t, 'skopeo');
  const umoci = skopeo && needs(t, 'umoci');
  if (!skopeo || !umoci) return;
  await using scene = await openScene();
  const { folder, home } = scene;
  const source = `oci:${join(folder, 'store')}:localhost/filesets/tree:1.0`;
  const raw = await home.run(skopeo, ['inspect', '--raw', source]);
  assert.equal(hashBytes(raw), scene.digest);
  const inspected = JSON.parse(await home.run(skopeo, ['inspect', source]));
  assert.equal(inspected.Layers.length, 1);
  const layout = join(folder, 'layout');
  await home.run(skopeo, ['--insecure-policy', 'copy', '--preserve-digests', source, `oci:${layout}:one`]);
  const bundle = join(folder, 'bundle');
  await home.run(umoci, ['unpack', '--rootless', '--image', `${layout}:one`, bundle]);
  assert.deepEqual(listTree(join(bundle, 'rootfs')), listTree(scene.tree));
});

test('crane pulls a packed FileSet from the registry of an instance, and exports the tree', async (t) => {
  const crane = needs(t, 'crane');
  const tar = crane && needs(t, 'tar');
  if (!crane || !tar) return;
  await using scene = await openScene();
  const { folder, home } = scene;
  await using instance = await startInstance({ folder });
  const { host } = instance;
  await home.run(crane, ['auth', 'login', host, '-u', 'admin', '--password-stdin'], { input: adminPassword });
  const reference = `${host}/localhost/filesets/tree:1.0`;
  assert.equal(await home.run(crane, ['digest', reference]), scene.digest);
  const archive = join(folder, 'export.tar');
  await home.run(crane, ['export', reference, archive]);
  const out = join(folder, 'out');
  mkdirSync(out);
  await home.run(tar, ['-xpf', archive, '-C', out, '--no-same-owner']);
  assert.deepEqual(listTree(out), listTree(scene.tree));
});

test('the command that packs a signed index elsewhere has the folders of this one', async (t) => {
  if (needs(t, 'apt-ftparchive') === undefined || needs(t, 'dpkg-deb') === undefined) return;
  await using folder = await openTempFolder();
  const tree = join(folder.path, 'debs');
  await mkdir(tree);
  await buildDeb(await openClientHome(folder.path, 'maker'), tree, 'hello', '1.0');
  const at = ['--storage-root', join(folder.path, 'my store'), '--state-root', join(folder.path, 'state')];
  const { exitCode, stderr } = await runInLanguage(
    ['fileset', 'pack', tree, 'deb:1.0', '--index', 'apt', ...at],
    'en',
    { PATH: process.env.PATH ?? '' },
  );
  assert.equal(exitCode, 0, stderr);
  const flags = `--storage-root '${at[1]}' --state-root ${at[3]}`;
  assert.ok(
    stderr.endsWith(`  svc fileset pack ${tree} deb:1.0 --check --gpg-key FINGERPRINT ${flags}\n`),
    stderr,
  );
});
