import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ZoneBoard } from '../../src/contract/zone-board.ts';
import { selectZones } from '../../src/view/select-zones.ts';

const none = { blocked: 0, missing: 0, behind: 0, 'in-transit': 0, unknown: 0, current: 0 };
const receipt = { sequence: 4, issuedAt: '2026-11-20T14:02:10Z', overdue: false };

function board(name: string, more: Partial<ZoneBoard>, state: keyof typeof none = 'current'): ZoneBoard {
  return {
    name,
    receipt,
    recipes: [{ name: 'shop', wanted: '1.4.2', state }],
    totals: { ...none, [state]: 1 },
    deliveries: [],
    wanted: { state: 'resolved', resolvedAt: '2026-11-20T14:02:10Z' },
    ...more,
  } as unknown as ZoneBoard;
}

test('zones with an error come first, then those with a warning, those that wait, and those that have everything', () => {
  const boards = [
    board('a-has', {}),
    board('b-awaits', {}, 'in-transit'),
    board('c-unknown', {}, 'unknown'),
    board('d-other-medium', { receipt: { ...receipt, otherMedium: { part: 1, delivery: 'dlv' } } } as never),
    board('e-unproved', { unproved: [{ id: 'dlv', startedAt: '2026-11-20T14:02:10Z' }] } as never),
    board('f-overdue', { receipt: { ...receipt, overdue: true } } as never),
    board('g-forked', { receipt: { ...receipt, fork: { sequence: 4 } } } as never),
    board('h-lacks', {}, 'missing'),
  ];
  assert.deepEqual(
    selectZones(boards, { sort: 'urgency' }).map(({ name }) => name),
    ['h-lacks', 'g-forked', 'f-overdue', 'd-other-medium', 'e-unproved', 'c-unknown', 'b-awaits', 'a-has'],
  );
});
