import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskItem } from '../../src/contract/task.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import type { SignatureLayout } from '../kit/content/signer.ts';
import type { Deviation } from '../kit/hostile/unusable-lists/deviation.ts';
import { deviations, saysNone } from '../kit/hostile/unusable-lists/deviations.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

// one registry with the referrers API and one without; of each deviation a recipe for every kind of signature beside it

interface Case {
  readonly name: string;
  readonly deviation: string;
  readonly sign: SignatureLayout | 'none';
  /** The code of its failure; undefined: it is synchronized. */
  readonly code: string | undefined;
}

/** Recipes whose signatures have a deviation beside them. */
async function openCases(api: boolean): Promise<{ scene: SyncScene; cases: readonly Case[] }> {
  const scene = await openSyncScene({ origin: { referrers: api }, inMemory: true });
  const image = scene.putImage('library/app', '1.0');
  const ingredients = [toIngredient('app', 'library/app', '1.0', image)];
  const cases: Case[] = [];
  for (const [i, deviation] of deviations.filter((one) => one.api === api).entries()) {
    for (const sign of [...deviation.beside, 'none'] as const) {
      const name = `d${i}-${sign}`;
      const repository = `cookbook/${name}`;
      const subject = scene.publish(name, '1.0.0', ingredients, { sign: 'none' });
      plant(scene, deviation, repository, subject, sign);
      const code = sign === 'none' ? (deviation.unsigned ?? 'SVC-SIG-001') : undefined;
      cases.push({ name, deviation: deviation.name, sign, code });
    }
  }
  await scene.setRetriever(cases.map(({ name }) => [name, '1.0.0']));
  return { scene, cases };
}

/** Signed recipes whose ingredient has a deviation beside its signature. */
async function openIngredients(api: boolean): Promise<{ scene: SyncScene; cases: readonly Case[] }> {
  const scene = await openSyncScene({ origin: { referrers: api }, inMemory: true });
  const cases = deviations
    .filter((one) => one.api === api)
    .map((deviation, i): Case => {
      const name = `i${i}`;
      const repository = `library/${name}`;
      const image = scene.putImage(repository, '1.0');
      const [sign = 'none'] = deviation.beside;
      plant(scene, deviation, repository, image, sign);
      scene.publish(name, '1.0.0', [toIngredient('app', repository, '1.0', image)]);
      // a request that fails may have led to signatures, which have to be carried. No repetition passes a page for people
      // or a refusal of access
      const isLasting = /^referrers API: a page for people( as|$)|: status 403$/.test(deviation.name);
      const code = isLasting ? undefined : deviation.unsigned;
      return { name, deviation: deviation.name, sign, code };
    });
  await scene.setRetriever(cases.map(({ name }) => [name, '1.0.0']));
  return { scene, cases };
}

function plant(
  scene: SyncScene,
  deviation: Deviation,
  repository: string,
  subject: Descriptor,
  sign: SignatureLayout | 'none',
): void {
  const valid = sign === 'none' ? undefined : scene.signer.sign(subject, sign);
  if (valid) scene.pushSignature(repository, valid);
  deviation.plant({ registry: scene.origin, repository, subject, valid });
}

function listWrong(cases: readonly Case[], items: readonly TaskItem[]): readonly string[] {
  return cases.flatMap(({ name, deviation, sign, code }) => {
    const item = items.find((one) => one.name === `${name}@1.0.0`);
    const failure = items.find((one) => one.name.startsWith(`${name}@`) && one.error)?.error;
    if (item !== undefined && failure?.code === code) return [];
    return [
      `${deviation}, signature ${sign}: ${failure?.code} ${JSON.stringify(failure?.params)} ${failure?.detail}, not ${code}`,
    ];
  });
}

for (const api of [true, false]) {
  const kind = api ? 'with' : 'without';
  test(`a registry ${kind} the referrers API: what is unusable beside a signature changes no verdict, at the first sync and when stored`, async (t) => {
    const { scene, cases } = await openCases(api);
    await using _ = scene;
    const started = performance.now();
    const first = await scene.run();
    t.diagnostic(`${cases.length} recipes, ${Math.round(performance.now() - started)} ms`);
    assert.deepEqual(listWrong(cases, first.task.items), []);
    const again = await scene.run();
    assert.deepEqual(listWrong(cases, again.task.items), []);
  });

  test(`a registry ${kind} the referrers API: what is unusable beside the signatures of an ingredient keeps no ingredient from its recipe`, async () => {
    const { scene, cases } = await openIngredients(api);
    await using _ = scene;
    const { task } = await scene.run();
    assert.deepEqual(listWrong(cases, task.items), []);
  });
}

