import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toEvents, toShown } from '../../../../../server/ui/pages/history/events.ts';
import type { HistoryRecord } from '../../../../../src/contract/history.ts';
import type { NamedRecord } from '../../../../../src/view/history.ts';

const ts = '2026-12-01T01:08:21.788Z';
let n = 0;
const named = (source: 'a' | 'c', record: Partial<HistoryRecord>): NamedRecord => {
  n += 1;
  return {
    id: `${source}1-${n}`,
    record: { ts, actor: 'olga', action: 'media.prove', outcome: 'success', details: {}, ...record },
  };
};
const proved = (folder: string, outcome: HistoryRecord['outcome'] = 'failure') =>
  named('c', {
    ts: '2026-12-01T01:08:21.783Z',
    action: 'custody.proved',
    target: 'dlv_92a36e242d4a',
    outcome,
    details: { line: 90, folder, findings: ['SVC-CLO-001'] },
  });

test('a proof of two disks and its two lines are one event, about the delivery, with the findings', () => {
  const audit = named('a', { target: '/mnt/1, /mnt/2', outcome: 'failure', details: { verdict: 'refused' } });
  const [first, second] = [proved('/mnt/1'), proved('/mnt/2')];
  const events = toEvents([audit, first, second]);
  assert.deepEqual(events, [{ ...audit, lines: [first, second] }]);
  const { target, details } = toShown(events[0]!);
  assert.equal(target, 'dlv_92a36e242d4a');
  assert.deepEqual(details, {
    verdict: 'refused',
    folder: ['/mnt/1', '/mnt/2'],
    findings: ['SVC-CLO-001'],
  });
});

test('a line that two records could be about stays alone, and so do another actor, outcome and time', () => {
  const audit = (more: Partial<HistoryRecord> = {}) =>
    named('a', {
      action: 'media.verify',
      target: '/mnt/1',
      details: { mediaId: 'med_0123456789abcdef' },
      ...more,
    });
  const line = named('c', {
    action: 'custody.verified',
    target: 'med_0123456789abcdef',
    details: { folder: '/mnt/1', medium: 'med_0123456789abcdef' },
  });
  assert.equal(toEvents([audit(), line]).length, 1);
  for (const others of [
    [audit(), audit()],
    [audit({ actor: 'omar' })],
    [audit({ outcome: 'failure' })],
    [audit({ ts: '2026-12-01T01:09:21.788Z' })],
    [audit({ target: '/mnt/2' })],
  ])
    assert.deepEqual(toEvents([...others, line]), [...others, line]);
});

test('the end of an import is joined with its line, its start is not, and both are about the delivery', () => {
  const runId = '3a4f5a40-0594-4652-89ae-29434db39adf';
  const mediaId = 'dlv-d5cc4fa832d2-1';
  const start = named('a', { action: 'media.import', target: mediaId, runId, details: { mediaId } });
  const end = named('a', {
    action: 'media.import',
    target: '/mnt/1',
    outcome: 'failure',
    runId,
    details: { mediaId, landed: ['base@12.4.0'] },
  });
  const line = named('c', {
    action: 'custody.imported',
    target: 'base@12.4.0',
    outcome: 'failure',
    runId,
    details: { medium: mediaId, failed: 1, subjects: ['base@12.4.0 sha256:1', 'depot@2.0.0 sha256:2'] },
  });
  const events = toEvents([start, end, line]);
  assert.deepEqual(events, [start, { ...end, lines: [line] }]);
  for (const event of [...events, line]) assert.equal(toShown(event).target, 'dlv_d5cc4fa832d2');
});

test('a receipt is joined by its name or its digest, and a handed over medium by the number of the line', () => {
  const digest = `sha256:${'3'.repeat(64)}`;
  for (const [target, subject] of [
    ['receipt 8 of zone-b', `receipt 8 of zone-b ${digest}`],
    [digest, `receipt ${digest}`],
  ] as const) {
    const audit = named('a', { action: 'receipt.accept', target });
    const line = named('c', { action: 'custody.receipt-accepted', details: { subjects: [subject] } });
    assert.equal(toEvents([audit, line]).length, 1, target);
  }
  const note = named('a', { action: 'custody.note', details: { line: 20 } });
  const line = (seq: number) => named('c', { action: 'custody.handed-over', details: { line: seq } });
  assert.equal(toEvents([note, line(20), line(21)]).length, 2);
});
