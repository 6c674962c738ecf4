import assert from 'node:assert/strict';
import { open, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildImage } from '../kit/content/content.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { recordPushes } from '../kit/result/record-pushes.ts';
import { createRegistryDouble } from '../kit/result/registry-double.ts';
import { carry, type RecipeParts } from '../kit/scene/carried-medium.ts';
import { importCarried } from '../kit/scene/import-carried.ts';
import { type BuiltMedium, buildMedium, defaultRecipes } from '../kit/scene/medium.ts';

const layerSize = 24 << 20;
let good: BuiltMedium;
before(async () => {
  const [shop, ...others] = defaultRecipes();
  const [web, ...more] = shop!.ingredients;
  const large = buildImage('large', { layerSize });
  good = await buildMedium({
    recipes: [{ ...shop!, ingredients: [{ ...web!, artifact: large }, ...more] }, ...others],
  });
});
after(() => good[Symbol.asyncDispose]());

type Part = Exclude<keyof RecipeParts, 'record'>;
type Change = readonly [name: string, change: (path: string) => Promise<unknown>];

const flip: Change = ['has a byte flipped', (path) => damageFile(path, 0)];
const cut: Change = ['is cut short', (path) => truncate(path, 1)];
const replace: Change = [
  'is replaced by another file',
  async (path) => {
    await writeFile(`${path}.new`, 'another file');
    await rename(`${path}.new`, path);
  },
];
const remove: Change = ['goes', (path) => rm(path)];
const relink: Change = [
  'becomes a link',
  async (path) => {
    await rename(path, `${path}.old`);
    await symlink(`${path}.old`, path);
  },
];

let runs = 0;
/** Changes one file of `shop` at a moment of its import, and requires that the registry got the neighbour alone. */
async function run(part: Part, change: (path: string) => Promise<unknown>, moment: 'between' | 'underway') {
  const medium = await carry(good);
  const parts = await medium.parts('shop');
  const digest = parts[part];
  const path = medium.blob(digest);
  await using double = await createRegistryDouble();
  let isDone = false;
  const once = async () => {
    if (isDone) return;
    isDone = true;
    await change(path);
  };
  const pushed = recordPushes(double, ({ method, path: at }) =>
    moment === 'underway' && method === 'PATCH' && at.includes('/shop/web/') ? once() : undefined,
  );
  const found = await importCarried(medium.root, [good.signer], double, {
    state: join(good.folder, `state-${++runs}`),
    ...(moment === 'between' ? { between: once } : {}),
  });
  assert.ok(isDone);
  assert.equal(found.verification!.report.verdict, 'pushable');
  for (const { reference, digest: actual } of pushed.blobs()) assert.equal(actual, reference);
  assert.equal(double.uploads.size, 0, 'an upload was left open');
  const [depot] = good.records.filter(({ name }) => name === 'depot');
  assert.equal(double.manifest('cookbook/depot', '2.0.0')?.digest, depot!.digest);
  return { found, double, pushed, digest, parts };
}

const places: readonly Part[] = ['recipe', 'document', 'signature', 'payload', 'manifest', 'config', 'layer'];
for (const part of places)
  for (const [name, change] of [flip, cut, replace, remove, relink])
    test(`a ${part} that ${name} between its verification and its push lands nowhere, its neighbours do`, async () => {
      const { found, double, digest, parts } = await run(part, change, 'between');
      for (const repository of double.repositories()) {
        assert.equal(double.blob(repository, digest), undefined);
        assert.equal(double.manifest(repository, digest), undefined);
      }
      assert.equal(double.manifest('cookbook/shop', '1.4.0'), undefined);
      assert.equal(double.manifest('cookbook/shop', parts.recipe), undefined);
      const codes = found.items.filter(({ error }) => error).map(({ error }) => error!.code);
      assert.ok(codes.length > 0);
      for (const code of codes) assert.match(code, /^SVC-(?:SIG-00[123]|MED-01[0-4]|STO-001|REG-005)$/);
      assert.equal(found.imported!.isComplete, false);
      assert.equal(found.freshness, undefined);
    });

const last = (path: string) => damageFile(path, layerSize - 1);
for (const [name, change, code] of [
  ['has its last byte flipped', last, 'SVC-MED-012'],
  ['is cut short', (path: string) => truncate(path, layerSize - 100), 'SVC-MED-011'],
] as const)
  test(`a layer that ${name} while it is under way is never finished, and its neighbours land`, async () => {
    const { found, double, pushed, digest } = await run('layer', change, 'underway');
    for (const repository of double.repositories()) assert.equal(double.blob(repository, digest), undefined);
    assert.ok(
      pushed.pushes.some(({ method }) => method === 'DELETE'),
      'the upload was not cancelled',
    );
    assert.ok(!pushed.blobs().some(({ reference }) => reference === digest), 'the upload was finished');
    const item = found.items.find((one) => one.name === 'shop@1.4.0/web');
    assert.deepEqual([item?.status, item?.error?.code], ['failed', code]);
    assert.equal(found.freshness, undefined);
  });

test('a layer that grows while it is under way is pushed as it was judged, or not at all', async () => {
  const { double, digest } = await run(
    'layer',
    async (path) => {
      const file = await open(path, 'a');
      await file.write('more');
      await file.close();
    },
    'underway',
  );
  for (const repository of double.repositories()) assert.equal(double.blob(repository, digest), undefined);
});

test('a layer whose name gets another file while it is under way is pushed as it was opened', async () => {
  const { double, found, digest } = await run('layer', replace[1], 'underway');
  assert.ok(
    double.repositories().some((repository) => double.blob(repository, digest)?.length === layerSize),
  );
  assert.equal(found.imported!.isComplete, true);
});
