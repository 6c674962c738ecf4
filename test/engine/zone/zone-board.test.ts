import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { SentDelivery } from '../../../src/contract/write-medium.ts';
import { planZoneBoard } from '../../../src/engine/zone/zone-board.ts';
import { svcError, toErrorRecord } from '../../../src/text/error.ts';
import { toReceipt } from '../../kit/content/receipt.ts';

const now = Date.parse('2026-03-11T12:00:00.000Z');
const issuedAt = '2026-03-01T12:00:00.000Z';
const resolvedAt = '2026-03-11T11:59:30.000Z';
const startedAt = '2026-03-05T12:00:00.000Z';
const day = 24 * 60 * 60 * 1000;
const [old, next] = [hashBytes('shop 1'), hashBytes('shop 2')];
const wanted = {
  resolvedAt,
  recipes: [{ name: 'shop', requested: '^2.0.0', version: '2.0.0', digest: next }],
};
const delivery: SentDelivery = {
  id: 'dlv_3f9c01ab77de',
  zone: 'zone-b',
  sequence: 1,
  startedAt,
  recipes: [next],
  parts: 1,
  written: [{ part: 1, manifest: hashBytes('manifest') }],
};
const common = { name: 'zone-b', wanted, deliveries: [], maxAge: 30 * day, now };

test('every figure of a zone has its date, its reason and its delivery', () => {
  const receipt = toReceipt({
    issuedAt,
    recipes: [
      { name: 'shop', version: '1.0.0', digest: old, state: 'present' },
      { name: 'shop', version: '2.0.0', digest: next, state: 'blocked', code: 'SVC-SIG-001' },
    ],
    freshness: { mediaId: 'medium', resolvedAt: issuedAt },
  });
  const blocked = planZoneBoard({ ...common, receipt });
  assert.deepEqual(blocked, {
    name: 'zone-b',
    wanted: { state: 'resolved', resolvedAt },
    receipt: { sequence: 1, issuedAt, ageSeconds: 864_000, overdue: false },
    deliveries: [],
    totals: { blocked: 1, missing: 0, behind: 0, 'in-transit': 0, unknown: 0, current: 0 },
    recipes: [
      {
        name: 'shop',
        requested: '^2.0.0',
        wanted: '2.0.0',
        digest: next,
        present: '1.0.0',
        state: 'blocked',
        since: issuedAt,
        code: 'SVC-SIG-001',
      },
    ],
  });
  const tools = { name: 'tools', digest: hashBytes('tools'), state: 'present' } as const;
  const more = { ...receipt, recipes: [...receipt.recipes, { ...tools, version: '3.0.0' }] };
  assert.deepEqual(planZoneBoard({ ...common, receipt: more }), {
    ...blocked,
    unwanted: [{ name: 'tools', present: '3.0.0' }],
  });
  const sent = planZoneBoard({ ...common, receipt, deliveries: [delivery], maxAge: 5 * day });
  assert.deepEqual(sent.deliveries, [
    {
      ...{ id: delivery.id, startedAt, parts: 1, ageSeconds: 518_400 },
      ...{ overdue: true, overdueSince: '2026-03-10T12:00:00.000Z' },
    },
  ]);
  assert.deepEqual(
    sent.recipes.map(({ state, since, delivery: id, code }) => [state, since, id, code]),
    [['in-transit', startedAt, delivery.id, 'SVC-SIG-001']],
  );
});

test('a receipt without names is read with the names of the sender, and a newest version is shown', () => {
  const versions = ['1.9.0', '1.10.0', '1.2.0'];
  const digests = versions.map((version) => hashBytes(`shop ${version}`));
  const receipt = toReceipt({ recipes: digests.map((digest) => ({ digest, state: 'present' })) });
  const names = new Map(versions.map((version, i) => [digests[i]!, { name: 'shop', version }]));
  const [named] = planZoneBoard({ ...common, receipt, names }).recipes;
  assert.deepEqual([named?.state, named?.present], ['behind', '1.10.0']);
  const [unnamed] = planZoneBoard({ ...common, receipt }).recipes;
  assert.deepEqual([unnamed?.state, unnamed?.present], ['unknown', undefined]);
  assert.equal(unnamed?.since, receipt.issuedAt);
  // one without its content is no version whole, under any name
  const torn = toReceipt({ recipes: digests.map((digest) => ({ digest, state: 'incomplete' })) });
  const [none] = planZoneBoard({ ...common, receipt: torn }).recipes;
  assert.equal(none?.state, 'missing');
  // a digest decides without a name
  const wanted = common.wanted.recipes[0]!.digest!;
  const whole = toReceipt({ recipes: [...digests, wanted].map((digest) => ({ digest, state: 'present' })) });
  assert.equal(planZoneBoard({ ...common, receipt: whole }).recipes[0]?.state, 'current');
});

