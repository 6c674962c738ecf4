import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOrigins } from '../../../server/views/origins.ts';
import type { Digest } from '../../../src/base/digest.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import type { RecipeRecord } from '../../../src/catalog/model.ts';
import type { Store } from '../../../src/store/model.ts';
import type { Run } from '../../../src/view/runs.ts';
import { toRecipeRecord } from '../../kit/content/recipe-record.ts';

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
  const index = { summaryOf: () => ({ sizeBytes: 1 }) };
  const store = { head: 'head', index } as unknown as Store;
  const run = { task: { id: 'tsk_1' }, effective: new Map(effective) } as unknown as Run;
  const origins = await listOrigins({ store }, [old, recent, other], run);
  return origins.map(({ host, vias, repositories }) => `${host} ${vias.join('+')} ${repositories}`).sort();
}

test('content of earlier runs comes by the way of its host in the last run, and by none that nobody knows', async () => {
  const web = recent.ingredients[0]!.digest;
  assert.deepEqual(
    await originsOf([
      [recent.digest, 'mirror.example'],
      [web, 'mirror.example'],
    ]),
    ['docker.example mirror.example 2', 'quay.example  1', 'registry.example mirror.example 1'],
  );
});

test('a host that was contacted itself, and by another host, is listed once, with both ways', async () => {
  const [first, second] = [old, recent].map(({ ingredients }) => ingredients[0]!.digest) as [Digest, Digest];
  assert.deepEqual(
    await originsOf([
      [first, 'docker.example'],
      [second, 'mirror.example'],
    ]),
    ['docker.example docker.example+mirror.example 2', 'quay.example  1', 'registry.example  1'],
  );
});
