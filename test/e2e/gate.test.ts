import assert from 'node:assert/strict';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { VerificationState } from '../../src/contract/medium.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { demand } from '../kit/content/demand.ts';
import { toOrigin } from '../kit/content/origin.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { buildEndlessImage, carryEndless } from '../kit/hostile/endless-layer.ts';
import { eventually } from '../kit/instance/eventually.ts';
import type { Instance } from '../kit/instance/instance.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { carry } from '../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium, defaultRecipes } from '../kit/scene/medium.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';
import { untilJudged } from '../kit/scene/until-judged.ts';

const stowaway = buildImage('stowaway');
const large = buildImage('large', { ownLayers: 1, layerSize: 3 << 20 });
let medium: BuiltMedium;
let folder: TempFolder;
before(async () => {
  const [shop, ...others] = defaultRecipes();
  const [web, chart] = shop!.ingredients;
  medium = await buildMedium({
    recipes: [{ ...shop!, ingredients: [{ ...web!, artifact: large }, chart!] }, ...others],
    also: async (store) => {
      const target = openRepository(store, 'stowaway', { owner: { provenance: 'import' } });
      await pushArtifact(target, stowaway, 'v1');
    },
  });
  folder = await openTempFolder('svc-gate-');
});
after(async () => {
  await folder[Symbol.asyncDispose]();
  await medium[Symbol.asyncDispose]();
});

let instances = 0;
/** Serves a carried medium in a zone. */
async function serve(root: string, zone = 'zone-b', name = `zone-${++instances}`): Promise<Instance> {
  const own = join(folder.path, name);
  await mkdir(own, { recursive: true });
  return startInstance({
    folder: own,
    config: {
      mode: 'mirror',
      zone,
      storage: { root },
      trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
    },
  });
}

const state = async (instance: Instance): Promise<VerificationState> =>
  (await instance.api('GET', '/media/verification')).body;