test('a Retriever that cannot be read, and an entry that cannot be resolved, leave no board empty', () => {
  const receipt = toReceipt({ recipes: 2 });
  const unread = planZoneBoard({
    ...common,
    receipt,
    wanted: { resolvedAt, recipes: [], code: 'SVC-NET-001' },
  });
  assert.deepEqual(unread.wanted, { state: 'unresolved', resolvedAt, code: 'SVC-NET-001' });
  assert.deepEqual(
    unread.recipes.map(({ name, present, state, code }) => [name, present, state, code]),
    [
      ['recipe-0', '1.0.0', 'unknown', 'SVC-NET-001'],
      ['recipe-1', '1.1.0', 'unknown', 'SVC-NET-001'],
    ],
  );
  const inPart = planZoneBoard({
    ...common,
    receipt,
    wanted: {
      resolvedAt,
      recipes: [...wanted.recipes, { name: 'recipe-0', requested: '^1.0.0', code: 'SVC-REG-002' }],
    },
  });
  assert.equal(inPart.wanted.state, 'partial');
  assert.deepEqual(
    inPart.recipes.map(({ state, present, code }) => [state, present, code]),
    [
      ['missing', undefined, undefined],
      ['unknown', '1.0.0', 'SVC-REG-002'],
    ],
  );
});

test('a receipt that cannot be read says nothing, and the board says so', () => {
  const board = planZoneBoard({ ...common, unreadable: 'SVC-STO-001', deliveries: [delivery] });
  assert.deepEqual(
    [board.code, board.receipt, board.recipes.map(({ state, code }) => [state, code])],
    ['SVC-STO-001', undefined, [['unknown', 'SVC-STO-001']]],
  );
});

test('a version whose tag has the content of another one is not current', () => {
  const shop = { name: 'shop', state: 'present' as const };
  const recipes = [
    { ...shop, version: '1.0.0', digest: old },
    { ...shop, version: '2.0.0', digest: next, displacedBy: old },
  ];
  const [behind] = planZoneBoard({ ...common, receipt: toReceipt({ issuedAt, recipes }) }).recipes;
  assert.deepEqual([behind?.state, behind?.present], ['behind', '1.0.0']);
  const served = [
    { ...shop, version: '1.0.0', digest: old, displacedBy: next },
    { ...shop, version: '2.0.0', digest: next },
  ];
  const [current] = planZoneBoard({ ...common, receipt: toReceipt({ issuedAt, recipes: served }) }).recipes;
  assert.deepEqual([current?.state, current?.present], ['current', '2.0.0']);
});

test('a medium that this source did not write confirms none of its deliveries', () => {
  const later = '2026-03-06T12:00:00.000Z';
  const written = { ...delivery, recipes: [old, next], parts: 1 };
  const toBoard = (id: string, known: readonly (typeof old)[]) => {
    const lastDelivery = { id, part: 1, manifest: hashBytes('forged') };
    const receipt = toReceipt({
      issuedAt: later,
      lastDelivery,
      freshness: { mediaId: 'forged', resolvedAt: later },
      recipes: known.map((digest) => ({ digest, state: 'present' })),
    });
    const begun = { ...written, id: 'dlv_999999999999', sequence: written.sequence + 1, written: [] };
    return planZoneBoard({ ...common, receipt, deliveries: [begun, written] });
  };
  // the last one has no part that is written
  for (const id of [delivery.id, 'dlv_000000000000', 'dlv_999999999999']) {
    assert.deepEqual(
      toBoard(id, [old]).deliveries.map((one) => one.id),
      [delivery.id],
      id,
    );
    assert.deepEqual(toBoard(id, [old, next]).deliveries, [], id);
  }
});

test('a disk of another sender with the content of the newest delivery ends the waiting for no other', () => {
  const deliveries = [[next], [old]].map((recipes, i) => ({
    ...{ ...delivery, id: `dlv_00000000000${2 - i}`, sequence: 2 - i, recipes },
    written: [{ part: 1, manifest: hashBytes(`disk ${2 - i}`) }],
  }));
  const later = '2026-03-06T12:00:00.000Z';
  const foreign = { id: 'dlv_dddddddddddd', part: 1, manifest: hashBytes('foreign') };
  const freshness = { mediaId: 'foreign', resolvedAt: '2026-03-07T07:00:00.000Z' };
  const named = { id: 'dlv_000000000002', ...deliveries[0]!.written[0]! };
  for (const [facts, waiting] of [
    [{ freshness }, ['dlv_000000000001']],
    [{ freshness, lastDelivery: foreign }, ['dlv_000000000001']],
    [{ freshness, lastDelivery: { ...foreign, id: 'dlv_000000000002' } }, ['dlv_000000000001']],
    [
      { freshness: { ...freshness, vouched: true }, lastDelivery: { ...foreign, peer: 'zone-x' } },
      ['dlv_000000000001'],
    ],
    [{ freshness, lastDelivery: named }, []],
  ] as const) {
    const recipes = [{ digest: next, state: 'present' as const }];
    const board = planZoneBoard({
      ...common,
      receipt: toReceipt({ issuedAt: later, ...facts, recipes }),
      deliveries,
    });
    assert.deepEqual(
      board.deliveries.map(({ id }) => id),
      waiting,
      JSON.stringify(facts),
    );
  }
});

