import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderDelivery } from '../../../commands/media/render-deliveries.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { fr } from '../../../src/text/language.ts';

const digest = hashBytes('a');
const landed = (...parts: readonly number[]): Delivery['landed'] =>
  parts.map((part) => ({
    part,
    mediaId: 'med_0123456789ab',
    manifest: digest,
    importedAt: '2026-11-20T10:00:00Z',
  }));
const delivery: Delivery = {
  id: 'dlv_0123456789ab',
  zone: 'zone-b',
  resolvedAt: '2026-11-20T09:00:00Z',
  parts: 4,
  complete: false,
  landed: landed(1, 2, 3),
  needed: [1, 2, 4],
  recipes: [{ name: 'shop', version: '1.0.0', digest, state: 'failed', parts: [1, 2] }],
};
const lineOf = (one: Delivery, language: 'en' | 'fr', i: number) =>
  renderDelivery(one, language).split('\n')[i];

test('a part that arrived and is needed again is told apart from one that never came', () => {
  assert.equal(lineOf(delivery, 'en', 2), '  still needed: part 4; parts 1 and 2 once more');
  assert.equal(
    lineOf(delivery, 'fr', 2),
    fr`  encore nécessaire : partie 4 ; parties 1 et 2 une nouvelle fois`,
  );
  assert.equal(lineOf({ ...delivery, needed: [1, 2] }, 'en', 2), '  still needed: parts 1 and 2 once more');
});

test('the parts that arrived are named, and no line reads as their number', () => {
  const one = { ...delivery, landed: landed(3) };
  assert.match(lineOf(one, 'en', 1)!, /^ {2}part 3 of 4 imported, on 20 Nov 2026/);
  assert.match(lineOf(one, 'fr', 1)!, /^ {2}partie 3 sur 4 importée, le 20 nov\. 2026/);
  assert.match(lineOf(delivery, 'en', 1)!, /^ {2}parts 1, 2 and 3 of 4 imported, the last on 20 Nov 2026/);
  const waiting = { ...delivery, recipes: [{ ...delivery.recipes[0]!, state: 'waiting' as const }] };
  assert.equal(lineOf(waiting, 'en', 6), '  shop@1.0.0: waits for parts 1 and 2');
  assert.equal(lineOf(waiting, 'fr', 6), fr`  shop@1.0.0 : attend les parties 1 et 2`);
  assert.equal(lineOf(delivery, 'en', 6), '  shop@1.0.0: failed in the last import (parts 1 and 2)');
});

test('a delivery on one disk has no numbers of parts', () => {
  const alone = { ...delivery, parts: 1, needed: [], landed: landed(1) };
  assert.match(lineOf(alone, 'en', 1)!, /^ {2}imported on 20 Nov 2026/);
  assert.equal(lineOf({ ...alone, landed: [] }, 'en', 1), '  its disk was not imported whole');
  const whole = { ...alone, complete: true, landed: [], recipes: [] };
  assert.equal(lineOf(whole, 'en', 1), '  its recipes came with other media');
});

test('each disk that is still needed is named with the recipes that it keeps out of the zone', () => {
  const recipeOf = (name: string, parts: readonly number[]): Delivery['recipes'][number] => ({
    ...{ name, version: '1.0.0', digest, state: 'waiting' },
    parts: [...parts],
  });
  const many = {
    ...delivery,
    landed: landed(1),
    needed: [2, 3, 4],
    recipes: [
      recipeOf('shop', [2, 4]),
      ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => recipeOf(name, [4])),
      { ...recipeOf('depot', [3]), state: 'failed' as const },
      { name: 'yard', version: '1.0.0', digest, state: 'landed' as const },
    ],
  };
  const linesOf = (language: 'en' | 'fr') => renderDelivery(many, language).split('\n').slice(3, 6);
  assert.deepEqual(linesOf('en'), [
    '    part 2, for shop@1.0.0',
    '    part 3, for depot@1.0.0',
    '    part 4, for shop@1.0.0, a@1.0.0, b@1.0.0, c@1.0.0, d@1.0.0 and 3 other recipes',
  ]);
  assert.equal(
    linesOf('fr')[2],
    fr`    partie 4, pour shop@1.0.0, a@1.0.0, b@1.0.0, c@1.0.0, d@1.0.0 et 3 autres recettes`,
  );
  const unknown = renderDelivery({ ...many, recipes: [] }, 'en').split('\n');
  assert.equal(unknown[3], '    part 2', 'the recipes of the disk are not known yet');
});

