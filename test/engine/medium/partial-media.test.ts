import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderDelivery } from '../../../commands/media/render-deliveries.ts';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { toGateError } from '../../../src/base/gate-refusal.ts';
import { silentReport } from '../../../src/base/report.ts';
import { Clearance } from '../../../src/engine/medium/clearance.ts';
import { openFreshness, toAge } from '../../../src/engine/medium/freshness.ts';
import { type AbsentBlob, segmentPath } from '../../../src/store/rest/absent-list.ts';
import { readMediumHeader } from '../../../src/store/rest/media-manifest.ts';
import { renderError } from '../../../src/text/message.ts';
import { openArrivals } from '../../../src/zone/arrivals.ts';
import { buildImage } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import type { CarriedMedium } from '../../kit/scene/carried-medium.ts';
import { type CarriedImport, importCarried } from '../../kit/scene/import-carried.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';
import { carryPart, type PartOptions } from '../../kit/scene/partial-medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

const id = 'dlv_0123456789ab';
const base = { zone: 'zone-b', receipt: hashBytes('receipt'), sequence: 7 };
const image = (name: string): string => `origin.example/${name}/image`;

const toRecipe = (name: string, layers: number): MediumRecipe => ({
  name,
  version: '1.0.0',
  layout: 'bundle',
  ingredients: [
    {
      name: 'image',
      kind: 'ContainerImage',
      ref: image(name),
      tag: '1.0.0',
      artifact: buildImage(name, { ownLayers: layers }),
    },
  ],
});

/** A medium with the recipes `shop` and `depot`, a registry, and the state folder of a zone. */
async function openScene(options: { readonly deletes?: boolean } = {}) {
  const recipes = [toRecipe('shop', 3), toRecipe('depot', 2)] as const;
  const medium = await buildMedium({ recipes });
  const double = await createRegistryDouble({ deletes: options.deletes ?? true });
  const layersOf = ({ ingredients: [one] }: MediumRecipe): readonly Digest[] =>
    one!.artifact.blobs.slice(1).map(({ descriptor }) => descriptor.digest);
  const state = join(medium.folder, 'zone');
  return {
    medium,
    double,
    state,
    shop: layersOf(recipes[0]),
    depot: layersOf(recipes[1]),
    policy: trust(medium.signer),
    import: (root: string): Promise<CarriedImport> => importCarried(root, [medium.signer], double, { state }),
    carry: (part: number, parts: number, more: Omit<PartOptions, 'delivery'>) =>
      carryPart(medium, { delivery: { id, part, parts }, ...more }),
    /** Tags of the registry, as `repository:tag`. */
    tags: () =>
      double
        .repositories()
        .flatMap((repository) => double.tags(repository).map((tag) => `${repository}:${tag}`))
        .sort(),
    [Symbol.asyncDispose]: async () => {
      await double[Symbol.asyncDispose]();
      await medium[Symbol.asyncDispose]();
    },
  };
}

const at = (place: AbsentBlob['at'], ...digests: readonly Digest[]) =>
  digests.map((digest) => [digest, place] as const);
const stateOf = ({ items }: CarriedImport, name: string) => {
  const item = items.find((one) => one.name === name);
  assert.ok(item, items.map((one) => one.name).join());
  return [item.status, item.error?.code ?? item.warning?.code];
};
const whole = [
  'cookbook/depot:1.0.0',
  'cookbook/shop:1.0.0',
  'origin.example/depot/image:1.0.0',
  'origin.example/shop/image:1.0.0',
];

