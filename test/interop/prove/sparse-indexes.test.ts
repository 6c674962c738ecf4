import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startSvcServer } from '../../bench/servers/svc-server.ts';
import { startZotServer } from '../../bench/servers/zot-server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { startPeerRegistry } from '../../kit/program/peer-registry.ts';
import { needs } from '../../kit/program/peers.ts';
import { openSparseZone } from '../../kit/scene/sparse-zone.ts';

// the text of SVC-CLO-004 names these registries
for (const name of ['registry', 'zot'])
  test(`${name} refuses a sparse index with its default settings, and the receipt says so`, async (t) => {
    const program = needs(t, name);
    if (!program) return;
    await using folder = await openTempFolder();
    const at = join(folder.path, 'peer');
    await using peer =
      name === 'zot' ? await startZotServer(program, at) : await startPeerRegistry({ program, folder: at });
    await using zone = await openSparseZone(peer.host);
    assert.deepEqual(await zone.import(), ['SVC-DST-002', 'refused']);
  });

test('svc takes a sparse index, and the receipt says so', async () => {
  await using folder = await openTempFolder();
  await using registry = await startSvcServer(folder.path, { authentication: 'none' });
  await using zone = await openSparseZone(registry.host);
  assert.deepEqual(await zone.import(), [undefined, 'accepted']);
});
