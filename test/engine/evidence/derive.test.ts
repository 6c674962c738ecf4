import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { runAtOnce } from '../../../src/base/pacer.ts';
import type { EvidenceLine } from '../../../src/contract/evidence.ts';
import { listDeliveries } from '../../../src/engine/evidence/derive.ts';

const id = 'dlv_0123456789ab';
const [first, second] = [hashBytes('first'), hashBytes('second')];

type Said = readonly [
  type: 'verified' | 'received',
  manifest: Digest,
  details?: Readonly<Record<string, unknown>>,
];

/** The media of the delivery after lines about disks of its part 1. */
function mediaAfter(...said: readonly Said[]) {
  const lines = said.map(([type, digest, details = {}], i) => ({
    ...{ seq: i + 1, site: 'zone-b', type, step: type === 'verified' ? 'outcome' : 'event', actor: 'ana' },
    subjects: [{ name: 'media.jsonl', digest }],
    details: { delivery: id, zone: 'zone-b', part: 1, parts: 1, vouched: false, ...details },
  })) as unknown as readonly EvidenceLine[];
  const sources = { site: 'zone-b', signatures: [], ledgers: [{ lines }] };
  return runAtOnce(listDeliveries(sources)).map(({ media, claimed }) => [media, claimed]);
}

const blocks = { blocks: ['SVC-MED-007'] };
const imported = { part: 1, manifest: first };
const refused = { part: 1, manifest: second, refused: 'SVC-MED-007' };

test('a refused disk takes the place of no imported one, and has a row of its own', () => {
  assert.deepEqual(mediaAfter(['received', first], ['received', second, blocks]), [
    [[imported, refused], undefined],
  ]);
  assert.deepEqual(mediaAfter(['received', second, blocks], ['received', first]), [
    [[imported, refused], undefined],
  ]);
  assert.deepEqual(mediaAfter(['received', second, blocks]), [[[refused], undefined]]);
});

test('a disk that was imported stays so when it is refused later, and one that was refused is imported later', () => {
  assert.deepEqual(mediaAfter(['received', first], ['received', first, blocks]), [[[imported], undefined]]);
  assert.deepEqual(mediaAfter(['received', first, blocks], ['received', first]), [[[imported], undefined]]);
  // another one in its place, written again
  assert.deepEqual(mediaAfter(['received', second], ['received', first]), [[[imported], undefined]]);
});

test('a disk that was only verified has a row, marked so', () => {
  const verified = { ...imported, verified: true };
  assert.deepEqual(mediaAfter(['verified', first, { vouched: true, blocks: [] }]), [[[verified], undefined]]);
  assert.deepEqual(mediaAfter(['verified', second, blocks]), [[[{ ...refused, verified: true }], undefined]]);
  assert.deepEqual(mediaAfter(['verified', first, blocks], ['verified', first, { blocks: [] }]), [
    [[verified], undefined],
  ]);
  assert.deepEqual(mediaAfter(['verified', first, { blocks: [] }], ['received', first]), [
    [[imported], undefined],
  ]);
  assert.deepEqual(mediaAfter(['received', first], ['verified', first, blocks]), [[[imported], undefined]]);
});

test('a disk of which recipes were refused is marked so, also where only the line of its verification says it', () => {
  const part = { blocks: [], refused: ['SVC-MED-012 shop@1.0.0'] };
  const spoiled = { ...imported, refused: 'SVC-MED-012' };
  assert.deepEqual(mediaAfter(['verified', first, part], ['received', first]), [[[spoiled], undefined]]);
  assert.deepEqual(
    mediaAfter(['verified', first, part], ['received', first], ['verified', first], ['received', first]),
    [[[imported], undefined]],
  );
  assert.deepEqual(
    mediaAfter(['verified', first], ['received', first], ['verified', first, part], ['received', first]),
    [[[imported], undefined]],
  );
  assert.deepEqual(mediaAfter(['received', first, { blocks: ['SVC-MED-012'] }]), [[[spoiled], undefined]]);
});
