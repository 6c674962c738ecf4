import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openBoth } from '../../kit/result/open-both.ts';
import type { Recorded } from '../rig/fault-plan.ts';
import { times } from '../rig/form.ts';
import { runStoreProgram } from '../rig/run-program.ts';

const placeIn = (folder: string) => ({ root: join(folder, 'store'), stateRoot: join(folder, 'state') });

/** Selects so many of a list, the first and the last ones among them. */
function spread<T>(items: readonly T[], count: number): readonly T[] {
  if (count >= items.length) return items;
  return Array.from({ length: count }, (_, i) => items[Math.round((i * (items.length - 1)) / (count - 1))]!);
}

test('a kill at any write of a saved index leaves the one before or the new one, and a store that opens alike', async (t) => {
  await using folder = await openTempFolder('svc-saving-');
  const [base, world, calls] = ['base', 'world', 'calls.jsonl'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  await runStoreProgram('save', placeIn(base), 'first');
  const restore = async (): Promise<void> => {
    await rm(world, { recursive: true, force: true });
    await cp(base, world, { recursive: true });
  };
  await restore();
  const place = placeIn(world);
  await runStoreProgram('save', place, 'second', { record: calls });
  const lines = (await readFile(calls, 'utf8')).trim().split('\n');
  const saving = lines
    .map((line) => JSON.parse(line) as Recorded)
    .filter(({ phase }) => phase === 'start')
    .filter(({ path = '' }) => /_svc(?:\/index|\/tmp\/index)?$/.test(path));
  const steps = [...new Set(saving.map(({ step }) => step))];
  // opening, columns, header, sync, rename, sync of the folder
  assert.ok(steps.length > 20 && saving.some(({ op }) => op === 'rename'), `${steps.length} writes`);
  const near = steps.slice(-4);
  const chosen = new Set([...spread(steps, times(4, steps.length)), ...near]);
  const found: Record<string, number> = {};
  for (const [round, at] of [...chosen].entries()) {
    const when = (['before', 'during', 'after'] as const)[round % 3]!;
    await restore();
    await runStoreProgram('save', place, 'second', { kill: { at, when } });
    const used = await openBoth(place);
    assert.equal(used, 'used', `killed ${when} ${at}`);
    {
      await using store = await openStoreAt(place);
      assert.deepEqual([store.standing, store.readOnly], ['ours', undefined]);
      assert.deepEqual(await readdir(join(place.root, '_svc', 'tmp')), []);
    }
    assert.equal(await openBoth(place), 'used', 'saved again by the next closing');
    found[when] = (found[when] ?? 0) + 1;
  }
  t.diagnostic(`kills: ${JSON.stringify(found)} of ${steps.length} writes`);
});

test('a full or failing volume ends the saving of the index alone, and the next opening uses the one before', async () => {
  await using folder = await openTempFolder('svc-saving-');
  const place = placeIn(folder.path);
  await runStoreProgram('save', place, 'first');
  const before = await readFile(join(place.root, '_svc', 'index'));
  const failures = [
    { op: 'write', path: '/_svc/tmp/index$', code: 'ENOSPC', skip: 3 },
    { op: 'open', path: '/_svc/tmp/index$', code: 'EROFS' },
    { op: 'sync', path: '/_svc/tmp/index$', code: 'EIO' },
    { op: 'rename', path: '/_svc/(tmp/)?index$', code: 'EIO' },
  ];
  for (const [round, failure] of failures.entries()) {
    const { said } = await runStoreProgram('save', place, `${round}`, { fail: [failure] });
    assert.equal(said.at(-1), 'end', failure.op);
    assert.deepEqual(await readdir(join(place.root, '_svc', 'tmp')), [], failure.op);
    assert.ok(before.equals(await readFile(join(place.root, '_svc', 'index'))), failure.op);
    assert.equal(await openBoth(place), 'used', failure.op);
  }
});