test('a recipe without its base names the delivery to bring, where the zone knows it', () => {
  const held = { ...delivery, needed: [], recipes: [{ ...delivery.recipes[0]!, state: 'held' as const }] };
  assert.match(
    lineOf(held, 'en', 2)!,
    /lacks: import the earlier deliveries, or have the recipe written with --base none$/,
  );
  const known = { ...held, baseDelivery: 'dlv_ffffffffffff' };
  assert.match(lineOf(known, 'en', 2)!, /lacks: import dlv_ffffffffffff, or have the recipe written with/);
  assert.match(
    lineOf(known, 'fr', 2)!,
    /importez dlv_ffffffffffff, ou faites écrire la recette avec --base none$/,
  );
});

test('a delivery that a newer medium has overtaken asks for no disk, and names the command that forgets it', () => {
  const overtaken = { ...delivery, overtakenBy: 'med_ffffffffffff' };
  assert.match(lineOf(overtaken, 'en', 0)!, /overtaken$/);
  assert.match(lineOf(overtaken, 'fr', 0)!, /dépassée$/);
  assert.match(renderDelivery(overtaken, 'en'), /^ {2}shop@1\.0\.0: not in the zone$/m);
  const all = renderDelivery(overtaken, 'en');
  assert.doesNotMatch(all, /still needed/);
  assert.match(all, /med_ffffffffffff .* svc media forget dlv_0123456789ab$/m);
});

test('the disks of a refused recipe are needed as in the document, and the refused one once more', () => {
  const refused = { ...delivery.recipes[0]!, parts: [1, 2, 3], blocked: true };
  const waiting = { name: 'depot', version: '2.0.0', digest, state: 'waiting' as const, parts: [4] };
  const one = { ...delivery, landed: [], needed: [1, 2, 3, 4], refused: [1], recipes: [refused, waiting] };
  assert.equal(lineOf(one, 'en', 2), '  still needed: parts 2, 3 and 4; part 1 once more');
  assert.equal(lineOf(one, 'en', 3), '    part 1 once more, for shop@1.0.0');
  assert.match(renderDelivery(one, 'en'), /^ {2}shop@1\.0\.0: refused by the checks of the import$/m);
  assert.match(
    renderDelivery(one, 'fr'),
    new RegExp(fr`^ {2}shop@1\.0\.0 : refusée par les contrôles de l’import$`, 'm'),
  );
  const alone = { ...one, needed: [1, 2, 3], recipes: [refused] };
  assert.equal(lineOf(alone, 'en', 2), '  still needed: parts 2 and 3; part 1 once more');
});

test('a delivery whose recipes are all in the zone says why it still waits for disks', () => {
  const recipe = { name: 'shop', version: '1.0.0', digest, state: 'landed' as const };
  const one = { ...delivery, landed: landed(3), needed: [1, 2, 4], recipes: [recipe] };
  const [, , ...lines] = renderDelivery(one, 'en').trimEnd().split('\n');
  assert.deepEqual(lines, [
    '  still needed: parts 1, 2 and 4',
    '  Every recipe that the disks list is in the zone. Without a passport of a peer, only all disks show that the lists are whole.',
  ]);
  assert.match(renderDelivery(one, 'fr'), /Toutes les recettes .* sont dans la zone\. /);
});
