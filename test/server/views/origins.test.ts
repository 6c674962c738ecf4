import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOrigins } from '../../../server/views/origins.ts';
import type { ViewParts } from '../../../server/views/parts.ts';
import type { Digest } from '../../../src/base/digest.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import type { RecipeRecord } from '../../../src/catalog/model.ts';
import type { Store } from '../../../src/store/model.ts';
import type { Run } from '../../../src/view/runs.ts';
import { toRecipeRecord } from '../../kit/content/recipe-record.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';

type Parts = Pick<ViewParts, 'instance'>;

/** A version of a recipe with an image, both with digests of their own. */
function toVersion(version: string, host: string, image: string): RecipeRecord {
  const record = toRecipeRecord('shop', version, [[`${host}/shop/${image}`, version]]);
  const [ingredient] = record.ingredients;
  return {
    ...record,
    digest: hashBytes(`recipe ${version}`),
    ingredients: [{ ...ingredient!, digest: hashBytes(`${image} ${version}`) }],
  };
}

const old = toVersion('1.4.0', 'docker.example', 'web');
const recent = toVersion('1.5.0', 'docker.example', 'db');
const other = toVersion('1.3.0', 'quay.example', 'agent');

/** The origins of all versions after a run that contacted these hosts, as `host via repositories`. */
async function originsOf(effective: readonly (readonly [Digest, string])[]): Promise<readonly string[]> {
  const names = ['docker.example/shop/db', 'docker.example/shop/web', 'docker.example/tool', 'own/packed'];
  const others = ['quay.example/shop/agent', 'registry.example/cookbook/shop'];
  const index = { summaryOf: () => ({ sizeBytes: 1 }), repositories: () => [...names, ...others] };
  const instance = { context: { config: { storage: {} } } } as unknown as Parts['instance'];
  const store = { head: 'head', index } as unknown as Store;
  const run = { task: { id: 'tsk_1' }, effective: new Map(effective) } as unknown as Run;
  const origins = await listOrigins(
    { store, instance, gate: createOpenGate({ rehash: false }) },
    [old, recent, other],
    run,
  );
  return origins.map(({ host, vias, repositories }) => `${host} ${vias.join('+')} ${repositories}`).sort();
}

test('content of a host is counted as the list of content does, and that of earlier runs comes by the way of the last run', async () => {
  const web = recent.ingredients[0]!.digest;
  assert.deepEqual(
    await originsOf([
      [recent.digest, 'mirror.example'],
      [web, 'mirror.example'],
    ]),
    ['docker.example mirror.example 3', 'quay.example  1', 'registry.example mirror.example 1'],
  );
});

test('a host that was contacted itself, and by another host, is listed once, with both ways', async () => {
  const [first, second] = [old, recent].map(({ ingredients }) => ingredients[0]!.digest) as [Digest, Digest];
  assert.deepEqual(
    await originsOf([
      [first, 'docker.example'],
      [second, 'mirror.example'],
    ]),
    ['docker.example docker.example+mirror.example 3', 'quay.example  1', 'registry.example  1'],
  );
});
