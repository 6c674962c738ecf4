import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { drawCarriedStep } from './rig/carried-steps.ts';
import {
  type CarriedWorld,
  type MadeMedium,
  makeMedium,
  openCarriedWorld,
  openSurface,
  type Surface,
  truth,
} from './rig/carried-world.ts';
import { times } from './rig/form.ts';
import { runHistories } from './rig/run-histories.ts';

let medium: MadeMedium;
let surface: Surface;
let folder: TempFolder;
before(async () => {
  folder = await openTempFolder('svc-vouched-');
  medium = await makeMedium(folder.path);
  surface = await openSurface();
});
after(async () => {
  await surface[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** The reach of content follows from its bytes, against any ledger. */
async function requireTrueReach({ store, isTrueOnDisk }: CarriedWorld): Promise<void> {
  const { index } = store;
  for (const [root, facts] of truth.manifests) {
    if (!isTrueOnDisk(root)) continue;
    const record = index.manifest(root);
    const isTagged = index.tagsOf(root).some(({ held }) => !held);
    assert.ok(record !== undefined || !isTagged, `${root} is tagged, on disk, and not known`);
    if (record === undefined) continue;
    assert.deepEqual([...record.manifests].sort(), [...facts.children].sort(), `children of ${root}`);
    const blobs = record.blobs.map(({ digest }) => digest);
    assert.deepEqual(blobs.sort(), [...facts.blobs].sort(), `blobs of ${root}`);
  }
}

test('over any history, what is served, exported, promoted or counted was hashed, and content reaches what its bytes say', async (t) => {
  const ran = await runHistories<CarriedWorld>(t, {
    name: 'vouched-bytes',
    count: times(60, 5000),
    length: 12,
    open: async () => openCarriedWorld(medium, surface),
    draw: drawCarriedStep,
    check: requireTrueReach,
  });
  t.diagnostic([...ran].map(([verb, count]) => `${verb} ${count}`).join(', '));
});
