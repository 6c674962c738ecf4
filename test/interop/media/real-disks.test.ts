import assert from 'node:assert/strict';
import { lstatSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { seed } from '../../fault/rig/form.ts';
import { toRandom } from '../../fault/rig/random.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { startPeerRegistry } from '../../kit/program/peer-registry.ts';
import { needs } from '../../kit/program/peers.ts';
import { folderPrint } from '../../kit/result/folder-print.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { type BaseAndParts, openBaseAndParts } from './base-and-parts.ts';
import { carryInImages, type DiskImage, diskImages, plainIso } from './disk-images.ts';
import { type MountPolicy, mountPolicies, openMountRelay } from './mount-relay.ts';
import { openReadOnlyDisk } from './read-only-disk.ts';
import { startCollectingZot } from './zot.ts';

let delivery: BaseAndParts;
before(async () => {
  delivery = await openBaseAndParts();
});
after(() => delivery[Symbol.asyncDispose]());

/** Paths with sizes and digests, which a filesystem must give back. */
const listFiles = (root: string): readonly string[] =>
  folderPrint(root).map((line) => {
    const [path, mode, ...rest] = line.split(' ');
    const isFolder = (Number(mode) & 0o170000) === 0o040000;
    return isFolder ? `${path}/` : `${path} ${rest.at(-3)} ${rest.at(-1)}`;
  });

/** Parts of the delivery as they come out of images. The folders below are read-only. */
async function carryTo(t: TestContext, image: DiskImage, name: string) {
  for (const program of image.programs) if (!needs(t, program)) return undefined;
  const disk = openReadOnlyDisk(t, join(delivery.folder, name));
  if (disk === undefined) return undefined;
  const folders = carryInImages(image, delivery.parts, {
    images: join(delivery.folder, `${name}-images`),
    folders: disk.path,
  });
  disk.seal();
  return { folders, [Symbol.asyncDispose]: () => disk[Symbol.asyncDispose]() };
}

for (const image of diskImages)
  test(`${image.name} gives every file of a part back, byte for byte, under its name`, async (t) => {
    await using carried = await carryTo(t, image, `files of ${image.name}`);
    if (carried === undefined) return;
    for (const [i, folder] of carried.folders.entries())
      assert.deepEqual(listFiles(folder), listFiles(delivery.parts[i]!));
  });

test('FAT32 has no finer times than two seconds', async (t) => {
  await using carried = await carryTo(t, diskImages[0]!, 'times');
  if (carried === undefined) return;
  const times = readdirSync(carried.folders[0]!, { recursive: true }).map(
    (path) => lstatSync(join(carried.folders[0]!, path as string)).mtimeMs,
  );
  assert.deepEqual(
    times.filter((time) => time % 2000 !== 0),
    [],
  );
});

interface Registry extends AsyncDisposable {
  readonly url: string;
}

/** The registries of zones. Each starts empty. */
const registries: Readonly<
  Record<string, (t: TestContext, folder: string, policy: MountPolicy) => Promise<Registry | undefined>>
> = {
  distribution: async (t, folder) => {
    const program = needs(t, 'registry');
    return program === undefined ? undefined : startPeerRegistry({ program, folder });
  },
  zot: async (t, folder, policy) => {
    const program = needs(t, 'zot');
    return program === undefined ? undefined : startCollectingZot(program, folder, policy === 'allowed');
  },
  svc: async (_t, folder) => {
    await mkdir(folder);
    return startInstance({ folder, config: { auth: { disabled: true } } });
  },
};

/** Answers to requests for mounts that must be among those of a registry. */
const expected = { allowed: [201], refused: [403], absent: [202] } as const;

let turn = 0;
for (const [name, start] of Object.entries(registries))
  for (const policy of mountPolicies) {
    const image = diskImages[turn++ % diskImages.length]!;
    test(`${name} with mounts ${policy} takes the disks in any order from ${image.name}`, async (t) => {
      const key = `${name}-${policy}`;
      await using carried = await carryTo(t, image, key);
      await using registry = carried && (await start(t, join(delivery.folder, `${key}-registry`), policy));
      if (!carried || !registry) return;
      await using relay = await openMountRelay(registry.url, policy);
      const zone = await delivery.configureZone(key, relay.host);
      const first = await zone.import(delivery.first);
      assert.equal(first.exitCode, 0, first.stderr);
      const random = toRandom(`${seed} ${key}`);
      const order = carried.folders.map((folder) => [random(), folder] as const).sort(([a], [b]) => a - b);
      const print = carried.folders.map((folder) => folderPrint(folder));
      const before = relay.mounts.length;
      for (const [i, [, folder]] of order.entries()) {
        const imported = await zone.import(folder);
        assert.equal(imported.exitCode, 0, imported.stderr + imported.stdout);
        assert.equal((await zone.status()).exitCode, i === 2 ? 0 : 5);
      }
      assert.deepEqual(
        carried.folders.map((folder) => folderPrint(folder)),
        print,
      );
      const answers = [...new Set(relay.mounts.slice(before))];
      // zot shows the blobs of other repositories where it allows mounts
      assert.deepEqual(answers, name === 'zot' && policy === 'allowed' ? [] : expected[policy]);
      await delivery.requireWhole({ registry: registry.url });
      assert.deepEqual(await zone.survey(), { present: 4, incomplete: 0, blocked: 0 });
      const cosign = needs(t, 'cosign');
      if (!cosign) return;
      const home = await openClientHome(delivery.folder, `${key}-home`);
      await writeFile(join(home.path, 'release.pub'), delivery.signer.publicKeyPem);
      const { host } = new URL(registry.url);
      for (const { reference, layout } of delivery.recipes)
        await home.run(cosign, [
          'verify',
          '--key=release.pub',
          '--insecure-ignore-tlog',
          '--allow-http-registry',
          `--new-bundle-format=${layout === 'bundle'}`,
          `${host}/${reference}`,
        ]);
      // all of it is there: any disk moves nothing more
      const sent = relay.sentBytes;
      const again = await zone.import(order[0]![1]);
      assert.equal(again.exitCode, 0, again.stderr);
      assert.equal(relay.sentBytes, sent);
    });
  }

for (const level of [1, 3] as const) {
  const image = plainIso(level);
  test(`${image.name} cuts names: the disk is refused, and nothing of it is sent`, async (t) => {
    await using carried = await carryTo(t, image, `level ${level}`);
    if (carried === undefined) return;
    await using double = await createRegistryDouble();
    const zone = await delivery.configureZone(`level-${level}`, double.host);
    for (const folder of carried.folders) {
      const { exitCode, stderr } = await zone.import(folder);
      assert.equal(exitCode, 4, stderr);
      assert.ok(
        stderr.includes(`SVC-MED-001: The medium has no manifest: media.jsonl is missing in ${folder}`),
        stderr,
      );
    }
    assert.deepEqual(double.repositories(), []);
  });
}
