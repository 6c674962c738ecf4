import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { toMediumExitCode } from '../../../src/engine/medium/report.ts';
import { signatureTag } from '../../../src/oci/reference.ts';
import type { TrustPolicy } from '../../../src/trust/model.ts';
import { createSigner, mergeClassic, type SignatureLayout, type Tamper } from '../../kit/content/signer.ts';
import { buildMedium, defaultRecipes, type MediumRecipe } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

/** The default recipes, the first of them changed. */
function withShop(change: Partial<MediumRecipe>): MediumRecipe[] {
  const [shop, ...others] = defaultRecipes();
  return [{ ...shop!, ...change }, ...others];
}

const foreign = createSigner();
const layouts: readonly SignatureLayout[] = ['classic', 'bundle'];
const tampers: readonly Tamper[] = [
  'other-subject',
  'changed-payload',
  'broken-signature',
  'no-base64',
  'wrong-type',
];

// a certificate beside a classic signature that our key made takes nothing from it: only bundles are wrong by it
const tampersOf = (layout: SignatureLayout): readonly Tamper[] =>
  layout === 'bundle' ? [...tampers, 'keyless'] : tampers;

const refused: { name: string; shop: Partial<MediumRecipe>; reason: string }[] = [
  { name: 'no signature', shop: { unsigned: true }, reason: 'none' },
  ...layouts.flatMap((layout) => [
    {
      name: `a ${layout} signature of a foreign key`,
      shop: { layout, signer: foreign },
      reason: 'untrusted',
    },
    ...tampersOf(layout).map((tamper) => ({
      name: `a ${layout} signature that is wrong: ${tamper}`,
      shop: {
        layout,
        sign: (signer, subject) => [signer.sign(subject, layout, { tamper })],
      } satisfies Partial<MediumRecipe>,
      reason: '(untrusted|malformed)',
    })),
  ]),
  {
    name: 'the signature of another recipe, moved here',
    shop: {
      sign: (signer, subject) => {
        const moved = signer.sign({ ...subject, digest: `sha256:${'1'.repeat(64)}` }, 'classic');
        return [{ ...moved, tag: signatureTag(subject.digest)! }];
      },
    },
    reason: 'malformed',
  },
];

for (const { name, shop, reason } of refused) {
  test(`${name}: that recipe is blocked, its neighbour is not`, async () => {
    await using medium = await buildMedium({ recipes: withShop(shop) });
    const { report, cleared } = await verifyCarried(medium.root, trust(medium.signer));
    const [first, second] = report.recipes;
    assert.equal(first!.reason?.code, 'SVC-SIG-001');
    assert.match(String(first!.reason!.params.reason), new RegExp(`^${reason}$`));
    assert.equal(first!.reason!.params.mediaId, report.medium!.mediaId);
    assert.equal(second!.pushable, true);
    assert.equal(report.verdict, 'partial');
    assert.deepEqual(report.blocks, []);
    assert.equal(toMediumExitCode(report), 4);
    assert.deepEqual(
      cleared.map(({ record }) => record.name),
      ['depot'],
    );
    // nothing of it was read beyond its signature
    assert.ok(report.findings.every(({ code }) => code === 'SVC-MED-021'));
  });
}

for (const layout of layouts) {
  test(`a wrong ${layout} signature beside a right one masks nothing`, async () => {
    const sign: MediumRecipe['sign'] = (signer, subject) => {
      const both = [foreign.sign(subject, layout), signer.sign(subject, layout)];
      return layout === 'classic' ? [mergeClassic(subject, both)] : both;
    };
    await using medium = await buildMedium({ recipes: withShop({ sign }) });
    const { report } = await verifyCarried(medium.root, trust(medium.signer));
    assert.equal(report.verdict, 'pushable');
    assert.deepEqual(report.findings, []);
  });
}

const scoped = (policy: TrustPolicy, scope: Partial<TrustPolicy['scopes'][number]>): TrustPolicy => ({
  ...policy,
  scopes: [{ name: 'ours', repositories: ['origin.example_5000/cookbook'], allowUnsigned: false, ...scope }],
});

test('a scope that admits unsigned recipes admits none on a medium', async () => {
  await using medium = await buildMedium({ recipes: withShop({ unsigned: true }) });
  const policy = scoped(trust(medium.signer), { allowUnsigned: true });
  const { report } = await verifyCarried(medium.root, policy);
  assert.deepEqual(
    report.recipes.map(({ pushable }) => pushable),
    [false, true],
  );
  assert.equal(report.recipes[1]!.trustScope, 'ours');
});

test('a scope with roots narrows them, whatever cookbook the ledger claims', async () => {
  await using medium = await buildMedium();
  const policy = trust(medium.signer, foreign);
  const narrowed = await verifyCarried(medium.root, scoped(policy, { roots: ['root-1'] }));
  assert.deepEqual(
    narrowed.report.recipes.map(({ reason }) => reason?.code),
    ['SVC-SIG-001', 'SVC-SIG-001'],
  );
  assert.equal(narrowed.report.verdict, 'blocked');
  const accepted = await verifyCarried(medium.root, scoped(policy, { roots: ['root-0'] }));
  assert.equal(accepted.report.verdict, 'pushable');
});

test('without any root nothing is accepted', async () => {
  await using medium = await buildMedium();
  const { report } = await verifyCarried(medium.root, trust());
  assert.deepEqual(
    report.recipes.map(({ reason }) => reason?.params.reason),
    ['no-roots', 'no-roots'],
  );
});

test('trust roots on the medium are ignored', async () => {
  await using medium = await buildMedium({ recipes: withShop({ signer: foreign }) });
  for (const name of ['cosign.pub', 'roots.pem', '_svc/roots.pem', '_svc/config.yaml'])
    await writeFile(join(medium.root, name), foreign.publicKeyPem);
  const { report } = await verifyCarried(medium.root, trust(medium.signer));
  assert.deepEqual(
    report.recipes.map(({ pushable }) => pushable),
    [false, true],
  );
});

test('after a rotation media under the old and the new key verify side by side', async () => {
  const next = createSigner('ed25519');
  await using medium = await buildMedium({ recipes: withShop({ signer: next }) });
  const { report } = await verifyCarried(medium.root, trust(medium.signer, next));
  assert.deepEqual(
    report.recipes.map(({ keyFingerprint }) => keyFingerprint),
    [next.fingerprint, medium.signer.fingerprint],
  );
});
