import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import { buildImage } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { carry } from '../../kit/scene/carried-medium.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';

/** A zone, an older medium with two recipes, and a newer one with other versions of them. */
async function openZone(t: TestContext) {
  const signer = createSigner();
  const build = async (version: string, resolvedAt: string) => {
    const images = ['shop', 'depot'].map((name) => buildImage(`${name} ${version}`, { ownLayers: 2 }));
    const recipes = ['shop', 'depot'].map((name, i) => ({
      ...{ name, version, layout: 'bundle' as const },
      ingredients: [
        {
          ...{ name: 'image', kind: 'ContainerImage' as const, tag: version },
          ...{ ref: `origin.example/${name}/image`, artifact: images[i]! },
        },
      ],
    }));
    const medium = await buildMedium({ signer, recipes, resolvedAt });
    t.after(() => medium[Symbol.asyncDispose]());
    const layer = (recipe: 0 | 1, i: number): Digest => images[recipe]!.blobs[i]!.descriptor.digest;
    return { medium, layer };
  };
  const older = await build('1.0.0', '2026-01-02T03:04:05.000Z');
  const newer = await build('1.1.0', '2026-02-02T03:04:05.000Z');
  const registry = await createRegistryDouble();
  t.after(() => registry[Symbol.asyncDispose]());
  const config = join(older.medium.folder, 'zone.json');
  await writeFile(
    config,
    JSON.stringify({
      zone: 'zone-b',
      state: { root: join(older.medium.folder, 'zone-state') },
      destination: { registry: registry.host },
      registries: { insecure: [registry.host] },
      trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
    }),
  );
  const run = async (exitCode: number, ...args: readonly string[]): Promise<string> => {
    const result = await runCommand([...args, '--config', config]);
    const said = result.stdout + result.stderr;
    assert.equal(result.exitCode, exitCode, `${args.join(' ')}\n${said}`);
    return said;
  };
  return {
    older,
    newer: newer.medium.root,
    registry,
    importDisk: (exitCode: number, root: string) => run(exitCode, 'media', 'import', root),
    verify: (exitCode: number, root: string, ...args: readonly string[]) =>
      run(exitCode, 'media', 'verify', '--storage-root', root, ...args),
    statusOf: (exitCode: number, root: string) => run(exitCode, 'status', '--storage-root', root),
    deliveries: (exitCode: number) => run(exitCode, 'media', 'status'),
  };
}

test('an older medium of which a damaged copy was imported is refused', async (t) => {
  const { older, newer, importDisk, verify } = await openZone(t);
  const copy = await carry(older.medium);
  await damageFile(copy.blob(older.layer(0, 1)), 100);
  await importDisk(4, copy.root);
  assert.doesNotMatch(await verify(0, older.medium.root), /SVC-MED-007|imported on/);
  await importDisk(0, newer);
  for (const root of [older.medium.root, copy.root])
    assert.match(await verify(root === copy.root ? 4 : 3, root), /SVC-MED-007/);
  await importDisk(3, older.medium.root);
});

test('a damaged copy takes nothing back from the import of the whole medium', async (t) => {
  const { older, newer, importDisk, verify } = await openZone(t);
  const copy = await carry(older.medium);
  await damageFile(copy.blob(older.layer(0, 1)), 100);
  await importDisk(0, older.medium.root);
  await importDisk(4, copy.root);
  await importDisk(0, newer);
  assert.match(
    await verify(0, older.medium.root),
    /imported on [^;\n]+; the newer medium [\w-]+ was imported since$/m,
  );
});

/** Carries a medium as two parts. @returns their folders */
async function carryParts({ medium, layer }: Awaited<ReturnType<typeof openZone>>['older']) {
  const part = async (number: number, absent: readonly Digest[]) => {
    const carried = await carryPart(medium, {
      delivery: { id: 'dlv_0123456789ab', part: number, parts: 2 },
      absent: new Map(absent.map((one) => [one, [3 - number]])),
    });
    return carried.root;
  };
  return [await part(1, [layer(0, 1)]), await part(2, [layer(0, 2), layer(1, 1), layer(1, 2)])] as const;
}

test('a part of a delivery that a newer medium has overtaken is refused, whether it was imported or not', async (t) => {
  const { older, newer, importDisk, verify, statusOf, deliveries } = await openZone(t);
  const [first, second] = await carryParts(older);
  await importDisk(0, first);
  assert.match(await deliveries(5), /still needed: part 2/);
  await importDisk(0, newer);
  for (const disk of [first, second]) {
    assert.match(await verify(3, disk), /SVC-MED-007/);
    assert.doesNotMatch(await importDisk(3, disk), /still needed/);
  }
  assert.doesNotMatch(await deliveries(0), /still needed/);
  assert.match(await statusOf(0, first), /is overtaken/);
});

test('each part of a complete delivery is known as imported after a newer medium', async (t) => {
  const { older, newer, importDisk, verify, statusOf } = await openZone(t);
  const [first, second] = await carryParts(older);
  for (const disk of [first, second, newer]) await importDisk(0, disk);
  for (const disk of [first, second]) {
    assert.match(await statusOf(0, disk), /complete/);
    assert.match(await verify(0, disk), /imported on [^;\n]+; the newer medium [\w-]+ was imported since$/m);
  }
  // another medium under the name of the part is none that arrived
  await appendFile(join(first, 'media.jsonl'), '\n');
  assert.doesNotMatch(await verify(4, first), /imported on/);
});

test('a check of an older medium says what is known of it, and with the destination what that lacks', async (t) => {
  const { older, newer, registry, importDisk, verify } = await openZone(t);
  await importDisk(0, older.medium.root);
  await importDisk(0, newer);
  const since = /imported on [^;\n]+; the newer medium [\w-]+ was imported since$/m;
  const here = await verify(0, older.medium.root, '--with-destination');
  assert.match(here, since);
  assert.doesNotMatch(here, /absent recipe/);
  for (const repository of registry.repositories())
    for (const tag of registry.tags(repository)) {
      const found = registry.manifest(repository, tag);
      registry.untag(repository, tag);
      if (found !== undefined) registry.remove(repository, found.digest);
    }
  const lost = await verify(0, older.medium.root, '--with-destination');
  assert.match(lost, since);
  assert.match(lost, /^in the zone:\n {2}absent recipes: (?:depot|shop)@1\.0\.0, (?:depot|shop)@1\.0\.0$/m);
});
