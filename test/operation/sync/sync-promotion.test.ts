import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { hashBytes } from '../../../src/base/digest.ts';
import { createSigner, crowdClassic } from '../../kit/content/signer.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

async function openZone(scene: SyncScene, options: Parameters<typeof createRegistryDouble>[0] = {}) {
  const zone = await createRegistryDouble(options);
  const change = {
    mode: 'passthrough' as const,
    registries: { insecure: [scene.origin.host, zone.host] },
    destination: { registry: zone.host, basePath: 'mirror', cookbook: 'our/cookbook' },
  };
  return { zone, change };
}

const writes = (zone: RegistryDouble) => zone.count(/^(PUT|POST|PATCH)/);
const placeOf = (scene: SyncScene, path: string) => `mirror/${scene.origin.host.replace(':', '_')}/${path}`;

async function publishShop(scene: SyncScene) {
  const shared = Buffer.alloc(5000, 9);
  const web = scene.putImage('library/web', '1.0', {
    platforms: ['linux/amd64', 'linux/arm64'],
    layers: [shared],
  });
  const db = scene.putImage('library/db', '2.0', { layers: [shared] });
  scene.pushSignature('library/db', scene.signer.sign(db, 'classic'));
  const ingredients = [
    toIngredient('web', 'library/web', '1.0', web),
    toIngredient('db', 'library/db', '2.0', db),
  ];
  const shop = scene.publish('shop', '1.0.0', ingredients, { sign: 'bundle' });
  await scene.setRetriever([['shop', '1.0.0']]);
  return { web, db, shop };
}

test('a promotion puts ingredients, signatures and recipe in their places; the second moves nothing', async () => {
  for (const referrers of [true, false]) {
    await using scene = await openSyncScene();
    const { zone, change } = await openZone(scene, { referrers });
    try {
      const { web, db, shop } = await publishShop(scene);
      const { task, outcome } = await scene.run({ change });
      assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
      assert.equal(zone.manifest(placeOf(scene, 'library/web'), '1.0')?.digest, web.digest);
      assert.equal(zone.manifest(placeOf(scene, 'library/db'), '2.0')?.digest, db.digest);
      assert.equal(zone.manifest('our/cookbook/shop', '1.0.0')?.digest, shop.digest);
      const classic = `${db.digest.replace(':', '-')}.sig`;
      assert.notEqual(zone.manifest(placeOf(scene, 'library/db'), classic), undefined);
      const fallback = zone.manifest('our/cookbook/shop', shop.digest.replace(':', '-'));
      assert.equal(fallback !== undefined, !referrers);
      assert.equal(outcome.promotedBytes > 0, true);
      assert.deepEqual(
        task.resolutions?.map(({ destinationStatus, destination }) => [destinationStatus, destination]),
        [
          ['pushed', `${zone.host}/our/cookbook/shop:1.0.0`],
          ['pushed', `${zone.host}/${placeOf(scene, 'library/web')}:1.0`],
          ['pushed', `${zone.host}/${placeOf(scene, 'library/db')}:2.0`],
        ],
      );
      const order = zone.requests.flatMap(({ method, path }) =>
        method === 'PUT' && path.includes('/manifests/') ? [path] : [],
      );
      assert.equal(order.at(-1), '/v2/our/cookbook/shop/manifests/1.0.0', order.join('\n'));

      zone.requests.length = 0;
      const again = await scene.run({ change });
      const asked = zone.requests.map(({ method, path }) => `${method} ${path}`);
      assert.equal(writes(zone), 0, asked.join('\n'));
      // where the three tags lead is asked for the plan, and then once more by each crossing
      assert.equal(asked.length, new Set(asked).size + 3, asked.join('\n'));
      assert.equal(again.outcome.promotedBytes, 0);
      assert.equal(
        again.task.resolutions?.every(({ destinationStatus }) => destinationStatus === 'up-to-date'),
        true,
      );
    } finally {
      await zone.close();
    }
  }
});

test('what a promoted registry lost is put again, and only that', async () => {
  await using scene = await openSyncScene();
  const { zone, change } = await openZone(scene);
  try {
    await publishShop(scene);
    await scene.run({ change });
    zone.untag('our/cookbook/shop', '1.0.0');
    zone.requests.length = 0;
    const { task } = await scene.run({ change });
    assert.equal(task.counts.failed, 0);
    const puts = zone.requests
      .filter(({ method }) => method === 'PUT' || method === 'POST')
      .map(({ path }) => path);
    assert.deepEqual(puts, ['/v2/our/cookbook/shop/manifests/1.0.0']);
  } finally {
    await zone.close();
  }
});

