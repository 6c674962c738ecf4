import { execFileSync } from 'node:child_process';
import { appendFile, copyFile, cp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyStore } from '../../../../src/store/empty-store.ts';
import { recordSync } from '../../../../src/store/record-sync.ts';
import { type CarriedMedium, remake } from '../../scene/carried-medium.ts';
import { buildMedium } from '../../scene/medium.ts';
import { damageFile } from '../damage-file.ts';
import type { Mutation } from './mutation.ts';

/** The recipe ledger as its maker would have written it with other recipes, listed as if it belonged. */
const swapRecipes =
  (names: readonly string[], change = (one: any) => one) =>
  async (medium: CarriedMedium) => {
    const [first] = medium.made.records;
    const { zone, runId, resolvedAt } = first!;
    const records = medium.made.records.filter(({ name }) => names.includes(name)).map(change);
    const other = await remake(medium.made, (store) =>
      recordSync(store, { zone, runId, resolvedAt }, records),
    );
    const path = await medium.ledger('recipes');
    await copyFile(join(other, path), join(medium.root, path));
    await medium.relist(path);
  };

const ledgerPath = (name: 'content' | 'recipes') => async (medium: CarriedMedium) =>
  join(medium.root, await medium.ledger(name));

export const ledgerMutations: readonly Mutation[] = [
  {
    name: 'the content ledger extended',
    spoil: async (medium) => appendFile(await ledgerPath('content')(medium), 'x'),
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-022'],
  },
  {
    name: 'the content ledger extended, and its line adapted',
    spoil: async (medium) => {
      await appendFile(await ledgerPath('content')(medium), 'x');
      await medium.relist(await medium.ledger('content'));
    },
    shop: 'pushable',
    depot: 'pushable',
  },
  {
    name: 'the recipe ledger extended',
    spoil: async (medium) => appendFile(await ledgerPath('recipes')(medium), 'x'),
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'a byte of a recipe record flipped',
    spoil: async (medium) => {
      const path = await ledgerPath('recipes')(medium);
      await damageFile(path, (await stat(path)).size - 30);
    },
    blocks: ['SVC-MED-005', 'SVC-MED-005'],
  },
  {
    name: 'the recipe ledger missing',
    spoil: async (medium) => rm(await ledgerPath('recipes')(medium)),
    blocks: ['SVC-MED-005', 'SVC-MED-005'],
  },
  {
    name: 'the recipe ledger missing without a trace, as if there were no recipes',
    spoil: async (medium) => {
      const path = await medium.ledger('recipes');
      await rm(join(medium.root, path));
      await medium.editManifest((header, lines) => {
        header.recipes = [];
        return lines.filter((line) => line.path !== path);
      });
    },
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'a recipe ledger with one recipe less, listed as if it belonged',
    spoil: swapRecipes(['shop']),
    shop: 'pushable',
    blocks: ['SVC-MED-005'],
    findings: ['SVC-MED-021'],
  },
  {
    name: 'a recipe ledger with one recipe more, listed as if it belonged',
    spoil: swapRecipes(['shop', 'depot'], (one) =>
      one.name === 'depot' ? { ...one, name: 'depot', version: '3.0.0', tag: '3.0.0' } : one,
    ),
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-005', 'SVC-MED-005'],
    findings: ['SVC-MED-022'],
  },
  {
    name: 'the ledgers of another medium',
    spoil: async (medium) => {
      await using other = await buildMedium();
      await rm(join(medium.root, 'ledger'), { recursive: true });
      await cp(join(other.root, 'ledger'), join(medium.root, 'ledger'), { recursive: true });
    },
    blocks: ['SVC-MED-005', 'SVC-MED-005'],
    findings: ['SVC-MED-022'],
  },
  {
    name: 'the recipe ledger of another medium, listed as if it belonged',
    spoil: async (medium) => {
      await using other = await buildMedium();
      const path = await medium.ledger('recipes');
      await copyFile(join(other.root, path), join(medium.root, path));
      await medium.relist(path);
    },
    shop: 'pushable',
    depot: 'pushable',
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'a ledger that is planted beside the listed one',
    spoil: async (medium) => {
      const other = await remake(medium.made, (store) => emptyStore(store).then(() => {}));
      for (const name of await readdir(join(other, 'ledger')))
        await copyFile(join(other, 'ledger', name), join(medium.root, 'ledger', name));
    },
    blocks: ['SVC-MED-005', 'SVC-MED-005'],
    findings: ['SVC-MED-022', 'SVC-MED-020'],
  },
  {
    name: 'a leftover beside the ledgers, which counts for nothing',
    spoil: (medium) => writeFile(join(medium.root, 'ledger', 'recipes-00000009.jsonl'), 'x'),
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-020'],
  },
  {
    name: 'no ledgers at all',
    spoil: (medium) => rm(join(medium.root, 'ledger'), { recursive: true }),
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'the content ledger missing, which only says where to look',
    spoil: async (medium) => rm(await ledgerPath('content')(medium)),
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-022'],
  },
  ...[50, 200, 1000, 6000].map(
    (offset): Mutation => ({
      name: `byte ${offset} of the content ledger flipped, which only says where to look`,
      spoil: async (medium) => damageFile(await ledgerPath('content')(medium), offset),
      shop: 'pushable',
      depot: 'pushable',
      findings: ['SVC-MED-022'],
    }),
  ),
  {
    name: 'the content ledger missing, and the index as well: only its tag leads to a classic signature',
    spoil: async (medium) => {
      await rm(await ledgerPath('content')(medium));
      await rm(join(medium.root, 'index.json'));
    },
    shop: 'SVC-SIG-001',
    depot: 'pushable',
    findings: ['SVC-MED-010', 'SVC-MED-022'],
  },
  {
    name: 'a pipe in the place of the recipe ledger',
    spoil: async (medium) => {
      const path = await ledgerPath('recipes')(medium);
      await rm(path);
      execFileSync('mkfifo', [path]);
    },
    blocks: ['SVC-MED-005'],
  },
];
