import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { toMediumExitCode } from '../../../src/engine/medium/report.ts';
import { mutations } from '../../kit/hostile/mutations.ts';
import { carry } from '../../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

let good: BuiltMedium;
before(async () => {
  good = await buildMedium();
});
after(() => good[Symbol.asyncDispose]());

for (const { name, spoil, options, ...expected } of mutations) {
  test(name, async () => {
    const medium = await carry(good);
    await spoil(medium);
    const { report, cleared } = await verifyCarried(medium.root, trust(good.signer), options);
    const isSpoilt = expected.shop !== undefined || expected.depot !== undefined || !expected.blocks;
    const blocks = report.blocks.map(({ code }) => code);
    assert.deepEqual(blocks, expected.blocks ?? [], JSON.stringify(report.blocks));
    if (isSpoilt) {
      const outcomes = Object.fromEntries(
        report.recipes.map((one) => [one.name, one.pushable ? 'pushable' : one.reason!.code]),
      );
      const neighbour = expected.blocks ? {} : { shop: 'pushable', depot: 'pushable' };
      const { shop, depot } = expected;
      assert.deepEqual(outcomes, {
        ...neighbour,
        ...(shop ? { shop } : {}),
        ...(depot ? { depot } : {}),
      });
    }
    const left = report.recipes.some(({ pushable }) => !pushable) ? ['SVC-MED-021'] : [];
    const codes = new Set(report.findings.map(({ code }) => code));
    for (const code of expected.findings ?? []) assert.ok(codes.has(code), `no finding ${code}`);
    if (isSpoilt)
      assert.deepEqual(
        [...codes].filter((code) => ![...left, ...(expected.findings ?? [])].includes(code)),
        [],
      );
    const isHeldBack = report.blocks.some(({ waived }) => !waived);
    const pushable = report.recipes.filter((one) => one.pushable).length;
    const whole = pushable === report.recipes.length;
    assert.equal(
      report.verdict,
      expected.verdict ??
        (isHeldBack || (pushable === 0 && !whole) ? 'blocked' : whole ? 'pushable' : 'partial'),
    );
    assert.equal(cleared.length, isHeldBack ? 0 : pushable);
    const isGuard = blocks.every((code) => code === 'SVC-MED-006' || code === 'SVC-MED-007');
    const exit = isHeldBack ? (isGuard && whole ? 3 : 4) : whole ? 0 : 4;
    assert.equal(toMediumExitCode(report), exit);
    for (const { reason } of report.recipes) {
      if (!reason?.code.startsWith('SVC-MED-')) continue;
      assert.equal(reason.params.mediaId, report.medium!.mediaId);
      assert.match(reason.path!, /^blobs\/sha256\/[0-9a-f]{64}$/);
    }
  });
}
