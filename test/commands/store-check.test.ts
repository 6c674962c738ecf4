import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { StoreCheckReport } from '../../src/contract/store.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { putTags } from '../../src/store/put-tags.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openTempStore, type TempStore } from '../kit/instance/temp-store.ts';
import { runCommand } from '../kit/program/run-command.ts';
import { type SvcResult, svcCommand, svcEnvironment, trackChild } from '../kit/program/svc.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';
import { folderPrint } from '../kit/result/folder-print.ts';
import { buildMedium } from '../kit/scene/medium.ts';

const image = buildImage('checked', { ownLayers: 2, layerSize: 5000 });
const layer = image.blobs.at(-1)!.descriptor;
const owner = { provenance: 'recipe', recipe: 'shop@1.0.0' } as const;

async function openFilled(): Promise<TempStore> {
  const temp = await openTempStore({ mode: 'mirror' });
  await pushArtifact(openRepository(temp.store, 'reg.example/app', { owner }), image, '1.0');
  const { digest } = image.manifest.descriptor;
  const tag = { repository: 'reg.example/app', tag: '1.1', digest, kind: 'ContainerImage' } as const;
  await putTags(temp.store, [{ ...tag, owner }]);
  await temp.close();
  return temp;
}

const check = (
  { root, stateRoot }: Pick<TempStore, 'root' | 'stateRoot'>,
  ...flags: string[]
): Promise<SvcResult> =>
  runCommand([
    'store',
    'check',
    '--storage-root',
    root,
    '--state-root',
    stateRoot,
    '--mode',
    'mirror',
    ...flags,
  ]);

const toReport = ({ stdout }: SvcResult): StoreCheckReport => {
  assertCliDocument('svc store check', stdout);
  return JSON.parse(stdout);
};

const damageLayer = ({ root }: TempStore): Promise<void> =>
  damageFile(join(root, 'blobs', ...layer.digest.split(':')), 9);

const isOwn = (path: string): boolean => path === '_svc';

test('svc store check: 0 and a report for a clean store, in text and in JSON', async () => {
  await using temp = await openFilled();
  const before = folderPrint(temp.root, isOwn);
  const text = await check(temp);
  assert.equal(text.exitCode, 0, text.stderr);
  assert.match(text.stdout, /^store {5}.*medium /m);
  assert.match(text.stdout, /^blobs {2,}4 /m);
  assert.match(text.stdout, /^verdict {3}clean$/m);
  const json = await check(temp, '--output', 'json');
  assert.equal(json.exitCode, 0);
  assert.equal(toReport(json).verdict, 'clean');
  assert.deepEqual(folderPrint(temp.root, isOwn), before);
});

test('svc store check: 4, the blob and what needs it, in the language of the environment', async () => {
  await using temp = await openFilled();
  await damageLayer(temp);
  const text = await check(temp);
  assert.equal(text.exitCode, 4);
  assert.match(
    text.stdout,
    /^SVC-STO-009 {2}blobs\/sha256\/\S+ is damaged: its bytes have the digest sha256:/m,
  );
  assert.match(text.stdout, /^ {2}needed by reg\.example\/app:1\.0, recipe shop@1\.0\.0$/m);
  assert.match(text.stdout, /^verdict {3}damaged$/m);
  const { root, stateRoot } = temp;
  const args = ['store', 'check', '--storage-root', root, '--state-root', stateRoot];
  const french = await runCommand(args, { env: { LC_ALL: 'fr_FR.UTF-8' } });
  assert.match(french.stdout, /est abîmé/);
  const json = await check(temp, '--output', 'json');
  assert.equal(json.exitCode, 4);
  assert.deepEqual(toReport(json).findings[0]?.affects, [
    { repository: 'reg.example/app', tag: '1.0', recipes: ['shop@1.0.0'] },
    { repository: 'reg.example/app', tag: '1.1', recipes: ['shop@1.0.0'] },
  ]);
});

test('svc store check --quarantine: moved, audited, and missing from then on', async () => {
  await using temp = await openFilled();
  await damageLayer(temp);
  const taken = await check(temp, '--quarantine', '--output', 'json');
  assert.equal(taken.exitCode, 4);
  assert.equal(toReport(taken).quarantine.added, 1);
  assert.match(taken.stderr, /"action":"store.quarantine".*"outcome":"success"/);
  const next = await check(temp);
  assert.equal(next.exitCode, 4);
  assert.match(next.stdout, /^SVC-STO-010 {2}\S+ is missing: it is in quarantine/m);
  assert.match(next.stdout, /^isolated {2}1 file,/m);
});

