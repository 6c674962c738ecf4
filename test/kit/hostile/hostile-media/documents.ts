import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceRecipe } from '../../content/replace-recipe.ts';
import { type HostileMedium, harmless, nest } from './hostile-medium.ts';

/** The files that make a layout of a medium, with other content. */
export const layouts: HostileMedium[] = [
  ...(
    [
      [
        'with digests that are paths',
        '{"schemaVersion":2,"manifests":[{"mediaType":"x","digest":"sha256:../../../../etc/passwd","size":1}]}',
      ],
      ['that says null', 'null'],
      ['that is empty', ''],
      ['nested 100 000 deep', nest(100_000)],
      [
        'with addresses to fetch from',
        '{"schemaVersion":2,"manifests":[{"mediaType":"x","digest":"sha256:00","size":1,"urls":["http://127.0.0.1:1/x","file:///etc/passwd"]}]}',
      ],
    ] as const
  ).map(
    ([name, text]): HostileMedium => ({
      name: `an index.json ${name}, its line adapted`,
      spoil: async (medium) => {
        await writeFile(join(medium.root, 'index.json'), text);
        await medium.relist('index.json');
      },
      ...harmless,
    }),
  ),
  {
    name: 'an oci-layout of another version, its line adapted',
    spoil: async (medium) => {
      await writeFile(join(medium.root, 'oci-layout'), '{"imageLayoutVersion":"../../9"}');
      await medium.relist('oci-layout');
    },
    ...harmless,
  },
];

const head = 'apiVersion: recipe.tobby.dev/v1alpha1\nkind: Recipe\nmetadata: {name: shop, version: 1.4.0}\n';
/** Signed by the very key that the zone trusts: only the effect of the document on its reader is left. */
export const documents: HostileMedium[] = (
  [
    [
      'aliases that expand',
      `${head}a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map((n, i) => `${n}: &${n} [${Array(9).fill(`*${'abcdefghi'[i]}`).join()}]`)
        .join('\n')}\n`,
    ],
    ['an alias to itself', `${head}spec: &a {ingredients: [*a]}\n`],
    ['merges of itself', `${head}spec: &a\n  <<: *a\n`],
    ['nesting', `${head}spec: ${nest(20_000)}\n`],
    [
      'nesting by indentation',
      `${head}spec:\n${Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i + 1)}a:`).join('\n')}\n`,
    ],
    ['a key of 900 000 characters', `${head}? ${'k'.repeat(900_000)}\n: 1\n`],
    ['keys twice', `${head}kind: Recipe\nspec: {ingredients: []}\n`],
    ['tags that make objects', `${head}spec: !!js/function 'function () { process.exit(1) }'\n`],
    ['two documents', `${head}spec: {ingredients: []}\n---\n${head}`],
    ['a prototype', `${head}__proto__: {spec: {ingredients: []}}\n`],
    ['bytes that are no UTF-8', Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xfe, 0x00])])],
    ['nothing', ''],
    ['three mebibytes', `${head}#${'x'.repeat(3 << 20)}\n`],
    ['a hundred thousand ingredients', `${head}spec:\n  ingredients:\n${'  - {name: a}\n'.repeat(100_000)}`],
    [
      'ingredients at paths',
      `${head}spec:\n  ingredients:\n  - {name: web, kind: ContainerImage, ref: "../../../etc/passwd", version: "../x", digest: "sha256:../../x"}\n`,
    ],
  ] as const
).map(
  ([name, text]): HostileMedium => ({
    name: `a signed document with ${name}`,
    spoil: (medium) => replaceRecipe(medium, 'shop', Buffer.from(text as string)),
    shop: 'SVC-VAL-001',
  }),
);
