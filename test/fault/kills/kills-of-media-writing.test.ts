import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildImage } from '../../kit/content/content.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { runSvc, type SvcResult } from '../../kit/program/svc.ts';
import { buildMedium, defaultRecipes } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';
import { makeSmallRelease } from '../../release/small-release.ts';

/** The bytes of all files below a folder, by path. */
async function readTree(root: string): Promise<ReadonlyMap<string, string>> {
  const tree = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    tree.set(path.slice(root.length + 1), (await readFile(path)).toString('latin1'));
  }
  return tree;
}

test('a writing that was killed at any time continues to the same bytes', async () => {
  const [shop] = defaultRecipes();
  const recipes = Array.from({ length: 3 }, (_, i) => ({
    ...shop!,
    name: `app-${i}`,
    ingredients: [
      { ...shop!.ingredients[0]!, artifact: buildImage(`app-${i}`, { ownLayers: 2, layerSize: 8 << 20 }) },
    ],
  }));
  await using medium = await buildMedium({ recipes });
  const config = join(medium.folder, 'sender.json');
  const settings = {
    mode: 'mirror',
    storage: { root: medium.root },
    state: { root: join(medium.folder, 'maker') },
  };
  await writeFile(
    config,
    JSON.stringify({ ...settings, trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] } }),
  );
  const write = (disk: string, signal?: AbortSignal): Promise<SvcResult> =>
    runSvc(['media', 'write', disk, '--zone', 'zone-b', '--base', 'none', '--config', config], {
      ...(signal ? { signal } : {}),
    });
  const whole = join(medium.folder, 'whole');
  const { milliseconds, exitCode, stderr } = await write(whole);
  assert.equal(exitCode, 0, stderr);
  const expected = await readTree(whole);
  let interrupted = 0;
  const disk = join(medium.folder, 'disk');
  for (let share = 0.3; share < 1; share += 0.07) {
    await rm(disk, { recursive: true, force: true });
    const killed = await write(disk, AbortSignal.timeout(Math.round(milliseconds * share)));
    const names = await readdir(disk).catch((): string[] => []);
    if (killed.signal === 'SIGKILL' && names.length > 0) interrupted += 1;
    // a folder with media.jsonl is a whole medium, also after a kill
    if (names.includes('media.jsonl')) {
      const { report } = await verifyCarried(disk, trust(medium.signer));
      assert.equal(report.verdict, 'pushable');
    }
    const continued = await write(disk);
    assert.equal(continued.exitCode, 0, continued.stderr);
    assert.deepEqual(await readTree(disk), expected);
  }
  assert.ok(interrupted > 0, 'no writing was interrupted after it had begun');
});

test('a writing that was killed while it copied the program continues to the same bytes', async () => {
  await using medium = await buildMedium();
  const release = await makeSmallRelease(medium.folder);
  for (const architecture of ['amd64', 'arm64'])
    await writeFile(release.at(`svc_1.2.3_${architecture}.deb`), Buffer.alloc(96 << 20, architecture));
  await release.sign();
  const config = join(medium.folder, 'sender.json');
  const settings = { mode: 'mirror', storage: { root: medium.root } };
  await writeFile(config, JSON.stringify({ ...settings, state: { root: join(medium.folder, 'maker') } }));
  const write = (disk: string, signal?: AbortSignal): Promise<SvcResult> =>
    runSvc(
      [
        ...['media', 'write', disk, '--zone', 'zone-b', '--config', config],
        ...['--with-program', release.root, '--program-key', release.key],
      ],
      signal ? { signal } : {},
    );
  const [disk, whole] = [join(medium.folder, 'disk'), join(medium.folder, 'whole')];
  const kill = new AbortController();
  const killed = write(disk, kill.signal);
  await eventually('a file of the program', () => existsSync(join(disk, 'program', 'svc-linux-x64')));
  kill.abort();
  assert.equal((await killed).signal, 'SIGKILL');
  assert.ok(!existsSync(join(disk, 'README.txt')), 'the program is not whole');
  for (const path of [disk, whole]) {
    const { exitCode, stderr } = await write(path);
    assert.equal(exitCode, 0, stderr);
  }
  assert.deepEqual(await readTree(disk), await readTree(whole));
  const { report } = await verifyCarried(disk, trust(medium.signer));
  assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
});