test('a recipe waits for the part that has the rest of it, and lands with it, in either order', async () => {
  for (const [one, other] of [
    [1, 2],
    [2, 1],
  ] as const) {
    await using scene = await openScene();
    const { shop, depot } = scene;
    const parts = {
      1: await scene.carry(1, 2, { absent: new Map(at([2], shop[0]!, ...depot)) }),
      2: await scene.carry(2, 2, { absent: new Map(at([1], shop[1]!, shop[2]!)) }),
    };
    const first = await scene.import(parts[one].root);
    assert.equal(first.task.status, 'done', first.said);
    assert.deepEqual(stateOf(first, 'shop@1.0.0'), ['skipped', 'SVC-MED-041']);
    assert.deepEqual(first.task.delivery?.needed, [other]);
    assert.equal(first.task.delivery?.complete, false);
    assert.equal(first.freshness, undefined);
    assert.ok(
      scene.tags().some((tag) => tag === `origin.example/shop/image:svc-holding-${id}`),
      scene.tags().join(),
    );
    const second = await scene.import(parts[other].root);
    assert.equal(second.task.status, 'done', second.said);
    assert.equal(second.task.delivery?.complete, true);
    assert.deepEqual(second.task.delivery?.needed, []);
    assert.ok(second.freshness);
    assert.deepEqual(
      scene.tags().filter((tag) => !tag.includes('sha256-')),
      whole,
    );
    // each blob was sent once, and the second time nothing is sent
    const uploads = scene.double.count(/^PUT .*blobs\/uploads/);
    const third = await scene.import(parts[one].root);
    assert.equal(third.task.status, 'done', third.said);
    assert.equal(scene.double.count(/^PUT .*blobs\/uploads/), uploads);
    assert.deepEqual(
      scene.tags().filter((tag) => !tag.includes('sha256-')),
      whole,
    );
  }
});

test('parts that are imported at the same time complete the delivery', async () => {
  await using scene = await openScene();
  const { shop, depot } = scene;
  const parts = [
    await scene.carry(1, 2, { absent: new Map(at([2], shop[0]!, ...depot)) }),
    await scene.carry(2, 2, { absent: new Map(at([1], shop[1]!, shop[2]!)) }),
  ];
  const runs = await Promise.all(parts.map(({ root }) => scene.import(root)));
  for (const { task, said } of runs) assert.equal(task.status, 'done', said);
  const record = await openArrivals(scene.state).get(id);
  assert.deepEqual([record?.complete, record?.needed], [true, []]);
  assert.deepEqual(
    scene.tags().filter((tag) => !tag.includes('sha256-')),
    whole,
  );
});

test('recipes that land with another medium wait no longer; without a passport, the other part may have more', async () => {
  await using scene = await openScene();
  const part = await scene.carry(1, 2, { absent: new Map(at([2], scene.shop[0]!)) });
  const first = await scene.import(part.root);
  assert.deepEqual(first.task.delivery?.needed, [2]);
  await scene.import(await scene.medium.carry());
  const record = await openArrivals(scene.state).get(id);
  assert.deepEqual([record?.complete, record?.needed], [false, [2]]);
  assert.ok(record?.recipes.every(({ state, parts }) => state === 'landed' && parts === undefined));
});

test('a part that passed, and has no whole recipe, is not refused: the gate names the parts that have the rest', async () => {
  await using scene = await openScene();
  const { shop, depot } = scene;
  for (const [absent, awaits] of [
    [
      [...at([2], shop[0]!), ...at([3, 4], ...depot)],
      [2, 3, 4],
    ],
    [[...at('base', shop[0]!), ...at([2], ...depot)], [2]],
    [at('base', shop[0]!, ...depot), []],
    [[...at([2], shop[0]!)], undefined],
  ] as const) {
    const part = await scene.carry(1, 4, { base, absent: new Map(absent) });
    await using store = await openStoreAt({ root: part.root }, { zone: 'zone-b', access: 'read' });
    const clearance = new Clearance({ store, zone: 'zone-b', report: silentReport });
    clearance.settle(await verifyCarried(part.root, scene.policy));
    const refusal = clearance.refusal();
    assert.deepEqual(
      [refusal?.code, refusal?.awaits],
      awaits ? ['SVC-MED-032', awaits] : [undefined, undefined],
    );
    if (refusal === undefined) continue;
    const { what, cause, action } = renderError(toGateError(refusal), 'en');
    assert.doesNotMatch(what + cause + action, /did not pass|blocked|Read the report|[[\]{}]/);
    assert.match(what, awaits?.length === 3 ? /parts 2, 3 and 4\.$/ : /(part 2|the registry of the zone)\.$/);
  }
});

