import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskItem } from '../../src/task/model.ts';
import type { SignatureLayout } from '../kit/content/signer.ts';
import { deviations } from '../kit/hostile/unusable-lists/deviations.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

// one registry with the referrers API and one without; of each deviation a recipe for every kind of signature beside it

interface Case {
  readonly name: string;
  readonly deviation: string;
  readonly sign: SignatureLayout | 'none';
  /** The code of its failure; undefined: it is synchronized. */
  readonly code: string | undefined;
}

/** Recipes whose signatures have a deviation beside them, and one that has none. */
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
      const valid = sign === 'none' ? undefined : scene.signer.sign(subject, sign);
      if (valid) scene.pushSignature(repository, valid);
      deviation.plant({ registry: scene.origin, repository, subject, valid });
      const code = sign === 'none' ? (deviation.unsigned ?? 'SVC-SIG-001') : undefined;
      cases.push({ name, deviation: deviation.name, sign, code });
    }
  }
  await scene.setRetriever(cases.map(({ name }) => [name, '1.0.0']));
  return { scene, cases };
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
}
