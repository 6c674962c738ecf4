import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { VerificationState } from '../../src/contract/medium.ts';
import { noCustody } from '../../src/custody/custody.ts';
import type { Custody } from '../../src/custody/model.ts';
import { type FreshnessRecord, openFreshness } from '../../src/engine/medium/freshness.ts';
import { createMediumVerifier } from '../../src/operation/verify-medium.ts';
import { svcError } from '../../src/text/error.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { exhaustDescriptors } from '../kit/hostile/exhaust-descriptors.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { carry } from '../kit/scene/carried-medium.ts';
import { buildMedium, defaultRecipes } from '../kit/scene/medium.ts';
import { trust } from '../kit/scene/verify-carried.ts';

/** An instance of zone-b before a medium for zone-x with one recipe. */
async function openDesk(options: Partial<Parameters<typeof createMediumVerifier>[0]> = {}) {
  const zone = 'zone-b';
  const medium = await buildMedium({ zone: 'zone-x', recipes: defaultRecipes().slice(0, 1) });
  const carried = await carry(medium);
  const report = createRecordingReport();
  const store = await openStoreAt(
    { root: carried.root, stateRoot: undefined },
    { zone, access: 'read', report },
  );
  const freshness = openFreshness(join(medium.folder, 'state'));
  const policy = trust(medium.signer);
  const verifier = createMediumVerifier({ store, zone, policy, freshness, report, ...options });
  return {
    verifier,
    carried,
    report,
    recordImport: (record: FreshnessRecord) => freshness.update(zone, () => record),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await medium[Symbol.asyncDispose]();
    },
  };
}

const newer: FreshnessRecord = {
  mediaId: 'another',
  resolvedAt: '2026-06-01T00:00:00.000Z',
  importedAt: '2026-06-02T00:00:00.000Z',
  runId: 'run',
  recipes: {},
};

test('a plain verification leaves open what an administrator opened by a waiver', async () => {
  await using at = await openDesk();
  const { verifier, report } = at;
  assert.equal((await verifier.verify({}, 'operator')).report.verdict, 'blocked');
  assert.equal(verifier.state().serving, 'closed');
  await verifier.verify({ allowZoneMismatch: true }, 'admin', undefined, '192.0.2.7');
  assert.equal(verifier.state().serving, 'open');
  assert.deepEqual(
    report.audits.map(({ action, outcome, actor, origin }) => [action, outcome, actor, origin]),
    [
      ['media.verify', 'failure', 'operator', undefined],
      ['media.verify', 'success', 'admin', '192.0.2.7'],
      ['media.waiver', 'success', 'admin', '192.0.2.7'],
    ],
  );

  const plain = await verifier.verify({}, 'operator');
  assert.equal(verifier.state().serving, 'open');
  assert.equal(plain.report.verdict, 'pushable');
  assert.deepEqual(
    plain.report.blocks.map(({ code, waived }) => [code, waived]),
    [['SVC-MED-006', true]],
  );
  assert.deepEqual(verifier.state().report, plain.report);
  const audited = report.audits.filter(({ actor }) => actor === 'operator').at(-1)!;
  assert.deepEqual([audited.action, audited.details?.waived], ['media.verify', ['SVC-MED-006']]);
  assert.equal(audited.outcome, 'success', 'the guard is waived still');
});

test('the ledger has the guards that were waived, before the gate opens, and nothing of a waiver that none needed', async () => {
  const lines: (readonly [string, unknown, unknown])[] = [];
  let isFull = false;
  const custody: Custody = {
    ...noCustody,
    record: async ({ type, details }) => {
      if (isFull) throw svcError('SVC-STO-002', { path: '/state', detail: 'EIO' });
      lines.push([type, details?.guards, details?.reason]);
    },
  };
  await using at = await openDesk({ custody });
  const { verifier } = at;
  await verifier.verify({ allowStale: true }, 'admin');
  assert.deepEqual(lines, []);
  isFull = true;
  await assert.rejects(verifier.verify({ allowZoneMismatch: true }, 'admin'), { code: 'SVC-STO-002' });
  assert.equal(verifier.state().serving, 'closed');
  isFull = false;
  const reason = 'a drill';
  await verifier.verify({ allowZoneMismatch: true, allowStale: true, reason }, 'admin');
  assert.equal(verifier.state().serving, 'open');
  assert.deepEqual(lines, [['waived', ['SVC-MED-006'], reason]]);
  const { details } = at.report.audits.findLast(({ action }) => action === 'media.waiver')!;
  assert.equal(details?.reason, reason);
});

