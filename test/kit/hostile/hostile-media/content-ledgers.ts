import { hashBytes } from '../../../../src/base/digest.ts';
import type { CarriedMedium } from '../../scene/carried-medium.ts';
import { forgeLedger } from '../forge-ledger.ts';
import type { Mutation } from '../mutations/mutation.ts';
import { type HostileMedium, harmless } from './hostile-medium.ts';

type Change = (records: any[], medium: CarriedMedium) => Promise<readonly unknown[]> | readonly unknown[];

const contentLie = (
  name: string,
  change: Change,
  expected: Omit<Mutation, 'name' | 'spoil'> = harmless,
): HostileMedium => ({
  name: `a forged content ledger: ${name}`,
  spoil: async (medium) => {
    let records: any[] = [];
    await forgeLedger(medium, 'content', (all) => {
      records = all;
      return all;
    });
    const changed = await change(structuredClone(records), medium);
    await forgeLedger(medium, 'content', () => changed);
  },
  ...expected,
});

/** Content ledgers that say something else than the content. */
export const contentLies: HostileMedium[] = [
  contentLie(
    'every tag on one manifest',
    (records) => {
      const [tag] = records.filter(({ op }) => op === 'tag');
      return records.map((one) => (one.op === 'tag' ? { ...one, digest: tag.digest } : one));
    },
    { shop: 'SVC-SIG-001' },
  ),
  contentLie('tags that claim another kind and owner', (records) =>
    records.map((one) =>
      one.op === 'tag' ? { ...one, kind: 'OCIArtifact', owner: { provenance: 'push' } } : one,
    ),
  ),
  contentLie(
    'tags with names that are paths',
    (records) => [
      ...records,
      { ...records.find(({ op }) => op === 'tag'), repo: '../../etc', tag: '../passwd' },
    ],
    harmless,
  ),
  contentLie(
    'a digest that is a path',
    (records) => [...records, { op: 'put', repo: 'x', digest: 'sha256:../../../../etc/passwd' }],
    harmless,
  ),
  contentLie('no tags', (records) => records.filter(({ op }) => op !== 'tag'), harmless),
  contentLie('nothing but its first record', (records) => records.slice(0, 1), harmless),
  contentLie('sizes of another world', (records) =>
    records.map((one) =>
      one.op === 'manifest'
        ? {
            ...one,
            size: 2 ** 50,
            blobs: (one.blobs ?? []).map((b: unknown) => (typeof b === 'number' ? 2 ** 50 : b)),
          }
        : one,
    ),
  ),
  contentLie('types of another world', (records) =>
    records.map((one) =>
      one.op === 'manifest' ? { ...one, type: 'text/html', artifactType: 'text/html' } : one,
    ),
  ),
  contentLie('manifests that reach nothing', (records) => records.map(({ blobs, manifests, ...one }) => one)),
  contentLie('an index that holds itself', (records) =>
    records.map((one) =>
      one.op === 'manifest' && one.manifests ? { ...one, manifests: [one.digest] } : one,
    ),
  ),
  contentLie('the bundle of one recipe said to be about the other', async (records, medium) => {
    const { recipe } = await medium.parts('shop');
    return records.map((one) => (one.subject ? { ...one, subject: recipe } : one));
  }),
  contentLie(
    'the signature tag of one recipe on the bundle of the other',
    async (records, medium) => {
      const { signature } = await medium.parts('depot');
      return records.flatMap((one) =>
        one.op === 'tag' && one.tag.endsWith('.sig')
          ? [
              { op: 'put', repo: one.repo, digest: signature },
              { ...one, digest: signature },
            ]
          : [one],
      );
    },
    { shop: 'SVC-SIG-001' },
  ),
  contentLie('a stranger under the tag of an ingredient', async (records, medium) => {
    const { record, recipe } = await medium.parts('depot');
    const { repository } = record.ingredients[0]!;
    return records.flatMap((one) =>
      one.op === 'tag' && one.repo === repository
        ? [
            { op: 'put', repo: repository, digest: recipe },
            { ...one, digest: recipe },
          ]
        : [one],
    );
  }),
  contentLie('uploads and mounts of anything by anybody', (records) => [
    ...records,
    { op: 'upload', repo: 'x', digest: hashBytes('x'), size: 1, actor: 'admin', at: 4e15, from: 'y' },
  ]),
  contentLie(
    'another medium',
    (records) => [{ ...records[0], id: crypto.randomUUID() }, ...records.slice(1)],
    { blocks: ['SVC-MED-005', 'SVC-MED-005'] },
  ),
  contentLie('another format', (records) => [{ ...records[0], format: 99 }, ...records.slice(1)], {
    blocks: ['SVC-MED-004'],
  }),
];
