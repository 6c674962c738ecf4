import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPlan } from '../../../commands/render/plan.ts';
import { putWindows } from '../../kit/content/windows-image.ts';
import { openSyncScene } from '../../kit/scene/sync-scene.ts';

test('a plan names the layers that an image comes without, in the language of its reader', async () => {
  await using scene = await openSyncScene();
  const { absent } = await putWindows(scene);
  const { plan } = await scene.plan();
  const lineOf = (language: 'en' | 'fr') =>
    renderPlan(plan, { language, width: Number.POSITIVE_INFINITY })
      .split('\n')
      .find((line) => line.includes(absent.digest));
  assert.equal(
    lineOf('en'),
    `  ! app is transferred without layer ${absent.digest}, which the registry does not have`,
  );
  assert.equal(
    lineOf('fr'),
    `  ! app est transféré sans la couche ${absent.digest}, que le registre n’a pas`,
  );
});
