import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { PlanAnswer } from '../../../src/contract/plan.ts';
import type { Task } from '../../../src/contract/task.ts';
import { buildIndex } from '../../kit/content/content.ts';
import { openCosign } from '../../kit/content/cosign.ts';
import { toOrigin, toRecipeDocument } from '../../kit/content/origin.ts';
import { adminPassword, type Instance } from '../../kit/instance/instance.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { type RegistryAccount, writeCredentials } from '../../kit/program/credentials-file.ts';
import { peerAccount, startPeerRegistry } from '../../kit/program/peer-registry.ts';
import { needs } from '../../kit/program/peers.ts';
import { readHeldManifest } from '../../kit/result/held-content.ts';
import { openRehearsal, type Rehearsal } from '../../kit/scene/rehearsal.ts';

const layouts = ['classic', 'bundle'] as const;
const admin: RegistryAccount = { username: 'admin', password: adminPassword };

test('what cosign signs here, cosign and we verify after every hop', async (t) => {
  const program = needs(t, 'cosign');
  const distribution = program && needs(t, 'registry');
  if (program === undefined || distribution === undefined) return;
  await using world = await openRehearsal({ inProcess: true });
  const home = await openClientHome(world.folder);
  const cosign = await openCosign(program, home, 'release');
  const stranger = await openCosign(program, home, 'stranger');
  const trust = { roots: [{ name: 'release', key: cosign.publicKey }] };

  const origin = await world.start('origin');
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64']);
  await toOrigin(origin).put('shop/web', web, '1.0.0');
  const ingredient = {
    name: 'web',
    repository: 'shop/web',
    version: '1.0.0',
    digest: web.manifest.descriptor.digest,
  };
  const relocated = `${origin.host.replace(':', '_')}/shop/web`;
  const digests = new Map<string, string>();
  const names = [...layouts, 'foreign'] as const;

  await t.test('cosign signs in this registry, in both layouts, and verifies there', async () => {
    const config = await world.configure('publisher', { registries: await world.registries([origin.host]) });
    await cosign.login(origin.host, admin);
    for (const name of names) {
      const file = world.path(`${name}.yaml`);
      await writeFile(
        file,
        toRecipeDocument(origin.host, { name, version: '1.0.0', ingredients: [ingredient] }),
      );
      const reference = `${origin.host}/cookbook/${name}:1.0.0`;
      const pushed = await world.svc(['recipe', 'push', file, reference, '--config', config]);
      assert.equal(pushed.exitCode, 0, pushed.stderr);
      digests.set(name, pushed.stdout.trim());
    }
    for (const layout of layouts) {
      const reference = `${origin.host}/cookbook/${layout}@${digests.get(layout)}`;
      assert.equal(await cosign.verifies(reference, layout), false);
      await cosign.sign(reference, layout);
      assert.equal(await cosign.verifies(reference, layout), true);
      assert.equal(await stranger.verifies(reference, layout), false);
    }
    await stranger.sign(`${origin.host}/cookbook/foreign@${digests.get('foreign')}`, 'classic');
  });

  /** Synchronizes a zone, and asks cosign at its registry. */
  const hop = async (zone: Instance, destination: { host: string }): Promise<Task> => {
    const { result, task } = await world.sync(zone);
    assert.equal(result.exitCode, 0, `${result.stderr}\n${JSON.stringify(task, null, 1)}`);
    for (const layout of layouts) {
      const reference = `${destination.host}/cookbook/${layout}@${digests.get(layout)}`;
      assert.equal(await cosign.verifies(reference, layout), true, `${layout} at ${destination.host}`);
      assert.equal(await stranger.verifies(reference, layout), false);
    }
    const { body } = await zone.api('GET', '/recipes');
    assert.deepEqual(
      body.recipes.map(({ name, verified }: { name: string; verified: boolean }) => [name, verified]).sort(),
      [
        ['bundle', true],
        ['classic', true],
      ],
    );
    return task;
  };

  const first = await world.start('first-registry');
  await t.test('after one hop they verify at the registry promoted into', async () => {
    const zone = await startZone(world, 'first-zone', {
      trust,
      destination: first.host,
      cookbook: `${origin.host}/cookbook`,
      accounts: { [origin.host]: await viewerOf(origin), [first.host]: admin },
    });
    await cosign.login(first.host, admin);
    const task = await hop(zone, first);
    assert.equal((await readHeldManifest(first, relocated, '1.0.0')).digest, ingredient.digest);
    assert.ok(task.resolutions?.every(({ effective }) => effective === undefined));

    // the zone's own registry serves them too, under the cookbook's own host
    await cosign.login(zone.host, admin);
    for (const layout of layouts) {
      const repository = `${origin.host.replace(':', '_')}/cookbook/${layout}`;
      const reference = `${zone.host}/${repository}@${digests.get(layout)}`;
      assert.equal(await cosign.verifies(reference, layout), true, `${layout} in the zone's own registry`);
    }
  });

  await using second = await startPeerRegistry({
    program: distribution,
    folder: world.path('second-registry'),
    auth: true,
  });
  await t.test(
    'after two hops they verify in a registry of another make without a referrers API',
    async () => {
      const zone = await startZone(world, 'second-zone', {
        trust,
        destination: second.host,
        cookbook: `${first.host}/cookbook`,
        substitutions: { [origin.host]: first.host },
        accounts: { [first.host]: await viewerOf(first), [second.host]: peerAccount },
      });
      await cosign.login(second.host, peerAccount);
      const task = await hop(zone, second);
      assert.equal((await readHeldManifest(second, relocated, '1.0.0')).digest, ingredient.digest);
      const resolution = task.resolutions?.find((one) => one.ingredient === 'web');
      assert.ok(resolution?.effective?.startsWith(`${first.host}/`), JSON.stringify(task.resolutions));
      // the signature in the bundle layout is found there through the fallback tag
      const tag = digests.get('bundle')!.replace(':', '-');
      const fallback = await readHeldManifest(second, 'cookbook/bundle', tag);
      assert.match(fallback.document.manifests[0].artifactType, /^application\/vnd\.dev\.sigstore\.bundle\./);
    },
  );

  await t.test('after three hops, read from the fallback tag, they verify again', async () => {
    const third = await world.start('third-registry');
    const zone = await startZone(world, 'third-zone', {
      trust,
      destination: third.host,
      cookbook: `${second.host}/cookbook`,
      substitutions: { [origin.host]: second.host },
      accounts: { [second.host]: peerAccount, [third.host]: admin },
    });
    await cosign.login(third.host, admin);
    await hop(zone, third);
    assert.equal((await readHeldManifest(third, relocated, '1.0.0')).digest, ingredient.digest);
  });

  await t.test('a recipe that cosign signed with another key is refused, its neighbour is not', async () => {
    const retriever = await world.retriever('mixed', {
      cookbook: `${origin.host}/cookbook`,
      recipes: [
        { name: 'foreign', version: '1.0.0' },
        { name: 'bundle', version: '1.0.0' },
      ],
    });
    const registries = await world.registries([origin.host]);
    const config = await world.configure('planner', { trust, registries });
    const args = ['sync', '--dry-run', '--retriever', retriever, '--config', config, '--output', 'json'];
    const planned = await world.svc(args);
    assert.equal(planned.exitCode, 4, planned.stderr);
    const { plan } = JSON.parse(planned.stdout) as PlanAnswer;
    assert.deepEqual(
      plan.recipes.map(({ name, signature, problem }) => [name, signature, problem?.class]),
      [
        ['foreign', 'refused', 'verification'],
        ['bundle', 'verified', undefined],
      ],
    );
  });
});

interface ZoneSettings {
  readonly trust: object;
  readonly destination: string;
  readonly cookbook: string;
  readonly substitutions?: Readonly<Record<string, string>>;
  readonly accounts: Readonly<Record<string, RegistryAccount>>;
}

/** A passthrough instance that promotes both signed recipes. */
async function startZone(world: Rehearsal, name: string, settings: ZoneSettings): Promise<Instance> {
  const { trust, destination, cookbook, substitutions, accounts } = settings;
  return world.start(name, {
    retriever: {
      source: await world.retriever(name, {
        zone: name,
        cookbook,
        recipes: layouts.map((layout) => ({ name: layout, version: '^1.0.0' })),
      }),
    },
    trust,
    destination: { registry: destination },
    registries: {
      insecure: Object.keys(accounts),
      allowlist: Object.keys(accounts),
      credentialsFile: await writeCredentials(world.path(`${name}.json`), accounts),
      ...(substitutions ? { substitutions } : {}),
    },
  });
}

/** The read-only account that a zone asks its upstream for. */
async function viewerOf(upstream: Instance): Promise<RegistryAccount> {
  return { username: 'downstream', password: await upstream.createToken('viewer') };
}
