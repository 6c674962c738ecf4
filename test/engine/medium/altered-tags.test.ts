import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import { selectEntries } from '../../../src/engine/layout/select-entries.ts';
import { Clearance } from '../../../src/engine/medium/clearance.ts';
import { verifyMedium } from '../../../src/engine/medium/verify-medium.ts';
import { forgeLedger } from '../../kit/hostile/forge-ledger.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { carry } from '../../kit/scene/carried-medium.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { trust } from '../../kit/scene/verify-carried.ts';

test('a content ledger that points a tag of a verified recipe elsewhere is reported, and the recipe is served and exported as signed', async () => {
  await using medium = await buildMedium({ inMemory: true });
  const [shop, depot] = medium.records;
  const [web] = shop!.ingredients;
  const [worker] = depot!.ingredients;
  for (const isForged of [false, true]) {
    const carried = await carry(medium);
    if (isForged)
      await forgeLedger(carried, 'content', (records) =>
        records.map((one) =>
          one.op === 'tag' && one.repo === web!.repository && one.tag === web!.tag
            ? { ...one, digest: worker!.digest }
            : one,
        ),
      );
    const zone = 'zone-b';
    await using store = await openStoreAt(
      { root: carried.root },
      { zone, access: 'read', report: silentReport },
    );
    const clearance = new Clearance({ store, zone, report: silentReport });
    const verification = await verifyMedium({
      store,
      zone,
      policy: trust(medium.signer),
      freshness: undefined,
      waive: { zoneMismatch: false, stale: false },
      report: silentReport,
      now: Date.now,
    });
    clearance.settle(verification);
    const { report } = verification;
    assert.deepEqual(
      report.recipes.map(({ pushable }) => pushable),
      [true, true],
    );
    const findings = report.findings.map(({ code, path }) => `${code} ${path}`);
    assert.deepEqual(findings, isForged ? [`SVC-MED-022 ${store.ledgers.content}`] : []);
    assert.equal(clearance.digestOf(web!.repository, web!.tag), web!.digest);
    assert.equal(clearance.allowsTag(web!.repository, web!.tag), !isForged);
    const { entries } = await selectEntries(store, { recipes: [], repositories: [] }, clearance);
    const exported = entries.find(
      ({ repository, tag }) => repository === web!.repository && tag === web!.tag,
    );
    assert.equal(exported?.digest, web!.digest);
  }
});
