import assert from 'node:assert/strict';
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runAsStranger, stranger } from '../../kit/instance/run-as-stranger.ts';
import { carry } from '../../kit/scene/carried-medium.ts';
import { buildMedium } from '../../kit/scene/medium.ts';

test('a medium, or a part of it, that this user may not read gets no verdict: the permission is named, not damage', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('not run: needs root');
  await using medium = await buildMedium();
  const { root, blob, ledger, parts } = await carry(medium);
  for (const path of [medium.folder, root]) await chmod(path, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  const state = join(medium.folder, 'state-of-zone');
  await mkdir(state);
  await chown(state, stranger, stranger);
  const verify = ['media', 'verify', '--storage-root', root, '--zone', 'zone-b'];
  const load = ['media', 'import', ...verify.slice(2), '--state-root', state];
  const env = { SVC_DESTINATION_REGISTRY: 'localhost:1' };
  const show = ['media', 'show', root];
  const { layer, recipe } = await parts('shop');
  const prove = ['media', 'prove', root, '--trust-root', join(medium.folder, 'release.pub')];
  await writeFile(join(medium.folder, 'release.pub'), medium.signer.publicKeyPem);
  const cases: readonly (readonly [path: string, commands: readonly (readonly string[])[], mode?: number])[] =
    [
      [root, [verify, load, show]],
      // its names can be asked for, and not one of its files
      [join(root, 'ledger'), [prove], 0o744],
      [join(root, 'media.jsonl'), [verify]],
      [join(root, 'blobs/sha256'), [verify]],
      [blob(layer), [load]],
      [blob(recipe), [verify]],
      [join(root, await ledger('recipes')), [verify]],
      [join(root, 'index.json'), [verify]],
    ];
  for (const [path, commands, mode] of cases) {
    const isFolder = path === root || !/\.|[0-9a-f]{64}$/.test(path.slice(root.length));
    await chmod(path, mode ?? (isFolder ? 0o700 : 0o600));
    for (const args of commands) {
      const { exitCode, stdout, stderr } = await runAsStranger(args, env);
      const about = `${args.slice(0, 2).join(' ')}, ${path.slice(root.length)}: ${stdout}${stderr}`;
      assert.equal(exitCode, 1, about);
      assert.match(stderr, /SVC-STO-001/, about);
      assert.match(stderr, /has no permission to read [\s\S]*sudo -u <owner> svc /, about);
      assert.doesNotMatch(stdout + stderr, /SVC-MED-|damaged|[Cc]opy the medium|kernel log/, about);
    }
    await chmod(path, 0o755);
  }
});

test('the setup of a zone says that this user may not look into the folder of the medium, and not that the disk is missing', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('not run: needs root');
  await using medium = await buildMedium();
  const own = join(medium.folder, 'own');
  await mkdir(own);
  await chown(own, stranger, stranger);
  await chmod(medium.folder, 0o755);
  const { root } = await carry(medium);
  await chmod(root, 0o700);
  const key = join(own, 'release.pub');
  await writeFile(key, medium.signer.publicKeyPem);
  const set = [
    'quickstart',
    '--for',
    'medium',
    '--zone',
    'zone-b',
    '--destination',
    'localhost:1',
    '--server-addr',
    '127.0.0.1:0',
  ];
  const { exitCode, stderr } = await runAsStranger([
    ...set,
    ...['--config', join(own, 'zone.yaml'), '--state-root', join(own, 'state'), '--storage-root', root],
    ...['--trust-key', key],
  ]);
  assert.equal(exitCode, 0, stderr);
  assert.doesNotMatch(stderr, /mount the disk/);
  assert.ok(stderr.includes(`54321 may not look into ${root}`), stderr);
});