test('an ingredient tag at the destination is re-pointed and logged; a recipe tag is not', async () => {
  await using scene = await openSyncScene();
  const { zone, change } = await openZone(scene);
  try {
    const { web } = await publishShop(scene);
    const other = scene.putImage(placeOf(scene, 'library/web'), '1.0', { registry: zone });
    const first = await scene.run({ change });
    assert.equal(first.task.counts.failed, 0);
    assert.equal(zone.manifest(placeOf(scene, 'library/web'), '1.0')?.digest, web.digest);
    const said = scene.report.records.find(
      ({ message }) => message === 'A tag at the destination is re-pointed',
    );
    assert.equal(said?.fields.from, other.digest);
    assert.equal(said.fields.digest, web.digest);

    const foreign = scene.putImage('our/cookbook/shop', '1.0.0', { registry: zone });
    const second = await scene.run({ change, prune: true });
    const failed = second.task.items.filter(({ status }) => status === 'failed');
    assert.deepEqual(
      failed.map(({ name, error }) => [name, error?.code]),
      [['shop@1.0.0', 'SVC-POL-004']],
    );
    assert.equal(zone.manifest('our/cookbook/shop', '1.0.0')?.digest, foreign.digest);
    assert.equal(second.task.pruned, undefined);
    const { plan, exit_code } = await scene.plan({ change });
    assert.equal(exit_code, 3);
    assert.equal(plan.problems[0]?.code, 'SVC-POL-004');
  } finally {
    await zone.close();
  }
});

test('a plan refuses what the run refuses: an ingredient whose tag at the destination is that of a recipe', async () => {
  await using scene = await openSyncScene();
  const { zone, change } = await openZone(scene);
  try {
    const cookbook = placeOf(scene, 'library');
    const ours = { ...change, destination: { ...change.destination, cookbook } };
    const { shop } = await publishShop(scene);
    const settings = { change: ours };
    assert.equal((await scene.run(settings)).task.counts.failed, 0);
    const { bytes } = zone.manifest(`${cookbook}/shop`, '1.0.0')!;
    zone.putManifest(`${cookbook}/web`, Buffer.from(bytes), { tag: '1.0' });

    const { plan, exit_code } = await scene.plan(settings);
    const { task } = await scene.run(settings);
    const failed = task.items.filter(({ status }) => status === 'failed');
    assert.deepEqual([...new Set(failed.map(({ error }) => error?.code))], ['SVC-POL-004']);
    assert.equal(zone.manifest(`${cookbook}/web`, '1.0')?.digest, shop.digest);
    assert.deepEqual([exit_code, plan.problems.map(({ code }) => code)], [3, ['SVC-POL-004']]);
  } finally {
    await zone.close();
  }
});

test('a tag of the destination whose manifest breaks off is not replaced: it may be that of a recipe', async () => {
  await using scene = await openSyncScene();
  const { zone, change } = await openZone(scene);
  try {
    const cookbook = placeOf(scene, 'library');
    const ours = { ...change, destination: { ...change.destination, cookbook } };
    const { shop } = await publishShop(scene);
    assert.equal((await scene.run({ change: ours })).task.counts.failed, 0);
    const { bytes } = zone.manifest(`${cookbook}/shop`, '1.0.0')!;
    zone.putManifest(`${cookbook}/web`, Buffer.from(bytes), { tag: '1.0' });
    zone.intercept(({ method, path }, response) => {
      if (method !== 'GET' || !path.startsWith(`/v2/${cookbook}/web/manifests/`)) return false;
      response.writeHead(200, {
        'content-type': 'application/vnd.oci.image.manifest.v1+json',
        'content-length': bytes.length,
      });
      response.write(bytes.subarray(0, 100), () => response.destroy());
      return true;
    });
    const { task } = await scene.run({ change: ours });
    const failed = task.items.filter(({ status }) => status === 'failed');
    assert.ok(failed.length > 0);
    assert.equal(zone.manifest(`${cookbook}/web`, '1.0')?.digest, shop.digest);
  } finally {
    await zone.close();
  }
});

