import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { cpuUsage } from 'node:process';
import { test } from 'node:test';
import { isSvcError } from '../../src/text/error.ts';
import { showMedium } from '../../src/view/medium.ts';
import { layCanaries } from '../kit/hostile/canary.ts';
import { hostileMedia } from '../kit/hostile/hostile-media.ts';
import { carry } from '../kit/scene/carried-medium.ts';
import { buildMedium } from '../kit/scene/medium.ts';

test('every hostile medium is shown or refused with a code, in little time, and nothing outside of it is read', async () => {
  await using good = await buildMedium();
  for (const { name, spoil } of hostileMedia) {
    const medium = await carry(good);
    const canary = await layCanaries(`${medium.root}-outside`);
    await spoil(medium, canary);
    canary.arm();
    const started = cpuUsage();
    const text = await showMedium(medium.root).then(JSON.stringify, (error: unknown) => {
      assert.ok(isSvcError(error), `${name}: ${error instanceof Error ? error.stack : error}`);
      return JSON.stringify(error.params);
    });
    const { user, system } = cpuUsage(started);
    assert.ok(user + system < 2_000_000, `${name}: ${user + system} µs`);
    assert.ok(!text.includes(canary.text), name);
    assert.deepEqual(canary.harm(), [], name);
    await rm(medium.root, { recursive: true, force: true });
  }
});
