import { hashBytes } from '../../../../src/base/digest.ts';
import { forgeLedger } from '../forge-ledger.ts';
import type { Mutation } from '../mutations/mutation.ts';
import { type HostileMedium, harmless, lying, nest } from './hostile-medium.ts';

/** A recipe ledger that says something else in one member of its first recipe. */
const recipeLie = (
  name: string,
  change: (record: any) => void,
  expected: Omit<Mutation, 'name' | 'spoil'> = lying,
): HostileMedium => ({
  name: `a forged recipe ledger with another ${name}`,
  spoil: async (medium) => {
    let record: any;
    await forgeLedger(medium, 'recipes', (records) => {
      record = records.find((one) => one.op === 'recipe');
      change(record);
      return records;
    });
    // a forger of the ledger forges the header with it
    await medium.editManifest((header) => {
      const { name, version, repository, digest } = record;
      header.recipes[0] = { name, version, repository, digest };
      return undefined;
    });
  },
  ...expected,
});
const ingredientLie = (name: string, change: (ingredient: any) => void): HostileMedium =>
  recipeLie(`ingredient ${name}`, (record) => change(record.ingredients[0]));

/** Recipe ledgers that say something else than the signed documents. */
export const recipeLies: HostileMedium[] = [
  recipeLie('name', (r) => {
    r.name = 'depot';
  }),
  recipeLie('name that is a path', (r) => {
    r.name = '../../../../tmp/evil';
  }),
  recipeLie('version', (r) => {
    r.version = '9.9.9';
  }),
  recipeLie('version and tag: an older signed recipe under a newer name', (r) => {
    r.version = '9.9.9';
    r.tag = '9.9.9';
  }),
  recipeLie('tag', (r) => {
    r.tag = '../../latest';
  }),
  recipeLie('cookbook', (r) => {
    r.cookbook = 'evil.example/cookbook';
  }),
  recipeLie('cookbook that is an address of the inside', (r) => {
    r.cookbook = '169.254.169.254/cookbook';
  }),
  recipeLie(
    'repository that is a path',
    (r) => {
      r.repository = '../../../etc';
    },
    { shop: 'SVC-SIG-001' },
  ),
  recipeLie(
    'repository',
    (r) => {
      r.repository = 'origin.example_5000/cookbook/depot';
    },
    { shop: 'SVC-SIG-001' },
  ),
  recipeLie('document', (r) => {
    r.documentDigest = hashBytes('x');
  }),
  recipeLie('digest: that of the neighbour', (r) => {
    r.digest = r.ingredients[0].digest;
  }),
  recipeLie(
    'zone',
    (r) => {
      r.zone = 'zone-z';
    },
    harmless,
  ),
  recipeLie(
    'run',
    (r) => {
      r.runId = '../../run';
    },
    harmless,
  ),
  recipeLie(
    'time',
    (r) => {
      r.resolvedAt = '2099-01-01T00:00:00Z';
    },
    harmless,
  ),
  recipeLie(
    'word on its signature',
    (r) => {
      r.verified = false;
      r.keyFingerprint = '0'.repeat(64);
      r.trustScope = 'everything';
    },
    harmless,
  ),
  ingredientLie('name', (one) => {
    one.name = '__proto__';
  }),
  ingredientLie('kind', (one) => {
    one.kind = 'FileSet';
  }),
  ingredientLie('reference', (one) => {
    one.ref = 'evil.example/shop/web';
  }),
  ingredientLie('repository', (one) => {
    one.repository = '../../blobs';
  }),
  ingredientLie('tag', (one) => {
    one.tag = 'latest';
  }),
  ingredientLie('digest', (one) => {
    one.digest = hashBytes('x');
  }),
  ingredientLie('platforms', (one) => {
    one.platforms = ['plan9/mips'];
  }),
  {
    name: 'a forged recipe ledger whose records are none',
    spoil: (medium) =>
      forgeLedger(medium, 'recipes', ([first, ...rest]) => [
        first,
        { op: '__proto__' },
        { op: 'recipe' },
        7,
        ...rest,
      ]),
    ...harmless,
  },
  {
    name: 'a forged recipe ledger nested 50 000 deep',
    spoil: (medium) =>
      forgeLedger(medium, 'recipes', (records) => [
        ...records,
        `{"op":"recipe","ingredients":${nest(50_000)}}`,
      ]),
    ...harmless,
  },
  {
    name: 'a forged recipe ledger with 1000 recipes of the same artifact',
    spoil: (medium) =>
      forgeLedger(medium, 'recipes', (records) => {
        const record = records.find((one) => one.op === 'recipe');
        return [...records, ...Array.from({ length: 1000 }, (_, i) => ({ ...record, version: `9.${i}.0` }))];
      }),
    blocks: ['SVC-MED-005'],
  },
];
