import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { MediumReport } from '../../../src/contract/medium.ts';
import type { PlanAnswer } from '../../../src/contract/plan.ts';
import type { Task } from '../../../src/contract/task.ts';
import { buildIndex } from '../../kit/content/content.ts';
import { type Cosign, openCosign } from '../../kit/content/cosign.ts';
import { toOrigin, toRecipeDocument } from '../../kit/content/origin.ts';
import { adminPassword, type Instance } from '../../kit/instance/instance.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { needs } from '../../kit/program/peers.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';
import { syncHere } from '../../kit/scene/sync-here.ts';

const layouts = ['classic', 'bundle'] as const;
const admin = { username: 'admin', password: adminPassword };

test('a key is rotated by overlap across two hops: mirror, medium, zone registry, next zone', async (t) => {
  const program = needs(t, 'cosign');
  if (program === undefined) return;
  await using world = await openRehearsal({ inProcess: true });
  const home = await openClientHome(world.folder);
  const older = await openCosign(program, home, 'release-2025');
  const newer = await openCosign(program, home, 'release-2026');
  const trusting = (...keys: readonly Cosign[]) => ({
    roots: keys.map(({ publicKey }) => ({
      name: publicKey === older.publicKey ? '2025' : '2026',
      key: publicKey,
    })),
  });

  const origin = await world.start('origin');
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64']);
  await toOrigin(origin).put('shop/web', web, '1.0.0');
  const { digest } = web.manifest.descriptor;
  const platforms = (JSON.parse(web.manifest.bytes.toString()) as { manifests: { digest: string }[] })
    .manifests;
  const digests = new Map<string, string>();
  const publisher = await world.configure('publisher', { registries: await world.registries([origin.host]) });
  for (const name of layouts) {
    const file = world.path(`${name}.yaml`);
    const ingredients = [{ name: 'web', repository: 'shop/web', version: '1.0.0', digest }];
    await writeFile(file, toRecipeDocument(origin.host, { name, version: '1.0.0', ingredients }));
    const reference = `${origin.host}/cookbook/${name}:1.0.0`;
    const pushed = await world.svc(['recipe', 'push', file, reference, '--config', publisher]);
    assert.equal(pushed.exitCode, 0, pushed.stderr);
    digests.set(name, pushed.stdout.trim());
  }
  const recipeAt = (registry: Instance, name: string): string =>
    `${registry.host}/cookbook/${name}@${digests.get(name)}`;
  const signRecipes = async (key: Cosign): Promise<void> => {
    for (const layout of layouts) await key.sign(recipeAt(origin, layout), layout);
  };
  await older.login(origin.host, admin);
  await signRecipes(older);
  for (const layout of layouts)
    await older.sign(`${origin.host}/shop/web@${digest}`, layout, { recursive: true });

  const recipes = layouts.map((name) => ({ name, version: '^1.0' }));
  const source = await world.retriever('zone', { cookbook: `${origin.host}/cookbook`, recipes });
  const zoneRegistry = await world.start('zone-registry');
  const lastRegistry = await world.start('last-registry');

  const syncMirror = async (...keys: readonly Cosign[]): Promise<void> => {
    const config = await world.configure('mirror', {
      mode: 'mirror',
      storage: { root: world.path('medium') },
      retriever: { source },
      registries: await world.registries([origin.host]),
      trust: trusting(...keys),
    });
    const task = await syncHere(config);
    assert.equal(task.status, 'done', JSON.stringify(task));
  };
  /** Carries the medium, verifies it in the zone and imports it. */
  const crossGap = async (name: string, ...keys: readonly Cosign[]): Promise<void> => {
    const carried = world.path(name);
    await cp(world.path('medium'), carried, { recursive: true });
    const config = await world.configure('zone-side', {
      mode: 'mirror',
      zone: 'zone-b',
      storage: { root: carried },
      registries: await world.registries([zoneRegistry.host]),
      destination: { registry: zoneRegistry.host },
      trust: trusting(...keys),
    });
    const verified = await world.svc(['media', 'verify', '--config', config, '--output', 'json']);
    assert.equal(verified.exitCode, 0, verified.stdout + verified.stderr);
    assert.equal((JSON.parse(verified.stdout) as MediumReport).verdict, 'pushable');
    const imported = await world.svc(['media', 'import', '--config', config, '--output', 'json']);
    assert.equal(imported.exitCode, 0, imported.stderr);
  };
  /** The next zone reads from the registry of the first one. */
  const syncNext = async (...keys: readonly Cosign[]): Promise<Task> => {
    const config = await world.configure('next-zone', {
      retriever: {
        source: await world.retriever('next', { cookbook: `${zoneRegistry.host}/cookbook`, recipes }),
      },
      registries: await world.registries([zoneRegistry.host, lastRegistry.host], {
        substitutions: { [origin.host]: zoneRegistry.host },
      }),
      destination: { registry: lastRegistry.host },
      trust: trusting(...keys),
    });
    return syncHere(config);
  };

  await t.test('before: everything is signed with the old key and trusted everywhere', async () => {
    await syncMirror(older);
    await crossGap('first-delivery', older);
    assert.equal((await syncNext(older)).status, 'done');
    assert.equal((await syncNext(newer)).principalCode, 'SVC-SIG-001');
  });

  await t.test('the images of each platform are signed at the end of both hops', async () => {
    await older.login(lastRegistry.host, admin);
    const repository = `${lastRegistry.host}/${origin.host.replace(':', '_')}/shop/web`;
    for (const one of [digest, ...platforms.map((platform) => platform.digest)])
      for (const layout of layouts)
        assert.equal(await older.verifies(`${repository}@${one}`, layout), true, `${layout} ${one}`);
  });

  await t.test(
    'the publisher signs with the new key as well, and the plan of the mirror shows it',
    async () => {
      await signRecipes(newer);
      const config = await world.configure('planner', {
        mode: 'mirror',
        storage: { root: world.path('medium') },
        state: { root: world.path('mirror', 'state') },
        retriever: { source },
        registries: await world.registries([origin.host]),
        trust: trusting(older, newer),
      });
      const planned = await world.svc(['sync', '--dry-run', '--config', config, '--output', 'json']);
      assert.equal(planned.exitCode, 5, planned.stderr);
      const { plan } = JSON.parse(planned.stdout) as PlanAnswer;
      assert.deepEqual(
        plan.recipes.map(({ name, signature, signatures }) => [name, signature, signatures]),
        layouts.map((name) => [name, 'verified', 'new']),
      );
    },
  );

  await t.test(
    'the new signatures cross both hops, and a zone that trusts the new key alone takes them',
    async () => {
      await syncMirror(older, newer);
      await crossGap('second-delivery', older, newer);
      assert.equal((await syncNext(newer)).status, 'done');
    },
  );

  await t.test(
    'at the end the old key is removed everywhere, and both signatures are still there',
    async () => {
      await syncMirror(newer);
      await crossGap('third-delivery', newer);
      assert.equal((await syncNext(newer)).status, 'done');
      await newer.login(lastRegistry.host, admin);
      for (const layout of layouts) {
        assert.equal(await newer.verifies(recipeAt(lastRegistry, layout), layout), true, layout);
        assert.equal(await older.verifies(recipeAt(lastRegistry, layout), layout), true, layout);
      }
    },
  );
});