test('a destination that refuses a sparse index gets all platforms from the source', async () => {
  await using scene = await openSyncScene();
  const { zone, change } = await openZone(scene, { sparse: false });
  try {
    const image = scene.putImage('library/app', '1.0', {
      platforms: ['linux/amd64', 'linux/arm64', 'linux/s390x'],
    });
    scene.publish('app', '1.0.0', [
      toIngredient('app', 'library/app', '1.0', image, { platforms: ['linux/amd64'] }),
    ]);
    await scene.setRetriever([['app', '1.0.0']]);
    const { task } = await scene.run({ change });
    assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
    const children = JSON.parse(scene.origin.manifest('library/app', '1.0')!.bytes.toString()).manifests;
    assert.equal(zone.manifest(placeOf(scene, 'library/app'), '1.0')?.digest, image.digest);
    for (const { digest } of children)
      assert.notEqual(zone.manifest(placeOf(scene, 'library/app'), digest), undefined);
    const local = await scene.peek(
      (store) => children.filter(({ digest }: { digest: never }) => store.index.manifest(digest)).length,
    );
    assert.equal(local, 1, 'the store stays sparse');

    for (const { digest } of children.slice(1))
      scene.origin.intercept(({ path }, response) => {
        if (!path.endsWith(digest)) return false;
        response.writeHead(404).end();
        return true;
      });
    const bare = await openZone(scene, { sparse: false });
    const failed = await scene.run({ change: bare.change });
    const error = failed.task.items.find(({ name }) => name === 'app@1.0.0/app')?.error;
    assert.equal(error?.code, 'SVC-DST-002');
    assert.deepEqual(error.params.missing, ['linux/arm64', 'linux/s390x']);
    await bare.zone.close();
  } finally {
    await zone.close();
  }
});

test('signatures are merged with those of the destination, and none of them is dropped', async () => {
  await using scene = await openSyncScene();
  const { zone, change } = await openZone(scene);
  try {
    const image = scene.putImage('library/app', '1.0');
    const recipe = scene.publish('app', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)]);
    await scene.setRetriever([['app', '1.0.0']]);
    const tag = `${recipe.digest.replace(':', '-')}.sig`;
    scene.pushSignature('our/cookbook/app', scene.signer.sign(recipe, 'classic'), zone);
    const signaturesAt = (registry: RegistryDouble, repository: string): readonly string[] =>
      JSON.parse(registry.manifest(repository, tag)!.bytes.toString()).layers.map(
        ({ annotations }: { annotations: Record<string, string> }) =>
          annotations['dev.cosignproject.cosign/signature'],
      );
    const [standing] = signaturesAt(zone, 'our/cookbook/app');
    const [ours] = signaturesAt(scene.origin, 'cookbook/app');
    await scene.run({ change });
    assert.deepEqual(signaturesAt(zone, 'our/cookbook/app'), [standing, ours]);
    const merged = scene.report.records.filter(
      ({ message }) => message === 'Signatures at the destination are merged',
    );
    assert.equal(merged.length, 1);

    const { digest } = zone.manifest('our/cookbook/app', tag)!;
    await scene.run({ change });
    assert.equal(zone.manifest('our/cookbook/app', tag)?.digest, digest, 'merged once');

    scene.pushSignature('our/cookbook/app', createSigner().sign(recipe, 'classic'), zone);
    const [theirs] = signaturesAt(zone, 'our/cookbook/app');
    await scene.run({ change });
    assert.deepEqual(signaturesAt(zone, 'our/cookbook/app'), [theirs, ours]);
  } finally {
    await zone.close();
  }
});

test('a signature tag at the destination that is full of what does not verify makes room, which is logged', async () => {
  for (const [count, bytes] of [
    [1500, undefined],
    [1000, 4_194_304],
  ] as const) {
    await using scene = await openSyncScene();
    const { zone, change } = await openZone(scene);
    try {
      const image = scene.putImage('library/app', '1.0');
      const recipe = scene.publish('app', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)]);
      await scene.setRetriever([['app', '1.0.0']]);
      const tag = `${recipe.digest.replace(':', '-')}.sig`;
      const junk = crowdClassic(createSigner().sign(recipe, 'classic'), count, bytes);
      scene.pushSignature('our/cookbook/app', junk, zone);
      const { task } = await scene.run({ change });
      assert.equal(task.counts.failed, 0);
      const listed = JSON.parse(zone.manifest('our/cookbook/app', tag)!.bytes.toString()).layers;
      const own = JSON.parse(scene.origin.manifest('cookbook/app', tag)!.bytes.toString()).layers[0];
      assert.deepEqual(listed.at(-1), own);
      assert.ok(listed.length <= 1024);
      const left = scene.report.records.filter(({ message }) => message.includes('are left out'));
      assert.equal(left.length, 1);
    } finally {
      await zone.close();
    }
  }
});