const get = (instance: Instance, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${instance.url}/v2/${path}`, {
    method,
    headers: { authorization: instance.authorization, ...headers },
  });
const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as any).errors[0].detail?.code ?? 'none';

/** The bytes that arrive of a blob, and whether they are all. */
function pull(instance: Instance, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; bytes: Buffer; isWhole: boolean }>((resolve) => {
    const url = `${instance.url}/v2/${path}`;
    const asked = request(
      url,
      { headers: { authorization: instance.authorization, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => {});
        response.on('close', () =>
          resolve({ status: response.statusCode!, bytes: Buffer.concat(chunks), isWhole: response.complete }),
        );
      },
    );
    // a small blob is known to be wrong before anything of the answer has left
    asked.on('error', () => resolve({ status: 0, bytes: Buffer.alloc(0), isWhole: false }));
    asked.end();
  });
}

test('while the walk of a carried medium is under way, reads and writes of the registry are closed, lists show names, details are refused', async () => {
  const [recipe, ...others] = defaultRecipes();
  const [web, chart] = recipe!.ingredients;
  const endless = { ...recipe!, ingredients: [{ ...web!, artifact: buildEndlessImage() }, chart!] };
  await using slow = await carryEndless([endless, ...others], medium.signer);
  const { repository, tag, digest } = slow.made.records[0]!.ingredients[0]!;
  const blob = `${repository}/blobs/${digest}`;
  await using instance = await serve(slow.carried.root, 'zone-b', 'endless');
  const asked = [
    get(instance, `${repository}/manifests/${tag}`),
    get(instance, `${repository}/manifests/${digest}`),
    get(instance, blob),
    get(instance, `${repository}/tags/list`),
    get(instance, '_catalog'),
    get(instance, `${repository}/referrers/${digest}`),
    get(instance, 'new/repository/blobs/uploads/', {}, 'POST'),
    get(instance, `${repository}/manifests/${tag}`, {}, 'DELETE'),
  ];
  for (const response of await Promise.all(asked)) {
    assert.equal(response.status, 403);
    assert.equal(await codeOf(response), 'SVC-MED-030');
  }
  const [version, ready, content, detail, recipes, second, now] = await Promise.all([
    get(instance, ''),
    fetch(`${instance.url}/readyz`),
    instance.api('GET', '/content'),
    instance.api('GET', `/content/${repository}`),
    instance.api('GET', '/recipes'),
    instance.api('POST', '/media/verify', {}),
    state(instance),
  ]);
  assert.equal(version.status, 200);
  assert.equal(ready.status, 200);
  assert.match(await ready.text(), /SVC-MED-030|verif/);
  assert.ok(content.body.repositories.length >= 4);
  for (const entry of content.body.repositories) assert.deepEqual(Object.keys(entry), ['name']);
  assert.deepEqual([detail.status, detail.body.code], [403, 'SVC-MED-030']);
  assert.deepEqual(recipes.body.recipes, [{ name: 'shop' }, { name: 'depot' }]);
  assert.deepEqual([second.status, second.body.code], [409, 'SVC-MED-031']);
  assert.equal(now.guarded, true);
  assert.equal(now.serving, 'closed');
  assert.ok(now.running, 'the walk was over before the test had asked');
  // a walk under way does not hold the end up
  assert.equal(await instance.stop(), 0);
});

test('an instance in a zone serves what was verified of a carried medium, and closes at every change of it', async (t) => {
  const carried = await carry(medium);
  const shop = await carried.parts('shop');
  const depot = await carried.parts('depot');
  const { repository, tag } = shop.record.ingredients[0]!;
  const blob = `${repository}/blobs/${shop.layer}`;
  await using instance = await serve(carried.root, 'zone-b', 'gated');

  const first = await untilJudged(instance);

  await t.test('after: what verified recipes reach, and nothing else', async () => {
    assert.equal(first.serving, 'open');
    assert.equal(first.report!.verdict, 'pushable');
    assert.equal((await get(instance, `${repository}/manifests/${tag}`)).status, 200);
    const whole = await pull(instance, blob);
    assert.deepEqual([whole.status, whole.isWhole, hashBytes(whole.bytes)], [200, true, shop.layer]);
    const part = await pull(instance, blob, { range: 'bytes=10-19' });
    assert.deepEqual([part.status, part.bytes.length], [206, 10]);
    const { repositories } = (await (await get(instance, '_catalog')).json()) as { repositories: string[] };
    assert.ok(repositories.includes(repository) && !repositories.includes('stowaway'));
    assert.equal((await get(instance, 'stowaway/manifests/v1')).status, 403);
    assert.equal((await get(instance, `stowaway/blobs/${stowaway.blobs[0]!.descriptor.digest}`)).status, 404);
    const { body } = await instance.api('GET', '/recipes');
    assert.deepEqual(
      body.recipes.map(({ name }: { name: string }) => name),
      ['shop', 'depot'],
    );
  });

  await t.test('writes stay closed: the medium is another instance’s', async () => {
    const opened = await get(instance, 'new/repository/blobs/uploads/', {}, 'POST');
    assert.deepEqual([opened.status, await codeOf(opened)], [403, 'SVC-MED-030']);
  });

  await t.test('a client that leaves does not end the walk, and its report stays', async () => {
    const leave = new AbortController();
    const left = fetch(`${instance.url}/api/v1/media/verify`, {
      method: 'POST',
      headers: { authorization: instance.authorization },
      signal: leave.signal,
    });
    // a machine under load may see the end of the walk before its middle
    const began = await eventually('the walk', async () => {
      const seen = await state(instance);
      return (seen.running !== undefined || seen.report!.startedAt !== first.report!.startedAt) && seen;
    });
    leave.abort();
    if (began.running === undefined) await left.catch(() => {});
    else await assert.rejects(left);
    const again = await eventually('the second report', async () => {
      const seen = await state(instance);
      return seen.report!.startedAt !== first.report!.startedAt && seen;
    });
    assert.equal(again.report!.verdict, 'pushable');
    assert.equal(again.serving, 'open');
  });

  await t.test(
    'a blob that was altered after it was verified is not sent whole, and its recipe is withdrawn by name',
    async () => {
      await damageFile(carried.blob(shop.layer), 100);
      const part = await pull(instance, blob, { range: 'bytes=0-9' });
      assert.notEqual(part.status, 206);
      assert.equal(part.isWhole, false);
      assert.ok(part.bytes.length < 3 << 20, 'the last chunk was withheld');
      await eventually('the withdrawal', () => instance.log().includes('recipe withdrawn'));
      const withdrawn = instance
        .log()
        .split('\n')
        .filter((line) => line.includes('recipe withdrawn'));
      assert.deepEqual(
        withdrawn.map((line) => JSON.parse(line).recipe),
        ['shop@1.4.0'],
      );
      assert.equal((await get(instance, blob)).status, 404);
      const refused = await get(instance, `${repository}/manifests/${tag}`);
      assert.deepEqual([refused.status, await codeOf(refused)], [403, 'SVC-MED-032']);
      const neighbour = depot.record.ingredients[0]!;
      assert.equal((await get(instance, `${neighbour.repository}/manifests/${neighbour.tag}`)).status, 200);
      const { body } = await instance.api('GET', '/recipes');
      assert.deepEqual(
        body.recipes.map(({ name }: { name: string }) => name),
        ['depot'],
      );
    },
  );

  await t.test(
    'a manifest that was altered withdraws too, and with the last recipe everything closes',
    async () => {
      await damageFile(carried.blob(depot.document), 20);
      const { repository: cookbook } = depot.record;
      const gone = await pull(instance, `${cookbook}/blobs/${depot.document}`);
      assert.equal(gone.isWhole, false);
      await eventually('the closing', async () => (await state(instance)).serving === 'closed');
      assert.equal(await codeOf(await get(instance, '_catalog')), 'SVC-MED-032');
      const { report } = await state(instance);
      assert.equal(report!.verdict, 'blocked');
      const path = (digest: string) => `blobs/sha256/${digest.slice(7)}`;
      assert.deepEqual(
        report!.recipes.map(({ name, pushable, reason }) => [name, pushable, reason?.code, reason?.path]),
        [
          ['shop', false, 'SVC-MED-012', path(shop.layer)],
          ['depot', false, 'SVC-MED-012', path(depot.document)],
        ],
      );
      const { status, reasons } = (await (await fetch(`${instance.url}/readyz`)).json()) as any;
      assert.equal(status, 'ready');
      assert.match(reasons[0], /^SVC-MED-012: .*recipes blocked since: 2; no recipe is available$/);
    },
  );

  await t.test('it closes on restart', async () => {
    assert.equal(await instance.stop(), 0);
    await using again = await serve(carried.root, 'zone-b', 'gated');
    const refused = await get(again, `${repository}/manifests/${tag}`);
    assert.equal(refused.status, 403);
    // the altered file is found anew, before or after this request
    assert.match(await codeOf(refused), /^SVC-MED-03[02]$/);
    // a walk under way does not hold the end up
    assert.equal(await again.stop(), 0);
  });
});

test('a medium that is blocked stays closed, and the refusal says that it was judged', async () => {
  const { root } = await carry(medium);
  await using instance = await serve(root, 'zone-c');
  const { report, serving } = await untilJudged(instance);
  assert.equal(report!.verdict, 'blocked');
  assert.equal(serving, 'closed');
  for (const path of ['_catalog', 'stowaway/manifests/v1']) {
    const refused = await get(instance, path);
    assert.deepEqual([refused.status, await codeOf(refused)], [403, 'SVC-MED-032']);
  }
  const { status, body } = await instance.api('POST', '/media/verify', { allowZoneMismatch: true });
  assert.deepEqual([status, body.verdict], [200, 'pushable']);
  assert.equal((await get(instance, '_catalog')).status, 200);
});

test('a synchronization adopts a carried store: what a verified recipe reaches is served, the rest is held by name', async () => {
  await using world = await openRehearsal();
  const double = await world.double();
  const origin = toOrigin(double);
  const image = buildImage('adopted');
  const config = {
    mode: 'mirror',
    retriever: { source: await demand(world, origin, { shop: { web: image } }) },
    registries: await world.registries([origin.host]),
    trust: world.trust,
  };
  const maker = await world.start('maker', config);
  const brought = await world.sync(maker);
  assert.equal(brought.result.exitCode, 0, brought.result.stderr);
  const at = { registry: maker.url, repository: 'stowaway', authorization: maker.authorization };
  await pushArtifactOverHttp(at, stowaway, 'v1');
  assert.equal(await maker.stop(), 0);
  await mkdir(world.path('carried'));
  await cp(world.path('maker', 'store'), world.path('carried', 'store'), { recursive: true });
  const before = JSON.parse(
    (await readFile(world.path('carried', 'store', 'media.jsonl'), 'utf8')).split('\n')[0]!,
  );

  const zone = await world.start('carried', { ...config, zone: 'zone-b' });
  await untilJudged(zone);
  assert.equal((await get(zone, 'stowaway/manifests/v1')).status, 403);
  double.requests.length = 0;
  const { result } = await world.sync(zone);
  assert.equal(result.exitCode, 0, result.stderr);
  assert.equal(double.count(/^GET .*\/shop\/web\/blobs\//), 0);

  const segment = origin.host.replace(':', '_');
  const now = await state(zone);
  assert.deepEqual([now.guarded, now.serving, now.mediaId], [false, 'open', before.mediaId]);
  assert.equal((await get(zone, `${segment}/shop/web/manifests/1.0`)).status, 200);
  const held = await get(zone, 'stowaway/manifests/v1');
  assert.deepEqual([held.status, await codeOf(held)], [403, 'SVC-MED-030']);
  const { body } = await zone.api('GET', '/content?q=stowaway');
  assert.deepEqual(body.repositories, [{ name: 'stowaway' }]);
  const preview = await zone.api('GET', '/sync/prune-preview');
  assert.deepEqual(preview.body.items, []);
  assert.equal(await zone.stop(), 0);
});
