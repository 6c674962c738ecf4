import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import { silentReport } from '../../../src/base/report.ts';
import { openContext } from '../../../src/operation/context.ts';
import { askDestination } from '../../../src/operation/zone/ask-destination.ts';
import { renderError } from '../../../src/text/message.ts';
import { openOwnReceipts } from '../../../src/zone/own-receipts.ts';
import { buildImage } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried, toZoneConfig } from '../../kit/scene/import-carried.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';

const web = buildImage('web', { ownLayers: 2 });
const layer = web.blobs[2]!.descriptor.digest;
/** The next version of the image: its own layer, over those of the one before. */
const newer = buildImage('newer', { layers: web.blobs.slice(1) });
const tool = buildImage('tool', { ownLayers: 2 });
const toolLayer = tool.blobs[2]!.descriptor.digest;
const toRecipe = (name: string, version: string, artifact: typeof web): MediumRecipe => ({
  ...{ name, version, layout: 'bundle' },
  ingredients: [
    { name: 'image', kind: 'ContainerImage', ref: `origin.example/${name}/image`, tag: version, artifact },
  ],
});
const shop = toRecipe('shop', '1.0.0', web);
const nextShop = toRecipe('shop', '1.1.0', newer);
const tools = toRecipe('tools', '2.0.0', tool);

/** A zone that imports deliveries, each with its recipes, and the letter of its identifier. */
async function openZone() {
  const signer = createSigner();
  const double = await createRegistryDouble();
  const first = await buildMedium({ signer, recipes: [shop] });
  const state = join(first.folder, 'zone');
  const keyFile = join(first.folder, 'zone.key');
  await writeFile(keyFile, createSigner().privateKeyPem, { mode: 0o600 });
  const media = [first];
  const roots = new Map<string, string>();
  let day = 0;
  const write = async (
    letter: string,
    recipes: readonly MediumRecipe[],
    absent: readonly Digest[] = [],
    receipt?: Digest,
  ) => {
    day += 1;
    const medium = await buildMedium({ signer, recipes, resolvedAt: `2026-02-0${day}T03:04:05.000Z` });
    media.push(medium);
    const part = await carryPart(medium, {
      delivery: { id: `dlv_00000000000${letter}`, part: 1, parts: 1 },
      ...(receipt ? { base: { zone: 'zone-b', receipt, sequence: 1 } } : {}),
      absent: new Map(absent.map((digest) => [digest, 'base'])),
    });
    roots.set(letter, part.root);
    return part;
  };
  const bring = (root: string) => importCarried(root, [signer], double, { state, signing: { keyFile } });
  return {
    ...{ double, write },
    import: bring,
    root: (letter: string): string => roots.get(letter)!,
    bring: async (...all: Parameters<typeof write>) => {
      const { task, said } = await bring((await write(...all)).root);
      assert.equal(task.status, 'done', said);
    },
    receipt: async () => (await openOwnReceipts(state).last('zone-b'))!.digest,
    /** The errors of the recipes of a disk in an import, and in a verification with the destination. */
    hold: async (root: string) => {
      const run = await bring(root);
      const failed = run.items.flatMap(({ error }) => (error ? [error] : []));
      const config = toZoneConfig({ zone: 'zone-b', state, host: double.host, signers: [signer] });
      await using context = await openContext(config, { report: silentReport, version: '0.0.0-test' });
      const { report } = await askDestination(context, { root, verification: run.verification! });
      const asked = report.recipes.flatMap(({ atDestination }) => atDestination?.error ?? []);
      assert.deepEqual(
        asked.map(({ params }) => params),
        failed.map(({ params }) => params),
      );
      assert.ok(failed.length > 0, run.said);
      return { errors: failed, delivery: run.task.delivery! };
    },
    [Symbol.asyncDispose]: async () => {
      await double[Symbol.asyncDispose]();
      for (const each of media) await each[Symbol.asyncDispose]();
    },
  };
}

const a = 'dlv_00000000000a';
const b = 'dlv_00000000000b';

for (const [title, recipes, name, lost, expected] of [
  ['the next version of a recipe', [nextShop, tools], 'shop', layer, 'shop@1.1.0'],
  ['one recipe more', [shop, tools, toRecipe('slim', '1.0.0', newer)], 'tools', toolLayer, 'tools@2.0.0'],
] as const)
  test(`a disk with ${title} names the delivery that brought the lost content`, async () => {
    await using zone = await openZone();
    await zone.bring('a', [shop, tools]);
    const delta = await zone.write('c', recipes, [lost], await zone.receipt());
    zone.double.remove(`origin.example/${name}/image`, lost);
    const { errors, delivery } = await zone.hold(delta.root);
    assert.deepEqual(
      errors.map(({ code, params }) => [code, params.recipe, params.delivery]),
      [['SVC-MED-040', expected, a]],
    );
    assert.match(renderError(errors[0]!, 'en').action, new RegExp(`^Import delivery ${a} once more`));
    assert.match(renderError(errors[0]!, 'en').what, new RegExp(`delivery .* ${a}`, 'i'));
    const held = delivery.recipes.find(({ state }) => state === 'held');
    assert.equal(held?.baseDelivery, a);
    assert.equal(delivery.baseDelivery, a);
    await zone.import(zone.root('a'));
    const run = await zone.import(delta.root);
    assert.equal(run.task.status, 'done', run.said);
  });

test('of two deliveries the last one with the lost content is named, and none without it', async () => {
  await using zone = await openZone();
  await zone.bring('a', [shop, tools]);
  await zone.bring('b', [tools]);
  const receipt = await zone.receipt();
  const delta = await zone.write('c', [nextShop, tools], [layer, toolLayer], receipt);
  zone.double.remove('origin.example/shop/image', layer);
  zone.double.remove('origin.example/tools/image', toolLayer);
  const { errors, delivery } = await zone.hold(delta.root);
  const named = new Map(errors.map(({ params }) => [params.recipe, params.delivery]));
  assert.deepEqual(
    named,
    new Map([
      ['shop@1.1.0', a],
      ['tools@2.0.0', b],
    ]),
  );
  assert.equal(delivery.baseDelivery, undefined);
});

test('no delivery is named that has an earlier version of the recipe without the lost content', async () => {
  await using zone = await openZone();
  await zone.bring('a', [toRecipe('shop', '0.9.0', tool)]);
  const receipt = await zone.receipt();
  const delta = await zone.write('c', [nextShop], [layer], receipt);
  const { errors } = await zone.hold(delta.root);
  assert.equal(errors[0]!.params.delivery, undefined);
});

test('a registry without any recipe names the last delivery with an earlier version of the recipe', async () => {
  await using zone = await openZone();
  await zone.bring('a', [shop]);
  await zone.bring('b', [tools]);
  const delta = await zone.write('c', [nextShop], [layer], await zone.receipt());
  for (const line of zone.double.content()) {
    const [repository, , digest] = line.split(' ');
    if (line.includes(' manifest ') || line.includes(' blob '))
      zone.double.remove(repository!, digest as Digest);
  }
  const { errors } = await zone.hold(delta.root);
  assert.equal(errors[0]!.params.delivery, a);
});
