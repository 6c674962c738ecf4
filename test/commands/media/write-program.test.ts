import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { MediumWriting } from '../../../src/contract/write-medium.ts';
import { buildImage } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { listTree } from '../../kit/result/list-tree.ts';
import { type BuiltMedium, buildMedium, defaultRecipes } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';
import { makeSmallRelease, type SmallRelease } from '../../release/small-release.ts';

let medium: BuiltMedium;
let release: SmallRelease;
let config: string;
const at = (name: string): string => join(medium.folder, name);
before(async () => {
  const [shop, depot] = defaultRecipes();
  const artifact = buildImage('large', { ownLayers: 1, layerSize: 3 << 20 });
  const large = { ...shop!, name: 'large', ingredients: [{ ...shop!.ingredients[0]!, artifact }] };
  medium = await buildMedium({ recipes: [large, depot!] });
  config = at('sender.json');
  const settings = { mode: 'mirror', storage: { root: medium.root }, state: { root: at('maker') } };
  await writeFile(config, JSON.stringify(settings));
});
beforeEach(async () => {
  await rm(at('release'), { recursive: true, force: true });
  release = await makeSmallRelease(medium.folder);
});
after(() => medium[Symbol.asyncDispose]());

const write = (name: string, ...flags: string[]) =>
  runCommand(['media', 'write', at(name), '--zone', 'zone-b', '--config', config, ...flags]);
const withRelease = (key = release.key): string[] => ['--with-program', release.root, '--program-key', key];

function toDocument(stdout: string): MediumWriting {
  assertCliDocument('svc media write', stdout);
  return JSON.parse(stdout);
}

test('the plan names the program, and the written medium has it', async () => {
  const planned = await write('disk', ...withRelease(), '--dry-run', '--output', 'json');
  assert.equal(planned.exitCode, 5, planned.stderr);
  const plan = toDocument(planned.stdout);
  assert.equal(plan.program?.version, '1.2.3');
  assert.equal(plan.program?.files, 9);
  const without = toDocument((await write('disk', '--dry-run', '--output', 'json')).stdout);
  assert.equal(without.program, undefined);
  assert.ok(plan.volumes[0]!.bytes >= without.volumes[0]!.bytes + plan.program!.bytes);
  assert.ok(plan.checks[0]!.projectedBytes >= without.checks[0]!.projectedBytes + plan.program!.bytes);
  assert.notEqual(plan.delivery.id, without.delivery.id);
  const text = await write('disk', ...withRelease());
  assert.equal(text.exitCode, 0, text.stderr);
  assert.match(text.stdout, /^ {2}program: svc 1\.2\.3, 9 files, .* on each part$/m);
  const { report } = await verifyCarried(at('disk'), trust(medium.signer));
  assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
  const french = await runCommand(
    ['media', 'write', at('autre'), '--zone', 'zone-b', '--config', config, '--dry-run', ...withRelease()],
    { env: { LC_ALL: 'fr_FR.UTF-8' } },
  );
  assert.match(french.stdout, /^ {2}programme\s: svc 1\.2\.3, 9 fichiers, .* sur chaque partie$/m);
});

test('each of several disks has the program, and a disk that is written again has the same bytes', async () => {
  await writeFile(release.at('svc_1.2.3_amd64.deb'), Buffer.alloc(1_000_000));
  await release.sign();
  const flags = [...withRelease(), '--volume-size', '4MiB', '--output', 'json'];
  const first = toDocument((await write('discs', ...flags)).stdout);
  assert.ok(first.volumes.length > 1, 'more than one disc');
  for (const { path, bytes } of first.volumes) {
    assert.equal((await readdir(join(path, 'program'))).length, 9);
    assert.ok(bytes <= 4 << 20);
  }
  const [, { path: lost }] = first.volumes as [unknown, MediumWriting['volumes'][number]];
  const before = await listTree(lost);
  const manifest = await readFile(join(lost, 'media.jsonl'), 'utf8');
  await rm(lost, { recursive: true });
  const again = toDocument((await write('discs', ...flags)).stdout);
  assert.deepEqual(
    again.volumes.map(({ state }) => state),
    first.volumes.map((_, i) => (i === 1 ? 'written' : 'unchanged')),
  );
  assert.deepEqual([...(await listTree(lost)).keys()], [...before.keys()]);
  assert.equal(await readFile(join(lost, 'media.jsonl'), 'utf8'), manifest);
});

test('a release that does not verify is refused before anything is written', async () => {
  const other = at('other.pub');
  await writeFile(other, createSigner().publicKeyPem);
  const refuse = async (expected: RegExp, flags: readonly string[], exitCode = 4): Promise<void> => {
    for (const more of [[], ['--dry-run']]) {
      const refused = await write('refused', ...flags, ...more);
      assert.equal(refused.exitCode, exitCode, refused.stderr);
      assert.match(refused.stderr.replace(/\s+/g, ' '), expected);
      await assert.rejects(readdir(at('refused')));
    }
  };
  await refuse(/SVC-MED-048.*does not verify with this key/, withRelease(other));
  await refuse(/SVC-FIL-005/, ['--with-program', at('nothing'), '--program-key', release.key], 1);
  await refuse(/SVC-FIL-005/, withRelease(at('nothing')), 1);
  const secret = at('secret.key');
  await writeFile(secret, release.signer.privateKeyPem, { mode: 0o600 });
  await refuse(/SVC-VAL-001.*private key/, withRelease(secret), 1);
  await appendFile(release.at('svc-linux-x64'), 'evil');
  await refuse(/SVC-MED-048.*svc-linux-x64 is not the file of the signed list/, withRelease());
  await rm(release.at('svc-linux-x64'));
  await refuse(/SVC-MED-048.*svc-linux-x64 is missing/, withRelease());
});

test('a disk without room for the program is refused with its number, before anything is written', async () => {
  await writeFile(release.at('svc_1.2.3_amd64.deb'), Buffer.alloc(5_000_000));
  await release.sign();
  const refused = await write('small', ...withRelease(), '--volume-size', '4MiB');
  assert.equal(refused.exitCode, 1);
  assert.match(
    refused.stderr.replace(/\s+/g, ' '),
    /SVC-MED-046.*the program and the records take .* on each disk, and disk 1 has/,
  );
  await assert.rejects(readdir(at('small')));
});

test('a release without a key, and a key without a release, are wrong usage', async () => {
  for (const flags of [
    ['--with-program', release.root],
    ['--program-key', release.key],
  ]) {
    const { exitCode, stderr } = await write('usage', ...flags);
    assert.equal(exitCode, 2);
    assert.match(stderr, /--with-program and --program-key go together/);
  }
});
