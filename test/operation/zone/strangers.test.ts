import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery } from '../../../src/contract/delivery.ts';
import type { MediumReport } from '../../../src/contract/medium.ts';
import { findEarlier, withStrangers } from '../../../src/operation/zone/record-arrival.ts';
import type { MediumHeader } from '../../../src/store/rest/media-manifest.ts';
import { svcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { selectDelivery } from '../../../src/zone/delivery-record.ts';
import { mediumReport } from '../../kit/scene/media-state.ts';

const id = 'dlv_0123456789ab';
const [own, other] = [`sha256:${'ab'.repeat(32)}`, `sha256:${'cd'.repeat(32)}`] as const;
const header = {
  mediaId: 'disk-1',
  delivery: { id, part: 1, parts: 2 },
  recipes: [],
} as unknown as MediumHeader;
const known: Delivery = {
  ...{ id, zone: 'zone-b', resolvedAt: '2026-11-20T14:02:10Z', parts: 2, complete: false, peer: 'source' },
  landed: [{ part: 1, mediaId: 'disk-1', manifest: own, importedAt: '2026-11-22T09:00:00Z' }],
  needed: [2],
  recipes: [],
};
const named = selectDelivery([known], undefined);

const codesOf = (report: MediumReport, manifest: typeof own | typeof other, part = 1): readonly string[] =>
  withStrangers(
    { report, manifest, header: { ...header, delivery: { id, part, parts: 2 } } },
    named,
  ).findings.map(({ code }) => code);

test('a disk that arrived does not contradict itself when its passport is no longer believed', () => {
  assert.deepEqual(codesOf(mediumReport(), own), []);
  // a wrong passport says itself what is wrong
  const params = { path: 'passport.sigstore.json' };
  const blocks = [{ code: 'SVC-MED-042' as const, params, waivable: false, waived: false }];
  assert.deepEqual(codesOf(mediumReport({ blocks }), other, 2), []);
});

test('another disk of the delivery for which no configured peer vouches is a stranger', () => {
  assert.deepEqual(codesOf(mediumReport(), other, 2), ['SVC-MED-049']);
  const { findings } = withStrangers(
    { report: mediumReport(), manifest: other, header: { ...header, delivery: { id, part: 2, parts: 2 } } },
    named,
  );
  assert.match(
    JSON.stringify(findings),
    /signed the passport of the delivery, and this disk has none of a configured peer/,
  );
  const { code, params } = findings[0]!;
  const { cause, action } = renderError(svcError(code, params), 'en');
  assert.match(cause, /^The passports of all disks of a delivery/);
  assert.match(action, /^Put this disk aside, and ask the sender whether it belongs to the delivery\./);
  assert.doesNotMatch(cause + action, /damaged|number of parts/);
});

test('a disk whose rest another medium brought was imported when it came itself', () => {
  const verification = { report: mediumReport(), manifest: own, header } as never;
  const first = known.landed[0]!.importedAt;
  const later = { ...known, complete: true, completedAt: '2026-11-22T10:00:00Z' };
  for (const record of [known, later]) assert.equal(findEarlier(record, record, verification), first);
});
