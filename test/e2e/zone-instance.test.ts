import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MediumReport, VerificationState } from '../../src/contract/medium.ts';
import type { Task } from '../../src/contract/task.ts';
import { type Artifact, buildImage, digestsOf } from '../kit/content/content.ts';
import { demand, toDemand } from '../kit/content/demand.ts';
import { toOrigin } from '../kit/content/origin.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { eventually } from '../kit/instance/eventually.ts';
import type { Instance } from '../kit/instance/instance.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

test('an instance of the zone serves and pushes of a carried medium what it has verified, and nothing else', async (t) => {
  await using world = await openRehearsal();
  const double = await world.double();
  const origin = toOrigin(double);
  const images = new Map(['shop', 'depot'].map((name) => [name, buildImage(name, { layerSize: 20_000 })]));
  const medium = world.path('medium');
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    storage: { root: medium },
    retriever: { source: await demand(world, origin, toDemand(images)) },
    registries: await world.registries([origin.host]),
    trust: world.trust,
  });
  const stowaway = buildImage('stowaway');
  const pushTo = { registry: mirror.url, repository: 'stow/away', authorization: mirror.authorization };
  await pushArtifactOverHttp(pushTo, stowaway, 'latest');
  assert.equal((await world.sync(mirror)).result.exitCode, 0);
  await mirror.stop();

  const registry = await world.start('zone-registry');
  const registries = await world.registries([registry.host]);
  const segment = origin.host.replace(':', '_');
  const at = (instance: Instance, repository: string) => ({
    registry: instance.url,
    repository,
    authorization: instance.authorization,
  });
  const start = (name: string, root: string) =>
    world.start(name, {
      mode: 'mirror',
      zone: 'zone-b',
      storage: { root },
      registries,
      destination: { registry: registry.host },
      trust: world.trust,
    });
  const verified = (instance: Instance): Promise<MediumReport> =>
    eventually('a report', async () => {
      const { status, body } = await instance.api('GET', '/media/verification');
      assert.equal(status, 200, JSON.stringify(body));
      return (body as VerificationState).report;
    });
  const serves = async (instance: Instance, repository: string, artifact: Artifact): Promise<boolean> => {
    const answer = await fetch(
      `${instance.url}/v2/${repository}/manifests/${artifact.manifest.descriptor.digest}`,
      { headers: { authorization: instance.authorization } },
    );
    await answer.arrayBuffer();
    return answer.ok;
  };
  const [shop, depot] = [images.get('shop')!, images.get('depot')!];

  await t.test('one damaged file closes its recipe, and what no recipe reaches is never served', async () => {
    const carried = world.path('carried');
    await cp(medium, carried, { recursive: true });
    await damageFile(join(carried, 'blobs', ...depot.blobs.at(-1)!.descriptor.digest.split(':')), 5000);
    const zone = await start('zone', carried);
    const report = await verified(zone);
    assert.equal(report.verdict, 'partial');
    assert.ok(
      report.findings.some(({ code }) => code === 'SVC-MED-021'),
      'content that no recipe reaches is named',
    );
    assert.deepEqual(await listHeldAt(at(zone, `${segment}/shop/shop`), shop), digestsOf(shop).sort());
    assert.equal(await serves(zone, `${segment}/shop/depot`, depot), false);
    assert.equal(await serves(zone, 'stow/away', stowaway), false);

    const operator = await zone.createToken('operator');
    const waiver = await fetch(`${zone.url}/api/v1/media/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
      body: JSON.stringify({ allowStale: true }),
    });
    assert.equal(waiver.status, 403);
    assert.equal(((await waiver.json()) as { code: string }).code, 'SVC-AUTH-003');

    const { status, body } = await zone.api('POST', '/media/import', {});
    assert.equal(status, 201, JSON.stringify(body));
    const task = await eventually('the import', async () => {
      const found = (await zone.api('GET', `/tasks/${body.task.id}`)).body.task as Task;
      return (found.status === 'done' || found.status === 'failed') && found;
    });
    assert.equal(task.status, 'failed');
    assert.equal(task.principalCode, 'SVC-MED-012');
    assert.deepEqual(await listHeldAt(at(registry, `${segment}/shop/shop`), shop), digestsOf(shop).sort());
    assert.deepEqual(await listHeldAt(at(registry, `${segment}/shop/depot`), depot), []);
    const catalog = await fetch(`${registry.url}/v2/_catalog`, {
      headers: { authorization: registry.authorization },
    });
    const { repositories } = (await catalog.json()) as { repositories: string[] };
    assert.deepEqual(repositories.sort(), [`${segment}/shop/shop`, 'cookbook/shop'].sort());
    assert.equal(await zone.stop(), 0);
  });

  await t.test('a medium without its manifest serves nothing at all, and says why', async () => {
    const bare = world.path('bare');
    await cp(medium, bare, { recursive: true });
    await rm(join(bare, 'media.jsonl'));
    const zone = await start('bare-zone', bare);
    const report = await verified(zone);
    assert.equal(report.verdict, 'blocked');
    assert.deepEqual(
      report.blocks.map(({ code, waivable }) => [code, waivable]),
      [['SVC-MED-001', false]],
    );
    assert.equal(await serves(zone, `${segment}/shop/shop`, shop), false);
    const ready = await fetch(`${zone.url}/readyz`);
    assert.equal(ready.status, 200);
    const refused = await zone.api('GET', `/content/${segment}/shop/shop`);
    assert.equal(refused.body.code, 'SVC-MED-032');
    const imported = await zone.api('POST', '/media/import', { allowStale: true, allowZoneMismatch: true });
    const task = await eventually('the import', async () => {
      const found = (await zone.api('GET', `/tasks/${imported.body.task.id}`)).body.task as Task;
      return (found.status === 'done' || found.status === 'failed') && found;
    });
    assert.equal(task.principalCode, 'SVC-MED-001');
    await zone.stop();
  });

  await t.test('a good medium opens by itself, and its import is remembered', async () => {
    const good = world.path('good');
    await cp(medium, good, { recursive: true });
    const zone = await start('good-zone', good);
    assert.equal((await verified(zone)).verdict, 'pushable');
    assert.equal(((await zone.api('GET', '/media/verification')).body as VerificationState).serving, 'open');
    for (const [name, image] of images)
      assert.deepEqual(await listHeldAt(at(zone, `${segment}/shop/${name}`), image), digestsOf(image).sort());
    assert.equal(await serves(zone, 'stow/away', stowaway), false);
    const { body } = await zone.api('POST', '/media/import', {});
    const task = await eventually('the import', async () => {
      const found = (await zone.api('GET', `/tasks/${body.task.id}`)).body.task as Task;
      return (found.status === 'done' || found.status === 'failed') && found;
    });
    assert.equal(task.status, 'done', JSON.stringify(task));
    assert.deepEqual(await listHeldAt(at(registry, `${segment}/shop/depot`), depot), digestsOf(depot).sort());
    const state = (await zone.api('GET', '/media')).body as {
      lastImport?: { mediaId: string };
      mediaId: string;
    };
    assert.equal(state.lastImport?.mediaId, state.mediaId);
  });
});
