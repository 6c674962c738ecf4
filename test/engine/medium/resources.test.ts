import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyMedium } from '../../../src/engine/medium/verify-medium.ts';
import { openStore } from '../../../src/store/opening/open-store.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { exhaustDescriptors } from '../../kit/hostile/exhaust-descriptors.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { carry } from '../../kit/scene/carried-medium.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { trust } from '../../kit/scene/verify-carried.ts';

test('a verification that runs out of descriptors ends without a verdict, and the next one passes every recipe', async (t) => {
  await using medium = await buildMedium();
  const { root } = await carry(medium);
  const report = createRecordingReport();
  await using store = await openStore({
    root,
    zone: 'zone-b',
    access: 'read',
    producer: { version: '0.0.0-test' },
    report,
  });
  const verify = () =>
    verifyMedium({
      store,
      zone: 'zone-b',
      policy: trust(medium.signer),
      freshness: undefined,
      waive: { zoneMismatch: false, stale: false },
      report,
      now: Date.now,
    });
  {
    using short = exhaustDescriptors(t);
    if (short === undefined) return;
    await assert.rejects(verify(), (error) => isSvcError(error, 'SVC-STO-014'));
  }
  assert.equal((await verify()).report.verdict, 'pushable');
});
