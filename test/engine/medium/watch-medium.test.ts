import assert from 'node:assert/strict';
import { cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import { lookAtCopy } from '../../../src/engine/medium/copy-state.ts';
import { watchMedium } from '../../../src/engine/medium/watch-medium.ts';
import { svcError } from '../../../src/text/error.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';

let medium: BuiltMedium;
before(async () => {
  medium = await buildMedium({ inMemory: true });
});
after(() => medium[Symbol.asyncDispose]());

/** A watched folder, whose files count as changed until a verification begins. */
function watch(root: string, times: { readonly look: number; readonly patience: number }) {
  const state = {
    isChanged: true,
    isUsed: false,
    spans: [] as { begun: number; ended: number }[],
    running: 0,
    released: 0,
    isAway: undefined as boolean | undefined,
    most: 0,
    work: async (): Promise<void> => {},
  };
  const watched = watchMedium({
    clearance: {
      closeIfChanged: () => state.isChanged,
      noteAway: (isAway) => {
        state.isAway = isAway;
      },
    },
    root: () => root,
    isChanged: () => state.isChanged,
    isVerifying: () => state.running > 0,
    endVerification: () => {},
    isUsed: () => state.isUsed,
    release: async () => {
      state.released += 1;
    },
    verify: async () => {
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      const begun = performance.now();
      await state.work().finally(() => {
        state.running -= 1;
        state.spans.push({ begun, ended: performance.now() });
      });
    },
    report: silentReport,
    times,
  });
  watched.start();
  return { state, [Symbol.asyncDispose]: () => watched.stop() };
}

const { signal } = new AbortController();

test('a copy is complete when nothing is written any more and every listed file has its size', async () => {
  const root = await medium.carry();
  const first = await lookAtCopy(root, undefined, signal);
  assert.equal(first.isComplete, false, 'one look does not tell');
  assert.equal((await lookAtCopy(root, first, signal)).isComplete, true);
  for (const damage of [
    () => rm(join(root, 'media.jsonl')),
    () => writeFile(join(root, 'index.json'), '{}'),
    () => rm(join(root, 'ledger'), { recursive: true }),
  ]) {
    await damage();
    const changed = await lookAtCopy(root, first, signal);
    assert.notEqual(changed.text, first.text);
    assert.equal((await lookAtCopy(root, changed, signal)).isComplete, false);
    await cp(medium.root, root, { recursive: true });
  }
});

test('a folder without blobs is looked at, and a link in their place is not followed', async () => {
  const root = join(medium.folder, 'bare');
  await mkdir(join(root, 'blobs'), { recursive: true });
  const { text } = await lookAtCopy(root, undefined, signal);
  await symlink(join(medium.root, 'blobs/sha256'), join(root, 'blobs/sha256'));
  assert.equal((await lookAtCopy(root, undefined, signal)).text, text);
  assert.equal((await lookAtCopy(root, undefined, signal)).isComplete, false);
  await assert.rejects(lookAtCopy(join(root, 'absent'), undefined, signal), { code: 'ENOENT' });
});

test('a complete medium is verified when it no longer changes, an incomplete one after some patience', async () => {
  const complete = await medium.carry();
  await using watched = watch(complete, { look: 5, patience: 60_000 });
  await eventually('a verification', () => watched.state.spans.length > 0);

  const incomplete = await medium.carry();
  await rm(join(incomplete, 'media.jsonl'));
  const begun = performance.now();
  await using impatient = watch(incomplete, { look: 5, patience: 200 });
  await eventually('a verification', () => impatient.state.spans.length > 0);
  assert.ok(impatient.state.spans[0]!.begun - begun >= 200);
});

test('a medium that changes all the time is verified once at a time, with a rest that is longer than the work', async () => {
  await using watched = watch(await medium.carry(), { look: 1, patience: 1 });
  watched.state.work = async () => {
    const until = performance.now() + 30;
    await eventually('some work', () => performance.now() > until);
    throw svcError('SVC-MED-033', {});
  };
  const { spans } = watched.state;
  await eventually('some verifications', () => spans.length >= 5);
  assert.equal(watched.state.most, 1);
  for (const [index, { begun }] of spans.entries()) {
    const before = spans[index - 1];
    if (before !== undefined) assert.ok(begun - before.ended >= 2 * (before.ended - before.begun) - 5);
  }
});

test('nothing is opened anew while something uses the store', async () => {
  await using watched = watch(await medium.carry(), { look: 1, patience: 1 });
  watched.state.isUsed = true;
  let looks = 0;
  await eventually('some looks', () => {
    looks += 1;
    return looks > 5;
  });
  assert.equal(watched.state.spans.length, 0);
  watched.state.isUsed = false;
  await eventually('a verification', () => watched.state.spans.length > 0);
});

test('a medium that is gone is let go of, and none is verified in its place until there is one', async () => {
  const root = await medium.carry();
  await rename(root, `${root}-gone`);
  await using watched = watch(root, { look: 1, patience: 1 });
  await eventually('the medium is released', () => watched.state.released > 0);
  await mkdir(root);
  const { released } = watched.state;
  await eventually('the empty folder is looked at', () => watched.state.released > released + 3);
  assert.equal(watched.state.spans.length, 0);
  assert.equal(watched.state.isAway, true);
  await rename(`${root}-gone`, root);
  await eventually('a verification', () => watched.state.spans.length > 0);
  assert.equal(watched.state.isAway, false);
});