test('the fallback index of a destination without a referrers API is merged, never overwritten', async () => {
  await using scene = await openSyncScene();
  const { zone, change } = await openZone(scene, { referrers: false });
  try {
    const { shop } = await publishShop(scene);
    const theirs = createSigner().sign(shop, 'bundle');
    scene.pushSignature('our/cookbook/shop', theirs, zone);
    await scene.run({ change });
    const index = JSON.parse(
      zone.manifest('our/cookbook/shop', shop.digest.replace(':', '-'))!.bytes.toString(),
    );
    const listed = index.manifests.map(({ digest }: { digest: string }) => digest);
    assert.equal(listed.length, 2);
    assert.equal(listed.includes(theirs.manifest.descriptor.digest), true);
  } finally {
    await zone.close();
  }
});

test('a blob altered on the local disk never becomes whole at the destination', async () => {
  await using scene = await openSyncScene();
  const { zone, change } = await openZone(scene);
  try {
    const { db } = await publishShop(scene);
    await scene.run();
    const closed = Date.now();
    const layer = JSON.parse(scene.origin.manifest('library/db', '2.0')!.bytes.toString()).layers[1];
    const path = join(scene.storeRoot, 'blobs', 'sha256', layer.digest.slice(7));
    // the clock of a filesystem may be some milliseconds behind
    do await writeFile(path, Buffer.alloc(layer.size, 1));
    while ((await stat(path)).ctimeMs <= closed);
    // a file altered while the store was closed counts as absent: the run brings it, and it alone
    scene.origin.requests.length = 0;
    const { task } = await scene.run({ change });
    assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
    assert.equal(scene.origin.count(new RegExp(`GET .*${layer.digest}`)), 1);
    // the present parts of its signature are not fetched again
    assert.equal(scene.origin.count(/GET .*library\/db\/blobs/), 1);
    const landed = zone.blob(placeOf(scene, 'library/db'), layer.digest);
    assert.ok(landed);
    assert.equal(hashBytes(landed), layer.digest);
    assert.equal(db.size > 0, true);
  } finally {
    await zone.close();
  }
});

test('a destination that cannot be reached fails the recipes and spares the store', async () => {
  await using scene = await openSyncScene();
  await publishShop(scene);
  const { task } = await scene.run({
    change: {
      mode: 'passthrough',
      registries: { insecure: [scene.origin.host, '127.0.0.1:1'] },
      destination: { registry: '127.0.0.1:1', cookbook: 'c' },
    },
  });
  assert.deepEqual([...new Set(task.items.map(({ error }) => error?.code))], ['SVC-REG-002']);
  assert.equal((await scene.peek((store) => store.index.recipes())).length, 1);
});

test('a name that the destination cannot hold is refused before anything of the recipe is pushed', async () => {
  await using scene = await openSyncScene();
  const { zone, change } = await openZone(scene);
  try {
    const fine = scene.putImage('library/fine', '1.0');
    const long = `library/${'x'.repeat(200)}`;
    const image = scene.putImage(long, '1.0');
    scene.publish('shop', '1.0.0', [
      toIngredient('fine', 'library/fine', '1.0', fine),
      toIngredient('long', long, '1.0', image),
    ]);
    await scene.setRetriever([['shop', '1.0.0']]);
    const destination = { registry: zone.host, basePath: 'a/very/deep/base/path', cookbook: 'c' };
    const { task } = await scene.run({
      change: { ...change, destination: { ...destination, basePath: 'b'.repeat(60) } },
    });
    assert.equal(task.items.find(({ name }) => name === 'shop@1.0.0')?.error?.code, 'SVC-DST-001');
    assert.equal(writes(zone), 0);
  } finally {
    await zone.close();
  }
});

/** Writes a Retriever whose entries name their cookbooks. */
async function listFrom(scene: SyncScene, recipes: readonly (readonly [cookbook: string, name: string])[]) {
  await scene.setRetriever([]);
  const path = join(scene.folder, 'retriever.yaml');
  const document = JSON.parse(await readFile(path, 'utf8'));
  document.spec.recipes = recipes.map(([cookbook, name]) => ({
    name,
    version: '1.0.0',
    cookbook: `${scene.origin.host}/${cookbook}`,
  }));
  await writeFile(path, JSON.stringify(document));
}