test('a delivery of old recipes, which the zone has, confirms none before it, and an older medium takes nothing back', () => {
  const [first, stolen, small] = [[old], [next], [old]].map((recipes, i) => ({
    ...{ ...delivery, id: `dlv_00000000000${i}`, sequence: i + 1, recipes },
    written: [{ part: 1, manifest: hashBytes(`disk ${i}`) }],
  }));
  const later = '2026-03-06T12:00:00.000Z';
  const underWay = (
    known: readonly (typeof old)[],
    named: Pick<SentDelivery, 'id' | 'written'> | undefined,
  ) => {
    const receipt = toReceipt({
      issuedAt: later,
      lastDelivery: { id: named?.id ?? 'dlv_999999999999', ...(named?.written[0] ?? delivery.written[0]!) },
      freshness: { mediaId: 'medium', resolvedAt: later },
      recipes: known.map((digest) => ({ digest, state: 'present' })),
    });
    return planZoneBoard({ ...common, receipt, deliveries: [small!, stolen!, first!] }).deliveries.map(
      ({ id }) => id,
    );
  };
  assert.deepEqual(underWay([old], undefined), [stolen!.id]);
  assert.deepEqual(underWay([old], first), [stolen!.id]);
  assert.deepEqual(underWay([old, next], first), []);
  // a later disk arrived: no older one is waited for, and its recipe is missing
  assert.deepEqual(underWay([old], small), []);
  // a disk of another sender
  assert.deepEqual(underWay([next], undefined), [small!.id, first!.id]);
});

test('a receipt that no key verifies is named, and says nothing of the recipes', () => {
  const unbelieved = { sequence: 2, issuedAt };
  const board = planZoneBoard({ ...common, unbelieved });
  assert.deepEqual(board.unbelieved, { ...unbelieved, ageSeconds: 864_000 });
  assert.equal(board.receipt, undefined);
  assert.deepEqual(
    board.recipes.map(({ state, code }) => [state, code]),
    [['unknown', 'SVC-RCP-001']],
  );
  const [carried] = planZoneBoard({ ...common, unbelieved, deliveries: [delivery] }).recipes;
  assert.deepEqual([carried?.state, carried?.code], ['in-transit', undefined]);
});

test('what is overdue has the time since when it is', () => {
  const board = planZoneBoard({
    ...common,
    receipt: toReceipt({ issuedAt }),
    deliveries: [delivery],
    maxAge: 5 * day,
  });
  assert.equal(board.receipt?.overdueSince, '2026-03-06T12:00:00.000Z');
  assert.equal(board.deliveries[0]?.overdueSince, '2026-03-10T12:00:00.000Z');
});

test('a delivery of which the zone confirmed one disk tells the disks that have not arrived', () => {
  const [first, second] = [hashBytes('disk 1'), hashBytes('disk 2')];
  const sent: SentDelivery = {
    ...delivery,
    ...{ recipes: [old, next], parts: 3 },
    written: [
      { part: 1, manifest: first, recipes: [old] },
      { part: 2, manifest: second, recipes: [next] },
      { part: 3, manifest: hashBytes('disk 3'), recipes: [] },
    ],
  };
  const receipt = toReceipt({
    issuedAt: '2026-03-06T12:00:00.000Z',
    recipes: [{ digest: old, state: 'present' }],
    lastDelivery: { id: delivery.id, part: 1, manifest: first },
  });
  const inPartOf = (one: SentDelivery, stated = receipt) =>
    planZoneBoard({ ...common, receipt: stated, deliveries: [one] }).deliveries.map(({ inPart }) => inPart);
  assert.deepEqual(inPartOf(sent), [{ part: 1, awaited: [2] }]);
  // records of earlier versions have the recipes of no disk
  const bare = sent.written.map(({ recipes: _, ...one }) => one);
  assert.deepEqual(inPartOf({ ...sent, written: bare }), [{ part: 1 }]);
  const { lastDelivery: _, ...other } = receipt;
  assert.deepEqual(inPartOf(sent, other), [undefined]);
});

