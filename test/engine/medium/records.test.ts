import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { RecipeRecord } from '../../../src/catalog/model.ts';
import type { RecipeIngredientRecord } from '../../../src/contract/recipe.ts';
import { toMediumExitCode } from '../../../src/engine/medium/report.ts';
import { buildIndex } from '../../kit/content/content.ts';
import { buildMedium, defaultRecipes, type MediumRecipe } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

const ingredient = (change: Partial<RecipeIngredientRecord>) => (record: RecipeRecord) => ({
  ...record,
  ingredients: record.ingredients.map((one, i) => (i === 0 ? { ...one, ...change } : one)),
});

const lies: readonly [name: string, lie: (record: RecipeRecord) => RecipeRecord, path: RegExp][] = [
  ['name', (record) => ({ ...record, name: 'shop2' }), /name$/],
  ['a name like a member of every object', (record) => ({ ...record, name: 'constructor' }), /name$/],
  ['version', (record) => ({ ...record, version: '9.9.9' }), /version$/],
  ['tag', (record) => ({ ...record, tag: 'latest' }), /tag$/],
  ['document', (record) => ({ ...record, documentDigest: hashBytes('x') }), /documentDigest$/],
  ['cookbook', (record) => ({ ...record, cookbook: 'other.example/cookbook' }), /repository$/],
  ['a cookbook that is none', (record) => ({ ...record, cookbook: '../..' }), /cookbook$/],
  [
    'an ingredient less',
    (record) => ({ ...record, ingredients: record.ingredients.slice(1) }),
    /ingredients$/,
  ],
  [
    'an ingredient more',
    (record) => ({ ...record, ingredients: [...record.ingredients, record.ingredients[0]!] }),
    /ingredients$/,
  ],
  [
    'the order of ingredients',
    (record) => ({ ...record, ingredients: record.ingredients.toReversed() }),
    /name$/,
  ],
  ['ingredient name', ingredient({ name: 'x' }), /name$/],
  ['ingredient kind', ingredient({ kind: 'FileSet' }), /kind$/],
  ['ingredient reference', ingredient({ ref: 'evil.example/shop/web' }), /ref$/],
  ['ingredient tag', ingredient({ tag: 'latest' }), /tag$/],
  ['ingredient digest', ingredient({ digest: hashBytes('x') }), /digest$/],
  ['ingredient platforms', ingredient({ platforms: ['linux/amd64'] }), /platforms$/],
  ['ingredient repository', ingredient({ repository: 'evil' }), /repository$/],
  [
    'ingredient repository under a prefix of its own',
    ingredient({ repository: 'evil/origin.example_5000/shop/web' }),
    /repository$/,
  ],
];

for (const [name, lie, path] of lies) {
  test(`a recipe ledger that lies about ${name} blocks the medium whole`, async () => {
    await using medium = await buildMedium({
      record: (record) => (record.name === 'shop' ? lie(record) : record),
    });
    const { report, cleared } = await verifyCarried(medium.root, trust(medium.signer));
    assert.deepEqual(
      report.blocks.map(({ code, waivable }) => [code, waivable]),
      [['SVC-MED-005', false]],
    );
    const { params } = report.blocks[0]!;
    assert.match(String(params.path), path);
    assert.notEqual(params.expected, params.actual);
    assert.equal(params.mediaId, report.medium!.mediaId);
    assert.equal(report.verdict, 'blocked');
    assert.equal(toMediumExitCode(report), 4);
    assert.deepEqual(cleared, []);
  });
}

test('a record that points at another manifest blocks that recipe: that manifest is not signed', async () => {
  await using medium = await buildMedium({
    record: (record) =>
      record.name === 'shop' ? { ...record, digest: record.ingredients[0]!.digest } : record,
  });
  const { report } = await verifyCarried(medium.root, trust(medium.signer));
  assert.deepEqual(
    report.recipes.map(({ reason }) => reason?.code),
    ['SVC-SIG-001', undefined],
  );
  assert.deepEqual(report.blocks, []);
});

function sparse(demanded: readonly string[], carried: readonly string[]): MediumRecipe[] {
  const [shop, depot] = defaultRecipes();
  const index = buildIndex('worker', ['linux/amd64', 'linux/arm64', 'linux/arm/v6']);
  const artifact = {
    ...index,
    children: index.children.filter(({ platform }) => carried.includes(platform)),
  };
  return [
    shop!,
    {
      ...depot!,
      ingredients: [
        { ...depot!.ingredients[0]!, artifact, ...(demanded.length > 0 ? { platforms: demanded } : {}) },
      ],
    },
  ];
}

const platforms: readonly [name: string, demanded: string[], carried: string[], code: string | undefined][] =
  [
    ['a sparse image with the platforms that are demanded', ['linux/amd64'], ['linux/amd64'], undefined],
    ['a platform in its other spelling', ['linux/arm64/v8'], ['linux/arm64'], undefined],
    [
      'a sparse image without a platform that is demanded',
      ['linux/amd64', 'linux/arm64'],
      ['linux/amd64'],
      'SVC-MED-010',
    ],
    ['a sparse image of which all platforms are demanded', [], ['linux/amd64'], 'SVC-MED-010'],
    ['a platform that the image does not have', ['linux/s390x'], ['linux/amd64'], 'SVC-REG-008'],
  ];

for (const [name, demanded, carried, code] of platforms) {
  test(`${name}: ${code ?? 'pushable'}`, async () => {
    await using medium = await buildMedium({
      recipes: sparse(demanded, carried),
      // the maker writes platforms in their canonical form
      record: (record) =>
        record.name === 'depot' && demanded.includes('linux/arm64/v8')
          ? ingredient({ platforms: ['linux/arm64'] })(record)
          : record,
    });
    const { report } = await verifyCarried(medium.root, trust(medium.signer));
    assert.deepEqual(report.blocks, []);
    assert.deepEqual(
      report.recipes.map(({ reason }) => reason?.code),
      [undefined, code],
    );
    assert.equal(toMediumExitCode(report), code === undefined ? 0 : 4);
  });
}
