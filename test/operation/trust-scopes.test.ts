import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSigner } from '../kit/content/signer.ts';
import { openSyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

const provenance = 'https://slsa.dev/provenance/v1';

test('a scope that names one recipe holds for it alone, and one that applies to none is a warning of run and plan', async () => {
  await using scene = await openSyncScene();
  const stranger = createSigner();
  const app = [toIngredient('app', 'library/app', '1.0', scene.putImage('library/app', '1.0'))];
  scene.publish('lax-app', '1.0.0', app, { sign: 'none' });
  scene.publish('strict', '1.0.0', app, { sign: 'none' });
  scene.publish('bound', '1.0.0', app);
  await scene.setRetriever([
    ['lax-app', '1.0.0'],
    ['strict', '1.0.0'],
    ['bound', '1.0.0'],
  ]);
  const cookbook = `${scene.origin.host.replace(':', '_')}/cookbook`;
  const trust = {
    roots: [
      { name: 'ours', key: scene.signer.publicKeyPem },
      { name: 'other', key: stranger.publicKeyPem },
    ],
    scopes: [
      { name: 'lax', repositories: [`${cookbook}/lax-*`], allowUnsigned: true },
      { name: 'bound', repositories: [`${cookbook}/bound`], allowUnsigned: false, roots: ['other'] },
      { name: 'gone', repositories: [`${cookbook}/gone-*`], allowUnsigned: true },
    ],
  };
  const { plan } = await scene.plan({ change: { trust } });
  assert.deepEqual(
    plan.recipes.map(({ name, signature, trustScope }) => [name, signature, trustScope]),
    [
      ['lax-app', 'unsigned-admitted', 'lax'],
      ['strict', 'refused', undefined],
      ['bound', 'refused', 'bound'],
    ],
  );
  assert.deepEqual(plan.policy.unmatchedScopes, ['gone']);

  const { outcome } = await scene.run({ change: { trust } });
  assert.deepEqual(outcome.recipes, { complete: 1, failed: 2 });
  const warned = scene.report.records.filter(({ message }) => message.startsWith('A trust scope matches no'));
  assert.deepEqual(new Set(warned.map(({ fields }) => fields.trustScope)), new Set(['gone']));
});

test('a recipe that a trusted key only attests something of is unsigned, unless its root names that type', async () => {
  await using scene = await openSyncScene();
  const app = [toIngredient('app', 'library/app', '1.0', scene.putImage('library/app', '1.0'))];
  scene.publish('shop', '1.0.0', app, { sign: 'bundle', signing: { predicateType: provenance } });
  await scene.setRetriever([['shop', '1.0.0']]);
  const refused = await scene.plan();
  assert.equal(refused.exit_code, 4);
  const [problem] = refused.plan.problems;
  assert.equal(problem?.params.reason, 'none');
  assert.match(problem?.detail ?? '', /an attestation of type .*provenance\/v1, which approves nothing/);

  const key = scene.signer.publicKeyPem;
  const roots = [{ name: 'ours', key, predicates: [provenance] }];
  const accepted = await scene.plan({ change: { trust: { roots, scopes: [] } } });
  assert.equal(accepted.plan.recipes[0]?.signature, 'verified');
});
