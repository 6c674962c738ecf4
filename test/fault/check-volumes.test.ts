import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRepository } from '../../src/store/open-repository.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runSvc, type SvcResult } from '../kit/program/svc.ts';
import { folderPrint } from '../kit/result/folder-print.ts';
import { mountImage, mountMemory, needsMount, needsVolume } from './rig/small-volume.ts';

const image = buildImage('volume', { ownLayers: 2, layerSize: 5000 });
const { digest } = image.blobs.at(-1)!.descriptor;

/** A store on a volume, with two tags and its state elsewhere. */
async function fill(root: string, stateRoot: string): Promise<void> {
  await using store = await openStoreAt({ root, stateRoot });
  for (const tag of ['1.0', '1.1'])
    await pushArtifact(openRepository(store, 'app', { owner: { provenance: 'import' } }), image, tag);
}

const check = (root: string, stateRoot: string, ...flags: string[]): Promise<SvcResult> =>
  runSvc(['store', 'check', '--storage-root', root, '--state-root', stateRoot, ...flags]);

async function damageLedger(root: string): Promise<void> {
  const [name] = (await readdir(join(root, 'ledger'))).filter((file) => file.startsWith('content'));
  const path = join(root, 'ledger', name!);
  const at = [...(await readFile(path, 'latin1')).matchAll(/^\{"batch":/gm)][1]!.index;
  await damageFile(path, at + 300);
}

test('a store on a read-only volume is checked, and what would change it is refused', async (t) => {
  await using folder = await openTempFolder();
  if (!needsMount(t, folder.path)) return;
  await using volume = mountMemory(join(folder.path, 'volume'), '16m');
  const [root, state] = [join(volume.path, 'store'), join(folder.path, 'state')];
  await fill(root, state);
  await damageFile(join(root, 'blobs', ...digest.split(':')), 1);
  volume.remount('ro');
  const before = folderPrint(root);
  const told = await check(root, state);
  assert.equal(told.exitCode, 4, told.stderr);
  assert.match(told.stdout, /no lock is taken/);
  const refused = await check(root, state, '--quarantine');
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /^svc: SVC-STO-002/m);
  assert.deepEqual(folderPrint(root), before);
  volume.remount('rw');
  await damageLedger(root);
  volume.remount('ro');
  const unmended = await check(root, state, '--repair');
  assert.equal(unmended.exitCode, 1);
  assert.match(unmended.stderr, /^svc: SVC-STO-002/m);
});

test('on a full volume damage is taken out all the same, and a repair that finds no room has changed no ledger', async (t) => {
  await using folder = await openTempFolder();
  if (!needsMount(t, folder.path)) return;
  await using volume = mountMemory(join(folder.path, 'volume'), '1m');
  const [root, state] = [join(volume.path, 'store'), join(folder.path, 'state')];
  await fill(root, state);
  await damageFile(join(root, 'blobs', ...digest.split(':')), 1);
  const ballast = join(volume.path, 'ballast');
  await writeFile(ballast, Buffer.alloc(4 << 20)).catch(() => {});
  const taken = await check(root, state, '--quarantine', '--output', 'json');
  assert.equal(taken.exitCode, 4, taken.stderr);
  assert.equal(JSON.parse(taken.stdout).quarantine.added, 1);
  await damageLedger(root);
  await writeFile(ballast, Buffer.alloc(4 << 20)).catch(() => {});
  const ledgers = folderPrint(join(root, 'ledger'));
  const unmended = await check(root, state, '--repair');
  assert.equal(unmended.exitCode, 1);
  assert.match(unmended.stderr, /^svc: SVC-STO-004/m);
  assert.deepEqual(folderPrint(join(root, 'ledger')), ledgers);
  await writeFile(ballast, '');
  const mended = await check(root, state, '--repair', '--output', 'json');
  assert.equal(mended.exitCode, 4, 'the layer is still missing');
  assert.deepEqual(
    JSON.parse(mended.stdout).findings.map(({ code }: { code: string }) => code),
    ['SVC-STO-010'],
  );
});

test('on exFAT, where names are folded and renames are not atomic, damage is taken out and mended as elsewhere', async (t) => {
  await using folder = await openTempFolder();
  if (!needsVolume(t, 'exfat', folder.path)) return;
  await using volume = mountImage(join(folder.path, 'volume'), 'exfat', 64 << 20);
  const [root, state] = [join(volume.path, 'store'), join(folder.path, 'state')];
  await fill(root, state);
  await damageFile(join(root, 'blobs', ...digest.split(':')), 1);
  const taken = await check(root, state, '--quarantine', '--output', 'json');
  assert.equal(taken.exitCode, 4, taken.stderr);
  assert.deepEqual(await readdir(join(root, '_svc/quarantine')), [`sha256-${digest.slice(7)}`]);
  await fill(root, state);
  await damageLedger(root);
  const mended = await check(root, state, '--repair', '--output', 'json');
  assert.equal(mended.exitCode, 0, mended.stdout + mended.stderr);
});
