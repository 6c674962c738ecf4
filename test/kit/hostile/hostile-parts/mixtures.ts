import { cp, rm } from 'node:fs/promises';
import { forgeLedger } from '../forge-ledger.ts';
import { at, editHeader, type HostilePart } from './hostile-part.ts';

const otherId = 'dlv_ba9876543210';

/** Parts that do not belong together, or say so. */
export const mixtures: readonly HostilePart[] = [
  { name: 'the same part twice', before: [1], findings: [] },
  { name: 'the same part again after all', before: [1, 2], shop: 'landed', yard: 'landed' },
  { name: 'the last part again after all', before: [1, 2], part: 2, shop: 'landed', depot: 'landed' },
  {
    name: 'a part of a delivery that another signer made',
    make: ({ other }) => other.carry(1),
    shop: 'SVC-SIG-001',
    depot: 'SVC-SIG-001',
    yard: 'SVC-SIG-001',
  },
  {
    name: 'a part of a delivery that another signer made, after an honest one',
    before: [2],
    make: ({ other }) => other.carry(1),
    shop: 'SVC-SIG-001',
    depot: 'SVC-SIG-001',
    yard: 'SVC-SIG-001',
    findings: ['SVC-MED-049'],
  },
  {
    name: 'another part under the name of an imported one, from another signer',
    before: [1],
    make: ({ other }) => other.carry(1),
    shop: 'SVC-SIG-001',
    depot: 'SVC-SIG-001',
    yard: 'SVC-SIG-001',
    findings: ['SVC-MED-044'],
  },
  {
    name: 'a part of an older delivery, after a later one is complete',
    before: [1, 2],
    make: ({ older }) => older.carry(1),
    blocks: ['SVC-MED-007'],
  },
  {
    name: 'a part of an older delivery of another signer, after a later one is complete',
    before: [1, 2],
    make: ({ other }) => other.carry(1),
    spoil: (part) =>
      editHeader(part, (header) => Object.assign(header, { resolvedAt: '2020-01-01T00:00:00Z' })),
    blocks: ['SVC-MED-007'],
    shop: 'SVC-SIG-001',
  },
  {
    name: 'a part under another delivery',
    spoil: (part) => editHeader(part, (header) => Object.assign(header.delivery, { id: otherId })),
  },
  {
    name: 'a part under another delivery, after its sibling',
    before: [2],
    spoil: (part) => editHeader(part, (header) => Object.assign(header.delivery, { id: otherId })),
    shop: 'landed',
    yard: 'landed',
  },
  {
    name: 'a part that was written again, with other bytes beside its content',
    before: [1],
    spoil: (part) => editHeader(part, (header) => Object.assign(header.producedBy, { runId: 'another-run' })),
    findings: ['SVC-MED-044'],
  },
  {
    name: 'a part with the identifier of another medium',
    before: [1],
    spoil: (part) =>
      editHeader(part, (header) =>
        Object.assign(header, { mediaId: '00000000-0000-4000-8000-000000000000' }),
      ),
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'blobs of one part on the other, unlisted',
    part: 2,
    spoil: async (part, { delivery }) => {
      const one = await delivery.carry(1);
      await cp(at(one, 'blobs'), at(part, 'blobs'), { recursive: true });
    },
    findings: ['SVC-MED-020'],
  },
  {
    name: 'segments of one part on the other, unlisted',
    part: 2,
    spoil: async (part, { delivery }) => {
      const one = await delivery.carry(1);
      await cp(at(one, 'segments'), at(part, 'segments'), { recursive: true });
    },
    findings: ['SVC-MED-020'],
  },
  {
    name: 'the list of absent blobs of the other part',
    spoil: async (part, { delivery }) => {
      const other = await delivery.carry(2);
      await cp(at(other, 'absent.jsonl'), at(part, 'absent.jsonl'));
      await part.relist('absent.jsonl');
    },
    blocks: ['SVC-MED-002'],
  },
  {
    name: 'the manifest of the other part',
    spoil: async (part, { delivery }) => {
      const other = await delivery.carry(2);
      await cp(at(other, 'media.jsonl'), at(part, 'media.jsonl'));
    },
    blocks: ['SVC-MED-011'],
  },
  {
    name: 'the blobs of the other part instead of its own',
    spoil: async (part, { delivery }) => {
      const other = await delivery.carry(2);
      await rm(at(part, 'blobs'), { recursive: true });
      await cp(at(other, 'blobs'), at(part, 'blobs'), { recursive: true });
    },
    shop: 'SVC-MED-010',
    depot: 'SVC-MED-010',
    findings: ['SVC-MED-010', 'SVC-MED-020'],
  },
  {
    name: 'one part copied over the other, as onto one disk',
    spoil: async (part, { delivery }) => {
      const other = await delivery.carry(2);
      await cp(other.root, part.root, { recursive: true });
    },
    part: 1,
    findings: ['SVC-MED-020'],
    shop: 'waiting',
    depot: 'waiting',
    yard: 'landed',
  },
  {
    name: 'a part within another part',
    spoil: async (part, { delivery }) => {
      const other = await delivery.carry(2);
      await cp(other.root, at(part, 'part-2'), { recursive: true });
    },
    findings: ['SVC-MED-020'],
  },
  {
    name: 'a part whose recipe ledger has only one of the recipes, its lists adapted',
    spoil: async (part) => {
      await forgeLedger(part, 'recipes', (records) =>
        records.filter(({ op, name }) => op !== 'recipe' || name === 'depot'),
      );
      await editHeader(part, (header) => {
        const [own, others] = [[], []] as [any[], any[]];
        for (const recipe of header.recipes) (recipe.name === 'depot' ? own : others).push(recipe);
        header.recipes = own;
        header.otherRecipes = others.map(({ digest }) => digest);
      });
    },
    before: [2],
    shop: 'absent',
    yard: 'absent',
    findings: ['SVC-MED-049', 'SVC-MED-021', 'SVC-MED-022'],
  },
  {
    name: 'a part whose recipe ledger has a recipe of nobody',
    spoil: (part) =>
      forgeLedger(part, 'recipes', (records) => {
        const recipe = records.find(({ op }) => op === 'recipe');
        return [...records, { ...recipe, name: 'evil', version: '9.9.9' }];
      }),
    blocks: ['SVC-MED-005'],
  },
];