test('a part that comes again and brings nothing keeps the date of its arrival', async () => {
  await using scene = await openScene();
  const first = await scene.carry(1, 2, { absent: new Map(at([2], scene.shop[0]!)) });
  const dateOf = async () =>
    (await openArrivals(scene.state).get(id))!.landed.map(({ importedAt }) => importedAt);
  await scene.import(first.root);
  const arrived = await dateOf();
  await scene.import(first.root);
  assert.deepEqual(await dateOf(), arrived);
});

test('a part that is lost costs only its recipes', async () => {
  await using scene = await openScene();
  const part = await scene.carry(1, 2, { absent: new Map(at([2], ...scene.depot)) });
  const run = await scene.import(part.root);
  assert.deepEqual(stateOf(run, 'shop@1.0.0'), ['done', undefined], run.said);
  assert.deepEqual(stateOf(run, 'depot@1.0.0'), ['skipped', 'SVC-MED-041']);
  assert.deepEqual(run.task.delivery?.recipes.map(({ name, state }) => [name, state]).sort(), [
    ['depot', 'waiting'],
    ['shop', 'landed'],
  ]);
});

test('a registry that deletes nothing keeps the holding manifest, and the log says so', async () => {
  await using scene = await openScene({ deletes: false });
  const { shop } = scene;
  const first = await scene.carry(1, 2, { absent: new Map(at([2], shop[0]!)) });
  const second = await scene.carry(2, 2, { absent: new Map(at([1], shop[1]!)) });
  await scene.import(first.root);
  const run = await scene.import(second.root);
  assert.equal(run.task.delivery?.complete, true, run.said);
  assert.ok(scene.tags().includes(`origin.example/shop/image:svc-holding-${id}`));
  assert.match(run.said, /shop\/image:svc-holding-dlv_0123456789ab: the registry does not remove it/);
  // a person at the command reads the log, and not the record of the task
  assert.match(run.said, /level: 'warn',\s+message: 'The registry does not remove a holding manifest/);
  const tag = `${scene.double.host}/origin.example/shop/image:svc-holding-${id}`;
  assert.deepEqual(run.task.delivery?.leftHolding, [tag]);
  const [kept] = await openArrivals(scene.state).list();
  const line = `the registry does not remove ${tag}; nothing needs it any more`;
  assert.ok(renderDelivery(kept!, 'en').includes(line), renderDelivery(kept!, 'en'));
  // the next import removes it, where the registry allows it
  scene.double.options = { ...scene.double.options, deletes: true };
  const again = await scene.import(first.root);
  assert.equal(again.task.delivery?.leftHolding, undefined, again.said);
  assert.ok(!scene.tags().includes(`origin.example/shop/image:svc-holding-${id}`));
});

test('a delta lands where the registry of the zone has the rest, and sends nothing of it', async () => {
  await using scene = await openScene();
  const { shop, double } = scene;
  await scene.import(await scene.medium.carry());
  const image = double.manifest('origin.example/shop/image', '1.0.0')!;
  double.untag('origin.example/shop/image', '1.0.0');
  const before = double.count(/^PUT .*blobs\/uploads/);
  const delta = await scene.carry(1, 1, { base, absent: new Map(at('base', ...shop)) });
  const run = await scene.import(delta.root);
  assert.equal(run.task.status, 'done', run.said);
  assert.equal(double.manifest('origin.example/shop/image', '1.0.0')?.digest, image.digest);
  assert.equal(double.count(/^PUT .*blobs\/uploads/), before);
});

test('a recipe is held back when its base is gone, with the receipt that promised it; the others land', async () => {
  await using scene = await openScene();
  const delta = await scene.carry(1, 1, { base, absent: new Map(at('base', ...scene.shop)) });
  const run = await scene.import(delta.root);
  assert.equal(run.task.status, 'failed', run.said);
  assert.deepEqual(stateOf(run, 'shop@1.0.0'), ['failed', 'SVC-MED-040']);
  assert.deepEqual(stateOf(run, 'depot@1.0.0'), ['done', undefined]);
  const { params } = run.items.find(({ name }) => name === 'shop@1.0.0')!.error!;
  assert.equal(params.sequence, 7);
  assert.equal(params.files, 3);
  assert.equal(run.freshness, undefined);
  assert.ok(
    !scene
      .tags()
      .some((tag) => tag.startsWith('origin.example/shop/image:1') || tag.startsWith('cookbook/shop')),
  );
});

for (const mounts of [true, false])
  test(`a blob of the base that another repository has is ${mounts ? 'mounted' : 'copied once, where mounts are refused'}, also for a recipe that waits`, async () => {
    await using scene = await openScene();
    const { double, medium } = scene;
    await scene.import(await medium.carry());
    // a later recipe has a layer of the shop in a repository of its own
    const layer = toRecipe('shop', 3).ingredients[0]!.artifact.blobs[1]!;
    const kiosk = toRecipe('kiosk', 1);
    const artifact = buildImage('kiosk', { ownLayers: 1, layers: [layer] });
    const own = artifact.blobs.at(-1)!.descriptor.digest;
    const recipes = [{ ...kiosk, ingredients: [{ ...kiosk.ingredients[0]!, artifact }] }];
    await using later = await buildMedium({
      recipes,
      signer: medium.signer,
      resolvedAt: '2026-02-02T03:04:05.000Z',
    });
    const carry = (part: number, absent: readonly Digest[]) =>
      carryPart(later, {
        delivery: { id, part, parts: 2 },
        base,
        absent: new Map([...at('base', layer.descriptor.digest), ...at([2], ...absent)]),
      });
    double.options = { ...double.options, mounts };
    for (const [part, absent] of [
      [1, [own]],
      [2, []],
    ] as const) {
      const run = await scene.import((await carry(part, absent)).root);
      assert.equal(run.task.status, 'done', run.said);
      assert.equal(run.task.delivery?.complete, part === 2);
      assert.ok(double.blob('origin.example/kiosk/image', layer.descriptor.digest));
      const reads = double.count(
        new RegExp(`^GET /v2/origin.example/shop/image/blobs/${layer.descriptor.digest}`),
      );
      assert.equal(reads, mounts ? 0 : 1);
    }
  });

/** Cuts a blob into two halves. */
async function openCut() {
  const scene = await openScene();
  const blob = scene.shop[0]!;
  const { length } = await readFile(join(scene.medium.root, 'blobs', ...blob.split(':')));
  const middle = length >> 1;
  const parts = {
    1: await scene.carry(1, 2, { absent: new Map(at([1, 2], blob)), cut: new Map([[blob, [[0, middle]]]]) }),
    2: await scene.carry(2, 2, {
      absent: new Map(at([1, 2], blob)),
      cut: new Map([[blob, [[middle, length]]]]),
    }),
  };
  return { ...scene, blob, length, middle, parts };
}

test('a blob that is cut over two parts is joined, in either order, and its segments are then removed', async () => {
  for (const [one, other] of [
    [1, 2],
    [2, 1],
  ] as const) {
    await using scene = await openCut();
    const kept = join(scene.state, 'media', 'segments', scene.blob.replace(':', '-'));
    const first = await scene.import(scene.parts[one].root);
    assert.deepEqual(stateOf(first, 'shop@1.0.0'), ['skipped', 'SVC-MED-041'], first.said);
    assert.ok(existsSync(kept));
    const second = await scene.import(scene.parts[other].root);
    assert.equal(second.task.delivery?.complete, true, second.said);
    assert.equal(scene.double.blob('origin.example/shop/image', scene.blob)?.length, scene.length);
    assert.ok(!existsSync(kept));
  }
});

test('of a cut blob, a part needs the rest from the other parts, and nothing from itself', async () => {
  await using scene = await openCut();
  const { report } = await verifyCarried(scene.parts[2].root, scene.policy);
  const { needs } = report.recipes.find(({ name }) => name === 'shop')!;
  assert.deepEqual(needs, [{ from: 'part', part: 1, files: 1, bytes: scene.middle }]);
});

test('segments that do not belong together are not sent, and are forgotten', async () => {
  await using scene = await openCut();
  const path = segmentPath({ digest: scene.blob, offset: 0 });
  await writeFile(join(scene.parts[1].root, path), Buffer.alloc(scene.middle, 1));
  await scene.parts[1].relist(path);
  await scene.import(scene.parts[1].root);
  const run = await scene.import(scene.parts[2].root);
  assert.equal(run.task.status, 'failed', run.said);
  assert.deepEqual(stateOf(run, 'shop@1.0.0/image'), ['failed', 'SVC-MED-047']);
  assert.deepEqual(run.task.delivery?.needed, [1, 2]);
  assert.equal(scene.double.blob('origin.example/shop/image', scene.blob), undefined);
  assert.ok(!existsSync(join(scene.state, 'media', 'segments', scene.blob.replace(':', '-'))));
});

/** Gives a segment of a disk another place in its blob. */
async function moveSegment(disk: CarriedMedium, blob: Digest, offset: number, other: number): Promise<void> {
  const [from, to] = [offset, other].map((one) => segmentPath({ digest: blob, offset: one }));
  await rename(join(disk.root, from!), join(disk.root, to!));
  await disk.editManifest((_, lines) =>
    lines
      .map((line) => (line.path === from ? { ...line, path: to! } : line))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
}

test('a segment under a name one byte off is found, and only its disk is needed again', async () => {
  for (const [spoilt, by] of [
    [1, 1],
    [2, 1],
    [2, -1],
    [4, -1],
  ] as const)
    for (const order of [
      [1, 2, 3, 4],
      [4, 2, 1, 3],
    ] as const) {
      await using scene = await openScene();
      const blob = scene.shop[0]!;
      const { length } = await readFile(join(scene.medium.root, 'blobs', ...blob.split(':')));
      const cuts = [0, 100, 300, 600, length];
      const carryOne = (part: 1 | 2 | 3 | 4) =>
        scene.carry(part, 4, {
          absent: new Map(at([1, 2, 3, 4], blob)),
          cut: new Map([[blob, [[cuts[part - 1]!, cuts[part]!]]]]),
        });
      for (const part of order) {
        const disk = await carryOne(part);
        if (part === spoilt) {
          const offset = cuts[part - 1]!;
          await moveSegment(disk, blob, offset, offset + by);
        }
        const run = await scene.import(disk.root);
        if (part !== order.at(-1)) continue;
        assert.equal(run.task.status, 'failed', run.said);
        assert.deepEqual(stateOf(run, 'shop@1.0.0'), ['failed', 'SVC-MED-047'], run.said);
        const { error } = run.items.find(({ name }) => name === 'shop@1.0.0')!;
        assert.deepEqual(error?.params.parts, [String(spoilt)]);
        assert.deepEqual(run.task.delivery?.needed, [spoilt]);
      }
      const last = await scene.import((await carryOne(spoilt)).root);
      assert.equal(last.task.delivery?.complete, true, last.said);
      assert.equal(scene.double.blob('origin.example/shop/image', blob)?.length, length);
    }
});

test('segments that do not fit, of which no single one is to blame, are all needed again under one code', async () => {
  await using scene = await openScene();
  const blob = scene.shop[0]!;
  const { length } = await readFile(join(scene.medium.root, 'blobs', ...blob.split(':')));
  const cuts = [0, 100, 300, 600, length];
  const carryOne = (part: number) =>
    scene.carry(part, 4, {
      absent: new Map(at([1, 2, 3, 4], blob)),
      cut: new Map([[blob, [[cuts[part - 1]!, cuts[part]!]]]]),
    });
  let run: CarriedImport | undefined;
  for (const part of [1, 2, 3, 4]) {
    const disk = await carryOne(part);
    if (part === 2 || part === 3) await moveSegment(disk, blob, cuts[part - 1]!, cuts[part - 1]! + 1);
    run = await scene.import(disk.root);
    if (part < 4) assert.deepEqual(stateOf(run, 'shop@1.0.0'), ['skipped', 'SVC-MED-041'], run.said);
  }
  assert.deepEqual(stateOf(run!, 'shop@1.0.0'), ['failed', 'SVC-MED-047'], run!.said);
  const { error } = run!.items.find(({ name }) => name === 'shop@1.0.0')!;
  assert.deepEqual(error?.params.parts, ['1', '2', '3', '4']);
  assert.deepEqual(run!.task.delivery?.needed, [1, 2, 3, 4]);
  for (const part of [4, 3, 2, 1]) run = await scene.import((await carryOne(part)).root);
  assert.equal(run!.task.delivery?.complete, true, run!.said);
  assert.equal(scene.double.blob('origin.example/shop/image', blob)?.length, length);
});

test('where a kept segment is lost, its disk alone is needed again', async () => {
  await using scene = await openScene();
  const blob = scene.shop[0]!;
  const { length } = await readFile(join(scene.medium.root, 'blobs', ...blob.split(':')));
  const carryOne = (part: number) =>
    scene.carry(part, 3, {
      absent: new Map(at([1, 2, 3], blob)),
      cut: new Map([[blob, [[[0, 100, 300][part - 1]!, [100, 300, length][part - 1]!]]]]),
    });
  for (const part of [1, 2]) await scene.import((await carryOne(part)).root);
  const folder = join(scene.state, 'media', 'segments', blob.replace(':', '-'));
  const lost = (await readdir(folder)).find((name) => name.startsWith('100-'));
  await rm(join(folder, lost!));
  const run = await scene.import((await carryOne(3)).root);
  assert.deepEqual(stateOf(run, 'shop@1.0.0'), ['skipped', 'SVC-MED-041'], run.said);
  assert.deepEqual(run.task.delivery?.needed, [2]);
});

test('all segments on one medium make a blob, without a line in the list', async () => {
  await using scene = await openScene();
  const blob = scene.shop[0]!;
  const { length } = await readFile(join(scene.medium.root, 'blobs', ...blob.split(':')));
  const part = await scene.carry(1, 1, {
    cut: new Map([
      [
        blob,
        [
          [0, 100],
          [100, length],
        ],
      ],
    ]),
  });
  const run = await scene.import(part.root);
  assert.equal(run.task.status, 'done', run.said);
  assert.deepEqual(
    scene.tags().filter((tag) => !tag.includes('sha256-')),
    whole,
  );
});

test('the report of a part says where the rest of each recipe is', async () => {
  await using scene = await openScene();
  const { shop, depot } = scene;
  const part = await scene.carry(2, 3, {
    base,
    absent: new Map([...at('base', shop[0]!), ...at([1], shop[1]!), ...at([1, 3], depot[0]!)]),
  });
  const { report } = await verifyCarried(part.root, scene.policy);
  assert.equal(report.verdict, 'pushable');
  const restOf = (name: string) =>
    report.recipes
      .find((recipe) => recipe.name === name)!
      .needs!.map(({ from, part, parts = part, files }) => [from, parts, files]);
  assert.deepEqual(restOf('shop'), [
    ['base', undefined, 1],
    ['part', 1, 1],
  ]);
  assert.deepEqual(restOf('depot'), [['part', [1, 3], 1]]);
  assert.deepEqual(report.findings, []);
  assert.deepEqual(report.medium?.delivery, { id, part: 2, parts: 3 });
});

test('a damaged part is not counted as imported, and is needed again', async () => {
  await using scene = await openScene();
  const { shop } = scene;
  const parts = {
    1: await scene.carry(1, 2, { absent: new Map(at([2], shop[0]!)) }),
    2: await scene.carry(2, 2, { absent: new Map(at([1], shop[1]!)) }),
  };
  await damageFile(parts[1].blob(shop[1]!), 10);
  const damaged = await scene.import(parts[1].root);
  assert.deepEqual(stateOf(damaged, 'shop@1.0.0'), ['failed', 'SVC-MED-012'], damaged.said);
  assert.deepEqual(damaged.task.delivery?.landed, []);
  assert.deepEqual(damaged.task.delivery?.needed, [1, 2]);
  assert.deepEqual(damaged.task.delivery?.refused, [1]);
  const other = await scene.import(parts[2].root);
  assert.deepEqual(
    other.task.delivery?.landed.map(({ part }) => part),
    [2],
    other.said,
  );
  assert.deepEqual(other.task.delivery?.needed, [1]);
  assert.deepEqual(other.task.delivery?.refused, [1]);
  const { delivery } = (
    await scene.import((await scene.carry(1, 2, { absent: new Map(at([2], shop[0]!)) })).root)
  ).task;
  assert.deepEqual([delivery?.needed, delivery?.refused], [[], undefined], 'the good copy came');
});

test('a push that fails does not count its part as imported', async () => {
  await using scene = await openScene();
  const { shop, depot, double } = scene;
  const parts = {
    1: await scene.carry(1, 3, { absent: new Map([...at([2], shop[0]!), ...at([3], ...depot)]) }),
    2: await scene.carry(2, 3, { absent: new Map([...at([1], shop[1]!, shop[2]!), ...at([3], ...depot)]) }),
  };
  await scene.import(parts[1].root);
  const restore = double.intercept((_request, response) => {
    response.writeHead(500).end();
    return true;
  });
  const failed = await scene.import(parts[2].root);
  assert.equal(failed.task.status, 'failed', failed.said);
  assert.deepEqual(
    failed.task.delivery?.landed.map(({ part }) => part),
    [1],
  );
  assert.deepEqual(failed.task.delivery?.needed, [2, 3]);
  restore();
  const again = await scene.import(parts[2].root);
  assert.deepEqual(again.task.delivery?.needed, [3], again.said);
});

test('a damaged copy of a part takes back nothing, and hides no part that is missing', async () => {
  await using scene = await openScene();
  const { shop, depot } = scene;
  const absent = new Map([...at([2], shop[0]!), ...at([3], ...depot)]);
  const good = await scene.carry(1, 3, { absent });
  const copy = await scene.carry(1, 3, { absent });
  await damageFile(copy.blob(shop[1]!), 10);
  const first = await scene.import(good.root);
  const second = await scene.import(copy.root);
  assert.deepEqual(stateOf(second, 'shop@1.0.0'), ['failed', 'SVC-MED-012'], second.said);
  assert.deepEqual(second.task.delivery, first.task.delivery);
});

test('under a wrong key every part stays needed', async () => {
  await using scene = await openScene();
  const part = await scene.carry(2, 3, { absent: new Map(at([1], ...scene.depot)) });
  const run = await importCarried(part.root, [createSigner()], scene.double, { state: scene.state });
  assert.deepEqual(run.task.delivery?.landed, [], run.said);
  assert.deepEqual(run.task.delivery?.needed, [1, 2, 3]);
  assert.deepEqual(run.task.delivery?.refused, [2]);
});

test('a part that comes again brings nothing, and the task says when it came first', async () => {
  await using scene = await openScene();
  const { shop } = scene;
  const parts = {
    1: await scene.carry(1, 2, { absent: new Map(at([2], shop[0]!)) }),
    2: await scene.carry(2, 2, { absent: new Map(at([1], shop[1]!)) }),
  };
  const first = await scene.import(parts[1].root);
  assert.equal(first.task.alreadyImportedAt, undefined);
  const [own] = first.task.delivery!.landed;
  const repeated = await scene.import(parts[1].root);
  assert.equal(repeated.task.alreadyImportedAt, own!.importedAt, repeated.said);
  assert.equal((await scene.import(parts[2].root)).task.alreadyImportedAt, undefined);
  const late = await scene.import(parts[1].root);
  assert.equal(late.task.alreadyImportedAt, own!.importedAt, late.said);
  const header = await readMediumHeader(parts[1].root);
  const { delivery } = late.task;
  const age = toAge(header, await openFreshness(scene.state).get('zone-b'), { delivery });
  assert.equal(age.importedAt, own!.importedAt, 'as the verification says');
  scene.double.remove('origin.example/shop/image', shop[1]!);
  assert.equal((await scene.import(parts[1].root)).task.alreadyImportedAt, undefined);
});

test('kept segments of one blob take at most twice its size, whatever disks bring', async () => {
  await using scene = await openScene();
  const blob = scene.shop[0]!;
  const { length } = await readFile(join(scene.medium.root, 'blobs', ...blob.split(':')));
  const kept = join(scene.state, 'media', 'segments', blob.replace(':', '-'));
  for (let end = length - 1; end > length - 8; end -= 1) {
    const part = await scene.carry(1, 2, {
      absent: new Map([[blob, [1, 2] as const]]),
      cut: new Map([[blob, [[0, end]] as const]]),
    });
    await scene.import(part.root);
    let bytes = 0;
    for (const name of await readdir(kept)) bytes += (await stat(join(kept, name))).size;
    assert.ok(bytes > 0 && bytes <= 2 * length, `${bytes} of ${length}`);
  }
});

test('a blob that the registry lost after an earlier part lets its recipe wait for that part again', async () => {
  await using scene = await openScene();
  const { shop, double } = scene;
  const parts = {
    1: await scene.carry(1, 3, { absent: new Map([...at([2], shop[0]!), ...at([3], shop[1]!)]) }),
    2: await scene.carry(2, 3, { absent: new Map([...at([3], shop[1]!), ...at([1], shop[2]!)]) }),
  };
  await scene.import(parts[1].root);
  double.remove('origin.example/shop/image', shop[2]!);
  const run = await scene.import(parts[2].root);
  assert.deepEqual(stateOf(run, 'shop@1.0.0'), ['skipped', 'SVC-MED-041'], run.said);
  assert.deepEqual(run.task.delivery?.needed, [1, 3]);
});

test('a recipe whose absent content cannot be asked for fails alone, and the others land', async () => {
  await using scene = await openScene();
  const delta = await scene.carry(1, 1, { base, absent: new Map(at('base', ...scene.shop)) });
  scene.double.failNext(/^HEAD \/v2\/origin.example\/shop\/image\/blobs/, 403, { times: 1000 });
  const run = await scene.import(delta.root);
  assert.equal(run.error, undefined, run.said);
  assert.deepEqual(stateOf(run, 'shop@1.0.0'), ['failed', 'SVC-REG-003']);
  assert.deepEqual(stateOf(run, 'depot@1.0.0'), ['done', undefined]);
});

test('a holding manifest that the registry does not show any more fails nothing', async () => {
  await using scene = await openScene();
  const { shop, double } = scene;
  const first = await scene.carry(1, 2, { absent: new Map(at([2], shop[0]!)) });
  const second = await scene.carry(2, 2, { absent: new Map(at([1], shop[1]!)) });
  await scene.import(first.root);
  double.failNext(/^GET \/v2\/origin.example\/\w+\/image\/manifests\/svc-holding/, 403, { times: 1000 });
  const run = await scene.import(second.root);
  assert.equal(run.task.status, 'done', run.said);
  assert.equal(run.task.delivery?.complete, true);
  assert.match(run.said, /svc-holding-dlv_0123456789ab: the registry does not remove it/);
});

test('content of another part is not looked for in the whole registry', async () => {
  await using scene = await openScene();
  const part = await scene.carry(1, 2, { absent: new Map(at([2], ...scene.depot)) });
  const run = await scene.import(part.root);
  assert.deepEqual(stateOf(run, 'depot@1.0.0'), ['skipped', 'SVC-MED-041']);
  assert.equal(scene.double.count(/^GET \/v2\/_catalog/), 0);
});