test('svc store check --repair: repairs the ledger that the log of an instance names, and lists the losses', async () => {
  await using temp = await openFilled();
  const [name] = (await readdir(join(temp.root, 'ledger'))).filter((file) => file.startsWith('content'));
  const path = join(temp.root, 'ledger', name!);
  const at = [...(await readFile(path, 'latin1')).matchAll(/^\{"batch":/gm)][1]!.index;
  await damageFile(path, at + 300);
  const told = await check(temp);
  assert.equal(told.exitCode, 4);
  assert.match(told.stdout, /^SVC-STO-011 .*damaged at byte/m);
  for (const flag of ['--quarantine', '--adopt'])
    assert.match((await check(temp, flag)).stderr, /can be repaired with `svc store check --repair`/);
  const mended = await check(temp, '--repair', '--output', 'json');
  assert.equal(mended.exitCode, 0, mended.stdout + mended.stderr);
  const { repair } = toReport(mended);
  assert.equal(repair?.lost.length, 1);
  assert.deepEqual(
    repair?.tags.map(({ repository, tag, from }) => [repository, tag, from]),
    [['reg.example/app', '1.0', 'index']],
  );
  assert.match(mended.stderr, /"action":"store.repair".*"outcome":"success"/);
  const again = await check(temp, '--repair');
  assert.equal(again.exitCode, 0);
  assert.doesNotMatch(again.stdout, /repaired/);
});

test('svc store check: lost ledgers are reported with the repair command, and repaired', async () => {
  await using temp = await openFilled();
  await rm(join(temp.root, 'ledger'), { recursive: true });
  const told = await check(temp);
  assert.equal(told.exitCode, 1);
  assert.match(told.stderr, /svc store check --repair makes one/);
  const mended = await check(temp, '--repair');
  assert.equal(mended.exitCode, 0, mended.stderr);
  assert.match(mended.stdout, /^ {2}reg\.example\/app:1\.0 {2}\(named by the last index\.json\)$/m);
});

test('svc store check --adopt: the store belongs to the instance, its tags are held in a zone, and without it changes are refused', async () => {
  await using temp = await openFilled();
  const other = { root: temp.root, stateRoot: join(temp.folder, 'other') };
  const refused = await check(other, '--zone', 'z', '--quarantine');
  assert.equal(refused.exitCode, 2, 'a zone is no flag of this command');
  const zone = { env: { SVC_ZONE: 'zone-b' } };
  const args = ['store', 'check', '--storage-root', other.root, '--state-root', other.stateRoot];
  assert.equal((await runCommand([...args, '--quarantine'], zone)).exitCode, 3);
  const adopted = await runCommand([...args, '--adopt', '--output', 'json'], zone);
  assert.equal(adopted.exitCode, 0, adopted.stderr);
  assert.deepEqual(toReport(adopted).adopted, { tags: 2, blobs: 4, held: true });
  assert.match(adopted.stderr, /"action":"store.adopt".*"outcome":"success"/);
  const again = await runCommand([...args, '--adopt', '--output', 'json'], zone);
  assert.equal(toReport(again).adopted, undefined);
  assert.equal(toReport(again).standing, 'ours');
});

test('the adoption of a medium says that its manifest is gone, and what writes it again', async () => {
  await using medium = await buildMedium();
  for (const [mode, expected] of [
    ['mirror', /no medium any more: media\.jsonl was removed.*svc sync --wait/],
    ['passthrough', /no medium any more: .*instance in mirror mode writes it again/],
  ] as const) {
    const root = await medium.carry();
    const state = join(medium.folder, `adopting-${mode}`);
    const args = ['store', 'check', '--storage-root', root, '--state-root', state];
    const env = { SVC_ZONE: 'zone-b', SVC_MODE: mode };
    assert.doesNotMatch((await runCommand(args, { env })).stderr, /no medium any more/);
    const adopted = await runCommand([...args, '--adopt'], { env });
    assert.equal(adopted.exitCode, 0, adopted.stderr);
    assert.equal(existsSync(join(root, 'media.jsonl')), false);
    assert.match(adopted.stderr, expected);
    const again = await runCommand([...args, '--adopt'], { env });
    assert.doesNotMatch(again.stderr, /no medium any more/);
  }
});

test('svc store check: 1 where the check cannot be made', async () => {
  await using folder = await openTempFolder();
  const nothing = await runCommand(['store', 'check', '--storage-root', join(folder.path, 'nothing')]);
  assert.equal(nothing.exitCode, 1);
  assert.match(nothing.stderr, /^svc: SVC-STO-001.*there is no store/);
  assert.match(nothing.stderr, /Start the instance with svc serve, which makes the store/);
  assert.equal((await runCommand(['store', 'check'])).exitCode, 1, 'the store is not configured');
  await using instance = await startInstance({ folder: folder.path });
  const beside = await runCommand(['store', 'check', '--config', instance.configPath, '--output', 'json']);
  assert.equal(beside.exitCode, 1);
  assert.match(beside.stderr, /^svc: SVC-STO-007/);
  assert.equal(JSON.parse(beside.stdout).error.code, 'SVC-STO-007');
  assert.equal((await runCommand(['store', 'check', '--repiar'])).exitCode, 2);
});

test('svc store check dies of the signal that interrupts it, and leaves the store as it was', async () => {
  await using temp = await openFilled();
  // sparse, and of another size than any record says: it is read through all the same
  const large = join(temp.root, 'blobs', 'sha256', 'f'.repeat(64));
  await temp.store[Symbol.asyncDispose]();
  await writeFile(large, '');
  await truncate(large, 64 * 2 ** 30);
  const before = folderPrint(temp.root, isOwn);
  const [command, ...first] = svcCommand();
  const args = [
    'store',
    'check',
    '--quarantine',
    '--storage-root',
    temp.root,
    '--state-root',
    temp.stateRoot,
  ];
  const child = trackChild(spawn(command, [...first, ...args], { env: svcEnvironment({}), stdio: 'ignore' }));
  await eventually('the reading to begin', async () => {
    const descriptors = await readdir(`/proc/${child.pid}/fd`).catch(() => []);
    const open = await Promise.all(
      descriptors.map((fd) => readlink(`/proc/${child.pid}/fd/${fd}`).catch(() => '')),
    );
    return open.includes(large);
  });
  child.kill('SIGINT');
  const [code, signal] = await once(child, 'close');
  assert.deepEqual([code, signal], [null, 'SIGINT']);
  assert.deepEqual(folderPrint(temp.root, isOwn), before);
});
