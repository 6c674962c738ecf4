import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import type { LayoutExport } from '../../../src/contract/layout.ts';
import type { MediumWriting } from '../../../src/contract/write-medium.ts';
import { buildImage } from '../../kit/content/content.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { buildMedium, toImageRecipe } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

const images = { shop: buildImage('shop'), depot: buildImage('depot') };
const recipes = Object.entries(images).map(([name, artifact]) => toImageRecipe(name, artifact));
const layer = images.shop.blobs.at(-1)!.descriptor.digest;
const manifest = images.shop.manifest.descriptor.digest;

/** A source with two recipes, whose store has lost a file of one of them. @param damage damages the file instead */
async function openSource(lost: Digest, damage?: (path: string) => Promise<void>) {
  await using stack = new AsyncDisposableStack();
  const medium = stack.use(await buildMedium({ recipes }));
  const config = join(medium.folder, 'source.json');
  const roots = [{ name: 'release', key: medium.signer.publicKeyPem }];
  const state = { root: join(medium.folder, 'maker') };
  await writeFile(
    config,
    JSON.stringify({ mode: 'mirror', storage: { root: medium.root }, state, trust: { roots } }),
  );
  const run = (...args: string[]) => runCommand([...args, '--config', config]);
  const file = join(medium.root, 'blobs', ...lost.split(':'));
  if (damage === undefined) {
    await rm(file);
    const checked = await run('store', 'check', '--quarantine');
    assert.equal(checked.exitCode, 4, checked.stderr);
  } else await damage(file);
  const all = stack.move();
  return {
    medium,
    run,
    at: (name: string) => join(medium.folder, name),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

function toDocument({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): MediumWriting {
  assert.equal(stdout.slice(0, 1), '{', stderr);
  assertCliDocument('svc media write', stdout);
  return JSON.parse(stdout) as MediumWriting;
}

for (const [what, lost] of [
  ['layer', layer],
  ['manifest', manifest],
] as const)
  test(`a recipe whose ${what} the store has lost is blocked with the file, and the others are written and proved`, async () => {
    await using source = await openSource(lost);
    const write = (...flags: string[]) =>
      source.run('media', 'write', source.at('disk'), '--zone', 'zone-b', '--base', 'none', ...flags);
    const planned = await write('--dry-run', '--output', 'json');
    assert.equal(planned.exitCode, 4, planned.stderr);
    assert.ok(!existsSync(source.at('disk')));
    const result = await write();
    assert.equal(result.exitCode, 4, result.stderr);
    assert.match(result.stdout, /blocked: shop@1\.0\.0/);
    assert.ok(
      result.stderr.includes(`SVC-STO-010: blobs/${lost.replace(':', '/')} is missing`),
      result.stderr,
    );
    assert.match(result.stderr, /shop@1\.0\.0 needs it/);
    assert.match(result.stderr, /What to do: Synchronize, import or push/);
    const written = toDocument(await write('--output', 'json'));
    for (const document of [toDocument(planned), written]) {
      assert.deepEqual(
        document.recipes.map(({ name }) => name),
        ['depot'],
      );
      assert.deepEqual(
        document.blocked?.map(({ name, version, missing, error }) => [name, version, missing, error.code]),
        [['shop', '1.0.0', [lost], 'SVC-STO-010']],
      );
    }
    assert.equal(written.delivery.id, toDocument(planned).delivery.id);
    assert.deepEqual(written.proof, { ok: true, findings: [] });
    const { report } = await verifyCarried(source.at('disk'), trust(source.medium.signer));
    assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
  });

test('nothing is written where every recipe is blocked, and the error names one with its file', async () => {
  await using source = await openSource(layer);
  for (const flags of [['--dry-run'], []]) {
    const { exitCode, stderr } = await source.run(
      ...['media', 'write', source.at('disk'), '--zone', 'zone-b', '--base', 'none'],
      ...['--recipe', 'shop', ...flags],
    );
    assert.equal(exitCode, 4, stderr);
    assert.ok(stderr.includes(`SVC-STO-010: blobs/${layer.replace(':', '/')} is missing`), stderr);
    assert.match(stderr, /shop@1\.0\.0 needs it/);
    assert.ok(!existsSync(source.at('disk')));
  }
});

test('a flipped byte is found while it is copied, moved to quarantine, and blocks its recipe in the same command given again', async () => {
  await using source = await openSource(layer, async (path) => {
    const bytes = await readFile(path);
    bytes[9]! ^= 1;
    await writeFile(path, bytes);
  });
  const write = (...flags: string[]) =>
    source.run('media', 'write', source.at('disk'), '--zone', 'zone-b', '--base', 'none', ...flags);
  const first = await write();
  assert.equal(first.exitCode, 4, first.stderr);
  assert.match(first.stderr, /SVC-MED-050: .*Recipes that need it: shop@1\.0\.0\./);
  assert.match(
    first.stderr,
    /What to do: Synchronize, import or push these recipes again, then run the same command again/,
  );
  assert.ok(existsSync(join(source.medium.root, '_svc', 'quarantine', layer.replace(':', '-'))));
  assert.equal((await write('--dry-run')).exitCode, 4);
  const written = toDocument(await write('--output', 'json'));
  assert.deepEqual(
    [written.recipes.map(({ name }) => name), written.blocked?.map(({ name }) => name), written.proof],
    [['depot'], ['shop'], { ok: true, findings: [] }],
  );
});

test('a cut file blocks its recipe at once, and is moved to quarantine, so that a synchronization brings it again', async () => {
  await using source = await openSource(layer, (path) => truncate(path, 9));
  const write = (...flags: string[]) =>
    source.run('media', 'write', source.at('disk'), '--zone', 'zone-b', '--base', 'none', ...flags);
  const quarantined = join(source.medium.root, '_svc', 'quarantine', layer.replace(':', '-'));
  assert.equal((await write('--dry-run')).exitCode, 4);
  assert.ok(!existsSync(quarantined));
  const { exitCode, stderr } = await write();
  assert.equal(exitCode, 4, stderr);
  assert.ok(stderr.includes(`SVC-STO-010: blobs/${layer.replace(':', '/')} is damaged`), stderr);
  assert.ok(existsSync(quarantined));
  assert.match((await write()).stderr, /is missing, and shop@1\.0\.0 needs it/);
});

test('an export leaves out the recipe of a cut file and names it, in both forms, and has the other', async () => {
  await using source = await openSource(layer, (path) => truncate(path, 9));
  for (const flags of [[], ['--directory']]) {
    const output = source.at(`layout${flags.length}`);
    const write = (...more: string[]) => source.run('export', output, ...flags, ...more);
    const planned = await write('--dry-run');
    const { exitCode, stdout, stderr } = await write('--output', 'json');
    for (const one of [planned, { exitCode, stderr }]) {
      assert.equal(one.exitCode, 4, one.stderr);
      assert.match(one.stderr, /SVC-STO-010: blobs\/sha256\/[0-9a-f]+ is damaged, and shop@1\.0\.0 needs it/);
    }
    assert.match(planned.stdout, /depot/);
    assertCliDocument('svc export', stdout);
    const { references, blocked } = JSON.parse(stdout) as LayoutExport;
    assert.equal(blocked?.code, 'SVC-STO-010');
    assert.ok(
      references.some((one) => one.includes('depot')) && !references.some((one) => one.includes('shop')),
    );
    assert.ok(existsSync(output));
  }
});