test('a verification that runs out of descriptors leaves open what is open', async (t) => {
  await using at = await openDesk();
  const { verifier } = at;
  await verifier.verify({ allowZoneMismatch: true }, 'admin');
  {
    using short = exhaustDescriptors(t);
    if (short === undefined) return;
    await assert.rejects(verifier.verify({}, 'operator'), { code: 'SVC-STO-014' });
  }
  assert.equal(verifier.state().serving, 'open');
  assert.equal(verifier.state().failure?.code, 'SVC-STO-014');
});

test('a verification that can start no thread for want of descriptors is transient, however many are left, and changes nothing', async (t) => {
  await using at = await openDesk();
  const { verifier } = at;
  await verifier.verify({ allowZoneMismatch: true }, 'admin');
  const codes = new Set<string>();
  for (let spared = 1; spared <= 24; spared += 1) {
    {
      using short = exhaustDescriptors(t);
      if (short === undefined) return;
      short.spare(spared);
      await verifier.verify({}, 'operator').catch(({ code }) => codes.add(code));
    }
    assert.equal(verifier.state().serving, 'open', `${spared} descriptors`);
  }
  assert.deepEqual([...codes], ['SVC-STO-014']);
});

test('an import needs a waiver of its own, and its refusal leaves the gate as it is', async () => {
  await using at = await openDesk();
  const { verifier } = at;
  await verifier.verify({ allowZoneMismatch: true }, 'admin');
  const refused = await verifier.verifyToImport({}, 'operator');
  assert.equal(refused.report.verdict, 'blocked');
  assert.deepEqual(refused.cleared, []);
  assert.equal(verifier.state().serving, 'open');
  assert.equal(verifier.state().report?.verdict, 'pushable');
  assert.equal((await verifier.verifyToImport({ allowZoneMismatch: true }, 'admin')).cleared.length, 1);
});

test('a waiver covers the guard it was given for, and no other', async () => {
  await using at = await openDesk();
  const { verifier } = at;
  await verifier.verify({ allowZoneMismatch: true }, 'admin');
  await at.recordImport(newer);
  const stale = await verifier.verify({}, 'operator');
  assert.deepEqual(
    stale.report.blocks.map(({ code, waived }) => [code, waived]),
    [
      ['SVC-MED-006', true],
      ['SVC-MED-007', false],
    ],
  );
  assert.equal(verifier.state().serving, 'closed');
  await verifier.verify({ allowStale: true }, 'admin');
  assert.equal(verifier.state().serving, 'open', 'both guards are waived by now');
});

test('a failure of integrity closes what was opened by a waiver', async () => {
  for (const spoil of [
    async ({ carried }: Awaited<ReturnType<typeof openDesk>>) =>
      damageFile(carried.blob((await carried.parts('shop')).layer), 100),
    async ({ carried }: Awaited<ReturnType<typeof openDesk>>) => rm(join(carried.root, 'media.jsonl')),
  ]) {
    await using at = await openDesk();
    await at.verifier.verify({ allowZoneMismatch: true }, 'admin');
    await spoil(at);
    assert.equal((await at.verifier.verify({}, 'operator')).report.verdict, 'blocked');
    assert.equal(at.verifier.state().serving, 'closed');
  }
});

test('a recipe withdrawn for an altered file is blocked in the state, with the file, until the next verification', async () => {
  await using at = await openDesk();
  const { verifier, carried } = at;
  await verifier.verify({ allowZoneMismatch: true }, 'admin');
  const { layer, record } = await carried.parts('shop');
  verifier.clearance.onAltered(layer);
  const { serving, report, mediaId } = verifier.state();
  assert.equal(serving, 'closed');
  assert.equal(report?.verdict, 'blocked');
  const path = `blobs/sha256/${layer.slice(7)}`;
  const recipe = `${record.name}@${record.version}`;
  assert.deepEqual(
    report?.recipes.map(({ pushable, reason }) => ({ pushable, reason })),
    [
      {
        pushable: false,
        reason: { code: 'SVC-MED-012', path, params: { path, expected: layer, recipe, mediaId } },
      },
    ],
  );
  await verifier.verify({}, 'operator');
  assert.deepEqual([verifier.state().serving, verifier.state().report?.verdict], ['open', 'pushable']);
});

