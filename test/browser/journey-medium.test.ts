import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { MediumReport } from '../../src/contract/medium.ts';
import { type Artifact, buildImage, digestsOf } from '../kit/content/content.ts';
import { demand, toDemand } from '../kit/content/demand.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import type { Instance } from '../kit/instance/instance.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { untilJudged } from '../kit/scene/until-judged.ts';
import { shareVisitedInstance } from '../kit/scene/visited-instance.ts';
import { waysOf } from '../kit/web/visitor.ts';

const images = new Map(['shop', 'depot'].map((name) => [name, buildImage(name, { layerSize: 20_000 })]));
const damaged = images.get('depot')!.blobs.at(-1)!.descriptor.digest;
let registry: Instance;

/** A mirror writes a medium, one file of it is damaged on the way, and the zone gets it with a registry to fill. */
const shared = shareVisitedInstance(async (world, origin) => {
  const registries = await world.registries([origin.host]);
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    storage: { root: world.path('medium') },
    retriever: { source: await demand(world, origin, toDemand(images)) },
    registries,
    trust: world.trust,
  });
  const { result } = await world.sync(mirror);
  assert.equal(result.exitCode, 0, result.stderr);
  await mirror.stop();
  const carried = world.path('carried');
  await cp(world.path('medium'), carried, { recursive: true });
  await damageFile(join(carried, 'blobs', ...damaged.split(':')), 5000);
  registry = await world.start('registry');
  return {
    mode: 'mirror',
    zone: 'zone-b',
    storage: { root: carried },
    destination: { registry: registry.host },
    registries: await world.registries([registry.host]),
  };
});
after(shared.close);

for (const way of waysOf('by mouse'))
  test(`${way}: a medium is verified, what passed is imported, and the report is printed`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const { instance, origin } = scene;
    const held = (name: string, image: Artifact) =>
      listHeldAt(
        {
          registry: registry.url,
          repository: `${origin.host.replace(':', '_')}/shop/${name}`,
          authorization: registry.authorization,
        },
        image,
      );
    await registry.api('POST', '/store/reset', { confirmation: 'RESET' });
    const first = await untilJudged(instance);
    const visitor = await scene.visit(way);
    const { page } = visitor;

    await visitor.open('/');
    await visitor.follow('Medium', page.getByRole('navigation', { name: 'Main navigation' }));
    await visitor.send('Verify again');
    await visitor.sees(/^1 recipe passed, 1 recipe is blocked$/);
    const { report } = await untilJudged(instance);
    assert.ok(report!.finishedAt > first.report!.finishedAt, 'the medium was read again');
    await visitor.titled(/^partial · Medium/);
    const blocked = page.locator('.blocks > .error');
    assert.match(await visitor.read(blocked), /depot 1\.0\.0/);
    assert.ok((await visitor.read(blocked)).includes(damaged.split(':')[1]!), 'the damaged file is named');
    assert.deepEqual(await held('shop', images.get('shop')!), [], 'a verification sends nothing');

    await visitor.send('Import the recipes that passed');
    await visitor.sees('failed');
    await visitor.sees(/1 of 2 recipes done, .*depot.* blocked$/);
    const shop = images.get('shop')!;
    assert.deepEqual(await held('shop', shop), digestsOf(shop).sort());
    assert.deepEqual(await held('depot', images.get('depot')!), []);

    await visitor.follow('Medium', page.getByRole('navigation', { name: 'Main navigation' }));
    await visitor.follow('Report to print');
    // as the printer gets it
    await page.emulateMedia({ media: 'print' });
    const paper = await visitor.read(page.locator('body'));
    await page.emulateMedia({ media: 'screen' });
    const file = await visitor.context.request.get(`${instance.url}/media/report.json`);
    const bytes = await file.body();
    const written = JSON.parse(bytes.toString()) as MediumReport;
    for (const text of [
      createHash('sha256').update(bytes).digest('hex'),
      written.medium!.mediaId,
      'SVC-MED-012',
      ...written.recipes.map(({ digest }) => digest),
      'Printed by admin',
    ])
      assert.ok(paper.includes(text), `${text} is on paper: ${paper}`);
    for (const text of ['Sign out', 'Administration', 'Report as JSON'])
      assert.ok(!paper.includes(text), `${text} is not on paper: ${paper}`);
    assert.equal((await page.pdf()).subarray(0, 5).toString(), '%PDF-');
  });