test('the log names what is skipped in a list once, however often it is read', async () => {
  const scene = await openSyncScene();
  await using _ = scene;
  const image = scene.putImage('library/app', '1.0');
  const recipe = scene.publish('shop', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)], {
    sign: 'none',
  });
  const deviation = deviations.find(({ name }) => name === 'referrers API: an unknown digest algorithm')!;
  plant(scene, deviation, 'cookbook/shop', recipe, 'classic');
  await scene.setRetriever([['shop', '1.0.0']]);
  await scene.run();
  const told = scene.report.records.filter(({ message }) => message.startsWith('A list of referrers'));
  assert.equal(told.length, 1);
  assert.match(JSON.stringify(told[0]), /1 referrers cannot be used: manifests\[0\]\.digest/);
});

for (const api of [true, false]) {
  const kind = api ? 'with' : 'without';
  for (const when of ['at the first sync', 'when stored'] as const)
    test(`a registry ${kind} the referrers API: a scope that admits unsigned recipes admits them where the answer is usable and complete, ${when}`, async () => {
      const scene = await openSyncScene({ origin: { referrers: api }, inMemory: true });
      await using _ = scene;
      const image = scene.putImage('library/app', '1.0');
      const ingredients = [toIngredient('app', 'library/app', '1.0', image)];
      const ready = deviations
        .filter((one) => one.api === api)
        .map((deviation, i) => {
          const name = `u${i}`;
          const code = saysNone(deviation) ? undefined : (deviation.unsigned ?? 'SVC-SIG-001');
          const subject = scene.publish(name, '1.0.0', ingredients, { sign: 'none' });
          const one: Case = { name, deviation: deviation.name, sign: 'none', code };
          return { one, plant: () => plant(scene, deviation, `cookbook/${name}`, subject, 'none') };
        });
      const cases = ready.map(({ one }) => one);
      await scene.setRetriever(cases.map(({ name }) => [name, '1.0.0']));
      const change = { trust: { scopes: [{ name: 'lab', repositories: ['**'], allowUnsigned: true }] } };
      if (when === 'when stored') {
        const { task } = await scene.run({ change });
        const admitted = cases.map((one) => ({ ...one, code: undefined }));
        assert.deepEqual(listWrong(admitted, task.items), []);
      }
      for (const { plant: plantIt } of ready) plantIt();
      const { task } = await scene.run({ change });
      assert.deepEqual(listWrong(cases, task.items), []);
    });
}

test('a refusal of access to the signatures of an ingredient keeps it from no recipe, and a warning names the loss', async () => {
  const scene = await openSyncScene();
  await using _ = scene;
  const images = ['sig', 'list'].map((name) => [name, scene.putImage(`library/${name}`, '1.0')] as const);
  for (const [name, { digest }] of images) {
    const hex = digest.slice(7);
    const end = name === 'sig' ? `/manifests/sha256-${hex}.sig` : `/referrers/${digest}`;
    scene.origin.intercept((request, response, raw) => {
      if (!request.path.startsWith(`/v2/library/${name}${end}`)) return false;
      raw.resume();
      response.writeHead(403).end();
      return true;
    });
    scene.publish(name, '1.0.0', [
      toIngredient('app', `library/${name}`, '1.0', images.find(([one]) => one === name)![1]),
    ]);
  }
  await scene.setRetriever(images.map(([name]) => [name, '1.0.0']));
  const { task } = await scene.run();
  assert.deepEqual(
    task.items.flatMap(({ error }) => error?.code ?? []),
    [],
  );
  const told = scene.report.records.filter(({ message }) =>
    message.startsWith('Signatures of an ingredient cannot be read'),
  );
  const text = JSON.stringify(told);
  assert.equal(told.length, images.length, text);
  for (const [name, { digest }] of images)
    assert.ok(text.includes(digest) && text.includes(`library/${name}`), text);
});