test('of recipes of one name and version from two cookbooks one is promoted, the other is refused before any push', async () => {
  await using scene = await openSyncScene();
  const { zone, change } = await openZone(scene);
  try {
    const books = ['cookbook', 'second'] as const;
    const names = ['app', 'web', 'db'];
    const published = new Map<string, string>();
    for (const cookbook of books)
      for (const name of names) {
        const image = scene.putImage(`library/${cookbook}-${name}`, '1.0');
        const one = toIngredient('image', `library/${cookbook}-${name}`, '1.0', image);
        published.set(`${cookbook}/${name}`, scene.publish(name, '1.0.0', [one], { cookbook }).digest);
      }
    await listFrom(
      scene,
      books.flatMap((cookbook) => names.map((name) => [cookbook, name] as const)),
    );
    const { plan, exit_code } = await scene.plan({ change });
    assert.equal(exit_code, 3);
    assert.deepEqual(
      plan.problems.map(({ code }) => code),
      ['SVC-POL-004', 'SVC-POL-004', 'SVC-POL-004'],
    );
    for (let cycle = 0; cycle < 2; cycle += 1) {
      const { task } = await scene.run({ change });
      const failed = task.items.filter(({ status }) => status === 'failed');
      assert.deepEqual(
        failed.map(({ name, error }) => [name.split('/').slice(1).join('/'), error?.code]),
        names.map((name) => [`second/${name}@1.0.0`, 'SVC-POL-004']),
      );
      for (const name of names)
        assert.equal(
          zone.manifest(`our/cookbook/${name}`, '1.0.0')?.digest,
          published.get(`cookbook/${name}`),
        );
      assert.equal(zone.count(/^(PUT|POST) .*second-/), 0, 'an ingredient of a refused recipe was pushed');
    }
  } finally {
    await zone.close();
  }
});

test('a recipe that somebody publishes at the destination while its ingredients cross is not replaced', async () => {
  await using scene = await openSyncScene();
  const { zone, change } = await openZone(scene);
  try {
    await publishShop(scene);
    let foreign = '';
    zone.intercept(({ method, path }) => {
      if (foreign === '' && method === 'PUT' && path.includes('library/db/manifests/'))
        foreign = scene.putImage('our/cookbook/shop', '1.0.0', { registry: zone }).digest;
      return false;
    });
    const { task } = await scene.run({ change });
    const failed = task.items.filter(({ status }) => status === 'failed');
    assert.deepEqual(
      failed.map(({ name, error }) => [name, error?.code]),
      [['shop@1.0.0', 'SVC-POL-004']],
    );
    assert.equal(zone.manifest('our/cookbook/shop', '1.0.0')?.digest, foreign);
  } finally {
    await zone.close();
  }
});

test('where two recipes pin one tag to two digests, its digest at the destination does not depend on which is faster', async () => {
  await using scene = await openSyncScene();
  const { zone, change } = await openZone(scene);
  try {
    const first = scene.putImage('library/app', '1.0', { layers: [Buffer.alloc(300_000, 1)] });
    const second = scene.putImage('library/app', '1.0');
    scene.publish('alpha', '1.0.0', [toIngredient('app', 'library/app', '1.0', first)]);
    scene.publish('beta', '1.0.0', [toIngredient('app', 'library/app', '1.0', second)]);
    await scene.setRetriever([
      ['alpha', '1.0.0'],
      ['beta', '1.0.0'],
    ]);
    const place = placeOf(scene, 'library/app');
    const alias = `1.0-${second.digest.slice(7, 19)}`;
    for (const slow of ['our/cookbook/alpha', 'our/cookbook/beta', 'none']) {
      // the one whose recipe tag is asked for late comes late with everything
      const release = zone.intercept(async ({ path }) => {
        if (path.includes(slow)) await delay(100);
        return false;
      });
      const { task } = await scene.run({ change });
      release();
      assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
      assert.equal(zone.manifest(place, '1.0')?.digest, first.digest);
      assert.equal(zone.manifest(place, alias)?.digest, second.digest);
    }
    const { plan } = await scene.plan({ change });
    assert.deepEqual(
      plan.recipes.flatMap(({ ingredients }) => ingredients.map((one) => one.destinationStatus)),
      ['up-to-date', 'up-to-date'],
    );
  } finally {
    await zone.close();
  }
});
