import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildIndex, digestsOf } from '../kit/content/content.ts';
import { buildHelmChart } from '../kit/content/helm-chart.ts';
import { publishRecipe, toOrigin } from '../kit/content/origin.ts';
import { createSigner } from '../kit/content/signer.ts';
import type { Instance } from '../kit/instance/instance.ts';
import { listHeldAt, pullBytes } from '../kit/result/held-at.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

test('two zones in a row read through substitution and keep every path, digest and signature', async (t) => {
  await using world = await openRehearsal({ inProcess: true });
  const keys = { first: createSigner(), second: createSigner('ed25519'), foreign: createSigner() };
  const trust = (name: keyof typeof keys) => ({ roots: [{ name, key: keys[name].publicKeyPem }] });
  const double = await world.double();
  const origin = toOrigin(double);
  const image = buildIndex('cascade', ['linux/amd64', 'linux/arm64']);
  const chart = buildHelmChart('shop', '1.0.0');
  await origin.put('shop/web', image, '1.0');
  await origin.put('charts/shop', chart, '1.0.0');
  const recipe = await publishRecipe(origin, {
    name: 'shop',
    version: '1.0.0',
    ingredients: [
      { name: 'web', repository: 'shop/web', version: '1.0', digest: image.manifest.descriptor.digest },
      {
        name: 'chart',
        kind: 'HelmChart',
        repository: 'charts/shop',
        version: '1.0.0',
        digest: chart.manifest.descriptor.digest,
      },
    ],
    // each zone trusts its own key only, and each key signed in another layout
    signatures: [
      { signer: keys.first, layout: 'classic' },
      { signer: keys.second, layout: 'bundle' },
    ],
  });
  const registries = [await world.start('registry-1'), await world.start('registry-2')] as const;
  const segment = origin.host.replace(':', '_');
  const at = (registry: Instance, repository: string) => ({
    registry: registry.url,
    repository,
    authorization: registry.authorization,
  });
  const recipes = [{ name: 'shop', version: '^1.0' }];
  const held = async (registry: Instance): Promise<void> => {
    for (const [repository, artifact, version] of [
      ['shop/web', image, '1.0'],
      ['charts/shop', chart, '1.0.0'],
    ] as const) {
      const place = at(registry, `${segment}/${repository}`);
      assert.deepEqual(await listHeldAt(place, artifact), digestsOf(artifact).sort());
      assert.deepEqual(await pullBytes(place, 'manifests', version), artifact.manifest.bytes);
    }
    const cookbook = at(registry, 'cookbook/shop');
    const { digest } = recipe.descriptor;
    assert.deepEqual(
      await pullBytes(cookbook, 'manifests', '1.0.0'),
      double.manifest('cookbook/shop', '1.0.0')!.bytes,
    );
    const classic = `${digest.replace(':', '-')}.sig`;
    assert.deepEqual(
      await pullBytes(cookbook, 'manifests', classic),
      double.manifest('cookbook/shop', classic)!.bytes,
    );
    const referrers = await fetch(`${registry.url}/v2/cookbook/shop/referrers/${digest}`, {
      headers: { authorization: registry.authorization },
    });
    const { manifests } = (await referrers.json()) as { manifests: { artifactType: string }[] };
    assert.deepEqual(
      manifests.map(({ artifactType }) => artifactType),
      ['application/vnd.dev.sigstore.bundle.v0.3+json'],
    );
  };

  await t.test('the first zone promotes from the origin under its own roots', async () => {
    const zone = await world.start('zone-1', {
      retriever: {
        source: await world.retriever('zone-1', {
          zone: 'zone-1',
          cookbook: `${origin.host}/cookbook`,
          recipes,
        }),
      },
      registries: await world.registries([origin.host, registries[0].host]),
      destination: { registry: registries[0].host },
      trust: trust('first'),
    });
    const { result } = await world.sync(zone);
    assert.equal(result.exitCode, 0, result.stderr);
    await held(registries[0]);
    await zone.stop();
  });

  const behind = async (name: string, key: keyof typeof keys, destination: Instance): Promise<Instance> =>
    world.start(name, {
      retriever: {
        source: await world.retriever(name, {
          zone: name,
          cookbook: `${registries[0].host}/cookbook`,
          recipes,
        }),
      },
      registries: await world.registries([registries[0].host, destination.host], {
        // the origin is neither listed nor reachable from here: only its substitute is
        allowlist: [registries[0].host, destination.host],
        substitutions: { [origin.host]: registries[0].host },
      }),
      destination: { registry: destination.host },
      trust: trust(key),
    });

  await t.test(
    'the second zone reads the same recipe from the first and arrives at the same paths',
    async () => {
      const before = double.requests.length;
      const zone = await behind('zone-2', 'second', registries[1]);
      const { result, task } = await world.sync(zone);
      assert.equal(result.exitCode, 0, result.stderr);
      await held(registries[1]);
      assert.equal(double.requests.length, before, 'the origin itself was not contacted');
      const web = task.resolutions!.find(({ ingredient }) => ingredient === 'web')!;
      assert.equal(web.effective, `${registries[0].host}/${segment}/shop/web`);
      assert.equal(web.destination?.startsWith(`${registries[1].host}/${segment}/shop/web`), true);
      assert.match(zone.log(), new RegExp(`"effective":"${registries[0].host}/${segment}/shop/web`));
      await zone.stop();
    },
  );

  await t.test('a zone that trusts neither key refuses what both others took', async () => {
    const zone = await behind('zone-3', 'foreign', registries[1]);
    const { result, task } = await world.sync(zone);
    assert.equal(result.exitCode, 4);
    assert.equal(task.principalCode, 'SVC-SIG-001');
    assert.deepEqual((await zone.api('GET', '/content')).body.repositories, []);
  });
});
