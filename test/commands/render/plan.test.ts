import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPlan } from '../../../commands/render/plan.ts';
import { putWindows } from '../../kit/content/windows-image.ts';
import { plan as planDocument } from '../../kit/scene/plan-document.ts';
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

test('a plan says what is pushed and how long both take, or that the destination was not asked', () => {
  const options = { width: Number.POSITIVE_INFINITY };
  const linesOf = (
    language: 'en' | 'fr',
    promotion: { bytes: number; unasked: number },
    seconds: number,
    accuracy: 'at-most' | 'at-least',
  ) => {
    const link = { bytesPerSecond: 1024, open: true, seconds, accuracy };
    const lines = renderPlan(planDocument({ promotion }), { ...options, language }, link)
      .replaceAll(/[\u00a0\u202f]/g, ' ')
      .split('\n');
    const at = lines.findIndex((line) => / (?:push|à envoyer|envois) /.test(line));
    return [lines[at], lines.find((line) => /^(?:Transfers:|Transferts :)/.test(line))];
  };
  const known = { bytes: 2048, unasked: 0 };
  assert.deepEqual(linesOf('en', known, 40, 'at-most'), [
    'At most 2 KiB to push to the destination',
    'Transfers: at most 1 KiB a second; at most about 40 s of transfer, with the push',
  ]);
  assert.deepEqual(linesOf('fr', known, 40, 'at-most'), [
    'Au plus 2 Kio à envoyer vers la destination',
    'Transferts : au plus 1 Kio par seconde ; au plus environ 40 s de transfert, envois compris',
  ]);
  const skipped = { bytes: 0, unasked: 2 };
  assert.deepEqual(linesOf('en', skipped, 20, 'at-least'), [
    'The push to the destination is not known: not all of its tags were asked for',
    'Transfers: at most 1 KiB a second; at least about 20 s of transfer, without the push',
  ]);
  assert.match(linesOf('en', skipped, 0, 'at-least')[1]!, /the time of the push is not known$/);
  assert.match(
    linesOf('fr', skipped, 20, 'at-least')[0]!,
    /^Les envois vers la destination ne sont pas connus/,
  );
});