test('a delivery that was written and not proved is named, and counts for no recipe', () => {
  const [part] = delivery.written;
  const unproved = {
    ...delivery,
    id: 'dlv_000000000002',
    sequence: 2,
    written: [{ ...part!, unproved: true }],
  };
  const stated = { ...common, receipt: toReceipt({ issuedAt }) };
  const board = planZoneBoard({ ...stated, deliveries: [unproved] });
  assert.deepEqual(
    board.unproved?.map(({ id, parts, startedAt: at }) => [id, parts, at]),
    [[unproved.id, 1, startedAt]],
  );
  assert.deepEqual(board.deliveries, []);
  assert.deepEqual(
    board.recipes.map((one) => [one.state, one.unproved]),
    [['missing', unproved.id]],
  );
  // a later delivery that is proved takes its place, and one that the zone has whole is over
  const later = { ...delivery, sequence: 3 };
  assert.equal(planZoneBoard({ ...stated, deliveries: [later, unproved] }).unproved, undefined);
  const whole = toReceipt({ issuedAt: startedAt, recipes: [{ digest: next, state: 'present' }] });
  assert.equal(planZoneBoard({ ...common, receipt: whole, deliveries: [unproved] }).unproved, undefined);
  const cut = { ...unproved, parts: 2 };
  const isCut = planZoneBoard({ ...stated, deliveries: [cut] }).unfinished?.map(({ id }) => id);
  assert.deepEqual(isCut, [cut.id]);
  // a later one replaced it, or a task writes it now
  assert.equal(planZoneBoard({ ...stated, deliveries: [later, cut] }).unfinished, undefined);
  const placed = { ...cut, room: { folders: ['/mnt/disks/1'], bytes: [1] } };
  const running = [{ id: 'tsk_1', reference: '/mnt/disks' }];
  assert.equal(planZoneBoard({ ...stated, deliveries: [placed], running }).unfinished, undefined);
  assert.equal(planZoneBoard({ ...stated, deliveries: [cut] }).unproved, undefined);
});

test('a recipe without a signature is marked unless the zone has it, and a refused one names its key', () => {
  const of = (signature: 'verified' | 'unsigned-admitted', state: 'present' | 'blocked' | undefined) => {
    const [recipe] = wanted.recipes;
    const signed = { ...recipe!, signature, keyFingerprint: 'c0ffee' };
    const recipes = state === undefined ? [] : [{ digest: next, state, code: 'SVC-SIG-001' }];
    const [one] = planZoneBoard({
      ...common,
      wanted: { resolvedAt, recipes: [signed] },
      receipt: toReceipt({ issuedAt, recipes }),
    }).recipes;
    return [one?.state, one?.unsigned, one?.signer];
  };
  assert.deepEqual(of('unsigned-admitted', undefined), ['missing', true, undefined]);
  assert.deepEqual(of('unsigned-admitted', 'present'), ['current', undefined, undefined]);
  assert.deepEqual(of('verified', undefined), ['missing', undefined, undefined]);
  assert.deepEqual(of('verified', 'blocked'), ['blocked', undefined, 'c0ffee']);
});

test('an entry and a Retriever that cannot be read keep the error with its values', () => {
  const error = svcError('SVC-REG-005', { reference: 'registry.example/portal:^9' });
  const recipes = [{ name: 'portal', requested: '^9', code: error.code, error }];
  const [portal] = planZoneBoard({ ...common, wanted: { resolvedAt, recipes } }).recipes;
  assert.deepEqual([portal?.code, portal?.error], [error.code, toErrorRecord(error)]);
  const unread = planZoneBoard({ ...common, wanted: { resolvedAt, recipes: [], code: error.code, error } });
  assert.deepEqual(unread.wanted.error, toErrorRecord(error));
});

test('a board whose facts are the same as before takes its rows over, and ages', () => {
  const receipt = toReceipt({ issuedAt, recipes: [] });
  const zone = { ...common, wanted: { ...wanted, recipes: [...wanted.recipes] }, receipt };
  const first = planZoneBoard(zone);
  const later = planZoneBoard({ ...zone, now: now + 1000 });
  assert.equal(later.recipes, first.recipes);
  assert.equal(later.receipt!.ageSeconds, first.receipt!.ageSeconds + 1);
  const states = (changed: Partial<typeof zone> & { readonly unreadable?: string }) =>
    planZoneBoard({ ...zone, ...changed }).recipes.map(({ state }) => state);
  assert.deepEqual(states({}), ['missing']);
  assert.deepEqual(states({ deliveries: [delivery] as never }), ['in-transit']);
  assert.deepEqual(states({ unreadable: 'SVC-STO-001' }), ['unknown']);
  assert.deepEqual(
    states({ receipt: toReceipt({ issuedAt, recipes: [{ digest: next, state: 'present' }] }) }),
    ['current'],
  );
});