test('a walk tells its rate and the time left; afterwards nothing is under way', async () => {
  let time = 0;
  const seen: VerificationState['running'][] = [];
  const desk = await openDesk({
    clock: () => {
      time += 1000;
      return time;
    },
    onProgress: () => seen.push(desk.verifier.state().running),
  });
  await using at = desk;
  await at.verifier.verify({}, 'operator');
  const paced = seen.filter((running) => running?.bytesPerSecond !== undefined);
  assert.ok(paced.length > 0);
  assert.ok(paced.every((one) => Number.isSafeInteger(one!.bytesPerSecond)));
  const { bytes, totalBytes, secondsLeft } = paced.at(-1)!;
  assert.equal(bytes, totalBytes);
  assert.ok(secondsLeft === undefined || secondsLeft === 0);
  assert.equal(at.verifier.state().running, undefined);
});

test('a walk that no byte moves, also before the first one, tells for how long', async () => {
  let time = 0;
  await using at = await openDesk({ clock: () => time });
  at.verifier.begin({}, 'operator');
  at.verifier.state();
  time += 65_000;
  assert.equal(at.verifier.state().running?.stalledSeconds, 65);
  await at.verifier.idle();
});

test('a verification that is begun is not waited for: a second one is refused at once, and the state tells the end', async () => {
  await using at = await openDesk();
  const { verifier } = at;
  verifier.begin({}, 'operator');
  assert.equal(verifier.state().running?.stage, 'inventory');
  assert.throws(() => verifier.begin({}, 'operator'), { code: 'SVC-MED-031' });
  await assert.rejects(verifier.verify({}, 'operator'), { code: 'SVC-MED-031' });
  assert.deepEqual(
    at.report.audits.map(({ action, outcome, details }) => [action, outcome, details?.code]),
    Array.from({ length: 2 }, () => ['media.verify', 'failure', 'SVC-MED-031']),
  );
  await verifier.idle();
  assert.equal(verifier.state().report?.verdict, 'blocked');
});

test('how a verification that nobody waits for failed is in the state, and audited', async () => {
  await using at = await openDesk();
  const { verifier, report } = at;
  const stop = new AbortController();
  verifier.begin({}, 'operator', stop.signal);
  stop.abort(svcError('SVC-SRV-006', {}));
  await verifier.idle();
  const { running, report: last, failure } = verifier.state();
  assert.deepEqual([running, last, failure?.code], [undefined, undefined, 'SVC-SRV-006']);
  const audited = report.audits.filter(({ action }) => action === 'media.verify').at(-1)!;
  assert.deepEqual([audited.outcome, audited.details?.interrupted], ['failure', true]);
});

test('a walk that is stopped leaves open what is open: it says nothing about the medium', async () => {
  await using at = await openDesk();
  const { verifier } = at;
  await verifier.verify({ allowZoneMismatch: true }, 'admin');
  const stop = new AbortController();
  const walk = verifier.verify({}, 'operator', stop.signal);
  stop.abort(svcError('SVC-TSK-004', { actor: 'ana' }));
  await assert.rejects(walk, { code: 'SVC-TSK-004' });
  assert.equal(verifier.state().serving, 'open');
});

test('a verification is cancelled by name, and leaves open what is open; that of an import ends with its task', async () => {
  await using at = await openDesk();
  const { verifier, report } = at;
  assert.equal(verifier.cancel('olga'), false, 'none runs');
  await verifier.verify({ allowZoneMismatch: true }, 'admin');
  verifier.begin({}, 'operator');
  assert.equal(verifier.cancel('olga'), true);
  await verifier.idle();
  const { failure, running, serving } = verifier.state();
  assert.deepEqual(failure?.params, { work: 'verification', actor: 'olga' });
  assert.deepEqual([failure?.code, running, serving], ['SVC-TSK-004', undefined, 'open']);
  assert.deepEqual(report.audits.at(-1)?.details?.interrupted, true);
  const imported = verifier.verifyToImport({ allowZoneMismatch: true }, 'admin');
  assert.equal(verifier.cancel('olga'), false);
  assert.equal((await imported).cleared.length, 1);
  assert.equal(verifier.state().failure, undefined);
});
