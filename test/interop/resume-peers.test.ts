import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildImage, digestsOf } from '../kit/content/content.ts';
import { demand } from '../kit/content/demand.ts';
import { startCuttingRelay } from '../kit/hostile/cutting-relay.ts';
import { startPeerRegistry, toPeerOrigin } from '../kit/program/peer-registry.ts';
import { needs } from '../kit/program/peers.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

const layerSize = 3 << 20;

for (const name of ['registry', 'docker-registry']) {
  test(`a broken download from ${name} goes on where it stopped`, async (t) => {
    const program = needs(t, name);
    if (program === undefined) return;
    await using world = await openRehearsal();
    await using peer = await startPeerRegistry({ program, folder: world.path('peer') });
    await using relay = await startCuttingRelay(peer.host);
    const { trust } = world;
    const tool = buildImage('tool', { layerSize });
    const origin = { ...toPeerOrigin(peer), host: relay.host };
    const zone = await world.start('zone', {
      retriever: { source: await demand(world, origin, { tools: { tool } }) },
      registries: { insecure: [relay.host] },
      transfer: { resumeThreshold: '1MiB' },
      trust,
    });
    relay.cutAfter(layerSize / 2);
    const { result, task } = await world.sync(zone);
    assert.equal(result.exitCode, 0, `${result.stderr}\n${JSON.stringify(task, null, 1)}`);
    assert.equal(relay.cuts, 1);
    const parts = [...peer.log().matchAll(/http\.response\.status=206 http\.response\.written=(\d+)/g)];
    assert.equal(parts.length, 1, 'the rest was not asked for by its range');
    const written = Number(parts[0]![1]);
    assert.ok(written > 0 && written < layerSize, `${written} bytes were sent again`);
    const repository = `${relay.host.replace(':', '_')}/shop/tool`;
    const at = { registry: zone.url, repository, authorization: zone.authorization };
    assert.deepEqual(await listHeldAt(at, tool), digestsOf(tool).sort());
  });
}
