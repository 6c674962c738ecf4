import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { toMediumExitCode } from '../../../src/engine/medium/report.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { forgeLedger } from '../../kit/hostile/forge-ledger.ts';
import { type CarriedMedium, carry, remake } from '../../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

let medium: BuiltMedium;
before(async () => {
  medium = await buildMedium();
});
after(() => medium[Symbol.asyncDispose]());

const run = { zone: 'zone-b', runId: 'run-of-the-maker', resolvedAt: '2026-01-02T03:04:05.000Z' };

/** Takes recipes out of the recipe ledger and of the manifest, so that both agree. */
async function cut(carried: CarriedMedium, names: readonly string[]): Promise<void> {
  await forgeLedger(carried, 'recipes', (records) =>
    records.filter(({ op, name }) => op !== 'recipe' || !names.includes(name)),
  );
  await carried.editManifest((header) => {
    header.recipes = header.recipes.filter(({ name }: { name: string }) => !names.includes(name));
    return undefined;
  });
}

const codesOf = ({ blocks }: { readonly blocks: readonly { readonly code: string }[] }) =>
  blocks.map(({ code }) => code);

for (const names of [['depot'], ['shop'], ['shop', 'depot']]) {
  test(`a recipe graph that was cut blocks the medium and names what is gone: ${names}`, async () => {
    const carried = await carry(medium);
    await cut(carried, names);
    const { report, cleared } = await verifyCarried(carried.root, trust(medium.signer));
    assert.equal(report.verdict, 'blocked');
    assert.deepEqual(
      codesOf(report),
      names.map(() => 'SVC-MED-005'),
    );
    const paths = report.blocks.map(({ params }) => String(params.path).replace(/@.*/, ''));
    assert.deepEqual(paths.sort(), names.map((name) => `recipes/${name}`).sort());
    assert.deepEqual(cleared, []);
    assert.equal(toMediumExitCode(report), 4);
  });
}

test('a recipe that was cut out of both ledgers is found by what index.json names', async () => {
  const carried = await carry(medium);
  const { record } = await carried.parts('shop');
  await cut(carried, ['shop']);
  await forgeLedger(carried, 'content', (records) =>
    records.filter((one) => one.repo !== record.repository && one.digest !== record.digest),
  );
  const { report } = await verifyCarried(carried.root, trust(medium.signer));
  assert.equal(report.verdict, 'blocked');
  assert.deepEqual(codesOf(report), ['SVC-MED-005']);
  assert.equal(report.blocks[0]!.params.path, 'recipes/shop@1.4.0');
});

test('an unlisted recipe without a trusted signature does not block the medium', async () => {
  const carried = await carry(medium);
  await cut(carried, ['depot']);
  const other = createSigner();
  const { report } = await verifyCarried(carried.root, trust(other));
  assert.ok(!codesOf(report).includes('SVC-MED-005'));
});

test('recipes that the source holds beside those it delivers are named by it, and block nothing', async () => {
  const root = await remake(medium, (store) =>
    recordSync(
      store,
      run,
      medium.records.filter(({ name }) => name === 'shop'),
    ),
  );
  const [first] = (await readFile(join(root, 'media.jsonl'), 'utf8')).split('\n');
  const header = JSON.parse(first!);
  const depot = medium.records.find(({ name }) => name === 'depot')!;
  assert.deepEqual(header.otherRecipes, [depot.digest]);
  const { report } = await verifyCarried(root, trust(medium.signer));
  assert.deepEqual(report.blocks, []);
  assert.equal(report.verdict, 'pushable');
  assert.deepEqual(
    report.recipes.map(({ name }) => name),
    ['shop'],
  );
});

test('a medium without a recipe is blocked: nothing of it was verified', async () => {
  const root = await remake(medium, (store) => recordSync(store, run, []));
  const { report } = await verifyCarried(root, trust(medium.signer));
  assert.equal(report.verdict, 'blocked');
  assert.deepEqual(codesOf(report), ['SVC-MED-025']);
  assert.equal(toMediumExitCode(report), 4);
});

test('a waived guard does not turn a medium without a recipe into one that passed', async () => {
  const root = await remake(medium, (store) => recordSync(store, run, []));
  const options = { zone: 'zone-x', waive: { zoneMismatch: true, stale: true } };
  const { report } = await verifyCarried(root, trust(medium.signer), options);
  assert.equal(report.verdict, 'blocked');
  assert.deepEqual(codesOf(report), ['SVC-MED-006', 'SVC-MED-025']);
  assert.equal(toMediumExitCode(report), 4);
});

test('other recipes that are no digests make the manifest unreadable', async () => {
  const carried = await carry(medium);
  const path = join(carried.root, 'media.jsonl');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(/"otherRecipes":\[\]/, '"otherRecipes":["x"]'));
  const { report } = await verifyCarried(carried.root, trust(medium.signer));
  assert.deepEqual(codesOf(report), ['SVC-MED-002']);
});
