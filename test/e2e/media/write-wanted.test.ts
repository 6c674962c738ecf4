import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startInstance } from '../../kit/instance/instance.ts';
import { runTask } from '../../kit/instance/settle-task.ts';
import { openWantingZone } from '../../kit/instance/wanting-zone.ts';

test('an instance plans and writes only what the Retriever of a zone wants', async () => {
  await using source = await openWantingZone();
  const { folder, config } = source;
  await source.want('shop', 'misspelt');
  await using instance = await startInstance({ folder, config });
  const plan = async (query: string) => instance.api('GET', `/media/plan?zone=zone-b${query}`);
  const { body } = await plan('&wanted=true');
  const toName = ({ name }: { readonly name: string }): string => name;
  assert.deepEqual([body.recipes.map(toName), body.lacking.map(toName)], [['shop'], ['misspelt']]);
  assert.deepEqual((await plan('')).body.recipes.map(toName), ['depot', 'shop']);
  for (const query of ['&wanted=true&recipe=shop', '&wanted=false'])
    assert.deepEqual([(await plan(query)).status], [422], query);
  const unknown = await instance.api('GET', '/media/plan?zone=zone-d&wanted=true');
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'SVC-REG-005']);

  const disk = { folders: [join(folder, 'disk')], zone: 'zone-b', wanted: true };
  for (const [refused, status] of [
    [{ ...disk, recipes: ['shop'] }, 422],
    [{ ...disk, zone: 'zone-d' }, 404],
  ] as const)
    assert.equal((await instance.api('POST', '/media/write', refused)).status, status);
  const task = await runTask(instance, '/media/write', disk);
  assert.deepEqual(
    task.items.map(({ name, status }) => [name, status]),
    [
      ['shop@1.0.0', 'done'],
      ['misspelt@^1.0.0', 'failed'],
    ],
  );
  assert.deepEqual((await plan('&wanted=true')).body.recipes, []);
});
