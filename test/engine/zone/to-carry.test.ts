import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import {
  isToCarry,
  nameWanted,
  refusalOf,
  selectCarried,
  toCarry,
} from '../../../src/engine/zone/to-carry.ts';
import { planZoneBoard } from '../../../src/engine/zone/zone-board.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { toRecipeRecord } from '../../kit/content/recipe-record.ts';

const now = Date.parse('2026-03-11T12:00:00.000Z');
const issuedAt = '2026-03-01T12:00:00.000Z';

test('a damaged recipe is carried again, and one that a signature or a rule keeps out is not', () => {
  const carried = (code?: string) =>
    isToCarry({
      ...{ name: 'shop', requested: '^1.0.0', wanted: '1.0.0', digest: hashBytes('shop'), state: 'blocked' },
      ...(code === undefined ? {} : { code }),
    });
  for (const code of ['SVC-MED-010', 'SVC-MED-012', 'SVC-STO-009', 'SVC-MED-050', undefined])
    assert.ok(carried(code), code);
  for (const code of ['SVC-SIG-001', 'SVC-POL-001', 'SVC-DST-002']) assert.ok(!carried(code), code);
});

const states = ['present', 'incomplete', 'SVC-MED-012', 'SVC-SIG-001', 'SVC-DST-001', 'absent'] as const;
const trusts = ['none', 'believed', 'unbelieved', 'forked'] as const;
const digestOf = (i: number) => hashBytes(`recipe ${i}`);
const version = '2.0.0';

/** All combinations of the state of a recipe, and of the facts that are known of it here. */
const all = states.flatMap((state) =>
  Array.from({ length: 16 }, (_, bits) => {
    const [isResolved, isSent, isStored, hasOther] = [1, 2, 4, 8].map((bit) => (bits & bit) !== 0);
    return { state, isResolved, isSent, isStored, hasOther };
  }),
);

test('a plan has exactly the stored recipes that a delivery helps, of each state of a zone', () => {
  for (const trust of trusts) {
    const receipt = toReceipt({
      ...{ zone: 'zone-b', issuedAt },
      recipes: all.flatMap(({ state, hasOther }, i) => {
        const own = { name: `recipe-${i}`, version, digest: digestOf(i) };
        const other = {
          ...own,
          version: '1.0.0',
          digest: hashBytes(`other ${i}`),
          state: 'present' as const,
        };
        const isRefused = state !== 'present' && state !== 'incomplete';
        const held = isRefused ? { ...own, state: 'blocked' as const, code: state } : { ...own, state };
        return [...(hasOther ? [other] : []), ...(state === 'absent' ? [] : [held])];
      }),
    });
    const fork = { sequence: 1, known: digestOf(0), refused: digestOf(1), foundAt: issuedAt };
    const board = planZoneBoard({
      ...{ name: 'zone-b', maxAge: 1e12, now },
      wanted: {
        resolvedAt: issuedAt,
        recipes: all.map(({ isResolved }, i) => {
          const named = { name: `recipe-${i}`, requested: '^2.0.0' };
          return isResolved ? { ...named, version, digest: digestOf(i) } : { ...named, code: 'SVC-REG-005' };
        }),
      },
      deliveries: [
        {
          ...{ id: 'dlv_3f9c01ab77de', zone: 'zone-b', sequence: 1, parts: 1 },
          recipes: all.flatMap(({ isSent }, i) => (isSent ? [digestOf(i)] : [])),
          startedAt: '2026-03-05T12:00:00.000Z',
          written: [{ part: 1, manifest: hashBytes('part') }],
        },
      ],
      ...(trust === 'believed' || trust === 'forked' ? { receipt } : {}),
      ...(trust === 'forked' ? { fork } : {}),
      ...(trust === 'unbelieved' ? { unbelieved: receipt } : {}),
    });
    const stored = all.flatMap(({ isStored }, i) =>
      isStored ? [toRecipeRecord(`recipe-${i}`, version, [])] : [],
    );
    const digests = all.flatMap(({ isStored }, i) => (isStored ? [digestOf(i)] : []));
    const records = stored.map((one, i) => ({ ...one, digest: digests[i]! }));
    const carry = toCarry(board);
    const { recipes, absent } = selectCarried(carry, { index: { recipes: () => records } });
    const helped = board.recipes.filter(isToCarry);
    assert.ok(helped.length > 0);
    assert.deepEqual([...recipes, ...absent.map(nameWanted)].sort(), helped.map(nameWanted).sort());
    assert.ok(absent.every(({ digest }) => !digests.some((one) => one === digest)));
    // each recipe that the zone does not have is carried, on its way, refused, or without a known version
    const rest = board.recipes.filter((one) => one.state !== 'current' && !helped.includes(one));
    assert.deepEqual(
      [...carry.inTransit, ...carry.refused, ...carry.unresolved].map(({ name }) => name).sort(),
      rest.map(({ name }) => name).sort(),
    );
    assert.ok(carry.refused.every(({ code }) => ['signature', 'rule'].includes(refusalOf(code))));
  }
});
