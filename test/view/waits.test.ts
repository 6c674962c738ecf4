import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery } from '../../src/contract/delivery.ts';
import { words } from '../../src/text/words/words.ts';
import type { RunRecipe } from '../../src/view/runs.ts';
import { addWithheld, besideMedium, splitBlocked } from '../../src/view/zone/blocked.ts';
import { compareWithZone } from '../../src/view/zone/compare.ts';
import { isOfDeliveries, listStanding, listWaits } from '../../src/view/zone/waits.ts';
import { toVerdictSentence, toZoneVerdict } from '../../src/view/zone-verdict.ts';

type Outcome = RunRecipe['status'];
const toRun = (
  id: string,
  type: 'sync' | 'media-import',
  recipes: Readonly<Record<string, Outcome>>,
): Parameters<typeof listWaits>[0]['runs'][number] => ({
  task: { id, type, runId: `run of ${id}` },
  recipes: Object.entries(recipes).map(([named, status]) => {
    const [name = '', version = ''] = named.split(' ');
    return { name, version, status };
  }),
});
const namesOf = (runs: Parameters<typeof listWaits>[0]['runs'], freshest?: string, hasSource = true) =>
  listWaits({ received: [], runs, freshest, hasSource }).owed.map(({ name, task }) => `${name} ${task}`);

test('what the import of the freshest medium did not bring is owed after the import of an older one', () => {
  const older = toRun('a', 'media-import', { 'shop 1.0.0': 'done' });
  const fresh = toRun('b', 'media-import', { 'shop 1.1.0': 'failed', 'depot 1.0.0': 'done' });
  const before = toRun('c', 'media-import', { 'tools 0.9.0': 'failed' });
  assert.deepEqual(
    namesOf([older, fresh, before], 'run of b'),
    ['shop b'],
    'and nothing of a medium before it',
  );
  assert.deepEqual(namesOf([older, fresh, before]), ['shop b', 'tools c'], 'no medium has overtaken it');
  const whole = toRun('d', 'media-import', { 'shop 1.1.0': 'done' });
  assert.deepEqual(namesOf([whole, older, fresh], 'run of b'), [], 'it landed since');
  const higher = toRun('e', 'media-import', { 'shop 1.2.0': 'done' });
  assert.deepEqual(namesOf([higher, fresh], 'run of b'), [], 'a higher version landed since');
  const vain = toRun('f', 'media-import', { 'shop 1.2.0': 'failed' });
  assert.deepEqual(
    namesOf([older, vain, fresh], 'run of b'),
    ['shop f'],
    'a later run wanted a higher version, in vain',
  );
  const forgotten = { ...vain, delivery: { id: 'dlv_0123456789ab', parts: 2, landed: [], recipes: [] } };
  assert.deepEqual(
    namesOf([older, forgotten, fresh], 'run of b'),
    ['shop b'],
    'nothing waits for that higher version any more',
  );
});

test('what the last synchronization did not bring is owed after an import, while the zone has a Retriever', () => {
  const disk = toRun('a', 'media-import', { 'depot 1.0.0': 'done' });
  const last = toRun('b', 'sync', { 'shop 1.1.0': 'failed', 'depot ^1': 'failed' });
  const former = toRun('c', 'sync', { 'tools 0.9.0': 'failed' });
  assert.deepEqual(namesOf([disk, last, former]), ['shop b']);
  assert.deepEqual(namesOf([disk, last, former], undefined, false), []);
  assert.deepEqual(namesOf([last, former]), [], 'the last run has its own recipes');
  const next = toRun('d', 'sync', { 'depot ^2': 'failed', 'tools ^2|3': 'failed' });
  const lower = toRun('e', 'media-import', { 'depot 1.0.0': 'done', 'tools 2.0.0': 'done' });
  assert.deepEqual(namesOf([lower, next]), ['depot d', 'tools d'], 'no version that the constraint allows');
  assert.deepEqual(namesOf([toRun('f', 'media-import', { 'depot 2.1.0': 'done' }), next]), ['tools d']);
});

test('what a run did not bring of a delivery that was forgotten is wanted no more', () => {
  const digest = `sha256:${'a'.repeat(64)}` as const;
  const recipe = { name: 'shop', version: '1.0.0' };
  const run = {
    task: { type: 'media-import' as const },
    recipes: [{ ...recipe, status: 'skipped' as const }],
    delivery: {
      ...{ id: 'dlv_0123456789ab', parts: 2, landed: [] },
      recipes: [{ ...recipe, digest, state: 'waiting' as const }],
    },
  };
  const standings = (waits: Parameters<typeof listStanding>[1]['waits']) =>
    listStanding(run, { recipes: [], waits }).map(({ standing }) => standing);
  assert.deepEqual(standings(undefined), ['missing'], 'nothing is known of it');
  assert.deepEqual(standings({ owed: [], landed: [], arrived: [] }), []);
  assert.deepEqual(standings({ owed: [], landed: [recipe], arrived: [] }), ['here']);
  assert.deepEqual(standings({ owed: [{ ...recipe, state: 'missing' }], landed: [], arrived: [] }), [
    'missing',
  ]);
});

test('the content of earlier deliveries is wanted and here beside the last one, unless it is owed again', () => {
  const toDigest = (letter: string) => `sha256:${letter.repeat(64)}` as const;
  const toDelivery = (id: string, complete: boolean, recipes: Delivery['recipes']): Delivery => ({
    ...{ id, zone: 'zone-b', resolvedAt: '2026-11-20T09:00:00Z', parts: 2, complete, landed: [], needed: [] },
    recipes,
  });
  const shop = { name: 'shop', version: '1.0.0', digest: toDigest('a') };
  const depot = { name: 'depot', version: '1.0.0', digest: toDigest('b') };
  const cooling = { name: 'cooling', version: '1.1.0', digest: toDigest('c') };
  const forecast = { name: 'forecast', version: '3.4.0', digest: toDigest('d') };
  const completed = toDelivery('dlv_000000000001', true, [
    { ...shop, state: 'landed' },
    { ...depot, state: 'landed' },
  ]);
  const first = { ...completed, completedAt: '2026-11-12T09:00:00Z' };
  const again = { ...first, id: 'dlv_000000000003', completedAt: '2026-11-26T09:00:00Z' };
  const last = toDelivery('dlv_000000000002', false, [
    { ...cooling, state: 'landed' },
    { ...forecast, state: 'waiting', parts: [2] },
    { ...depot, state: 'failed', parts: [1] },
  ]);
  const run = {
    ...toRun('a', 'media-import', {
      'cooling 1.1.0': 'done',
      'forecast 3.4.0': 'skipped',
      'depot 1.0.0': 'failed',
    }),
    delivery: last,
  };
  const waits = listWaits({
    received: [last, again, first],
    runs: [run],
    freshest: undefined,
    hasSource: false,
  });
  const all = listStanding({ ...run, task: { type: 'media-import' } }, { recipes: [], waits });
  assert.deepEqual(
    all.map(({ name, standing, arrival }) => [name, standing, arrival?.delivery]),
    [
      ['cooling', 'here', last.id],
      ['forecast', 'missing', undefined],
      ['depot', 'missing', undefined],
      ['shop', 'here', first.id],
    ],
  );
  const synced = toRun('b', 'sync', { 'cooling 1.1.0': 'done' });
  const ofSync = listStanding({ ...synced, task: { type: 'sync' } }, { recipes: [cooling], waits });
  assert.equal(
    ofSync.some(({ name }) => name === 'shop'),
    false,
    'a synchronization lists everything that is wanted itself',
  );
});

test('of a withheld recipe that another delivery brought, only the copy on the medium is damaged, unless a rule refuses it', () => {
  const toDigest = (letter: string) => `sha256:${letter.repeat(64)}` as const;
  const depot = { name: 'depot', version: '2.0.0', digest: toDigest('a') };
  const arrived = [{ ...depot, delivery: 'dlv_000000000001' }];
  const waits = { owed: [], landed: [], arrived };
  const damaged = { ...depot, reason: { code: 'SVC-MED-012' as const, params: {} } };
  const unsigned = { ...depot, reason: { code: 'SVC-SIG-001' as const, params: {} } };
  const other = { ...damaged, digest: toDigest('b') };
  assert.deepEqual(splitBlocked([damaged, unsigned, other], waits), {
    lacking: [unsigned, other],
    copies: [damaged],
  });
  const owed = [{ name: depot.name, version: depot.version, state: 'missing' as const }];
  assert.deepEqual(
    splitBlocked([damaged], { ...waits, owed }).copies,
    [],
    'its content was looked for in vain',
  );
  assert.deepEqual(splitBlocked([damaged], undefined).copies, [], 'nothing is known of the zone');
});

test('a withheld recipe that the zone lacks counts beside those that wait for a disk', () => {
  const wanted = [
    { name: 'forecast', version: '3.4.0', status: 'skipped', standing: 'missing' },
    { name: 'shop', version: '1.0.0', status: 'done', standing: 'here' },
  ] as const;
  const known = {
    ...{ refusal: undefined, delivery: undefined, wanted, recipes: 1, isUnimported: true },
    last: { task: { status: 'done' }, recipes: wanted } as unknown as Parameters<
      typeof toZoneVerdict
    >[0]['last'],
  };
  const sandbox = { name: 'sandbox', version: '0.0.7' };
  const verdictOn = (...blocked: readonly { readonly name: string; readonly version: string }[]) => {
    const verdict = toZoneVerdict({ ...known, blocked });
    return verdict.kind === 'missing' ? [verdict.count, verdict.total] : verdict.kind;
  };
  assert.deepEqual(verdictOn(), [1, 2]);
  assert.deepEqual(verdictOn(sandbox), [2, 3]);
  assert.deepEqual(verdictOn(wanted[0]), [1, 2], 'it is missing already');
  assert.deepEqual(verdictOn(wanted[1]), [2, 2], 'the medium has refused what was here');
  assert.deepEqual(
    addWithheld(wanted, [sandbox, ...wanted]).map(({ name, standing, isWithheld }) => [
      name,
      standing,
      isWithheld,
    ]),
    [
      ['forecast', 'missing', undefined],
      ['sandbox', 'missing', true],
      ['shop', 'missing', true],
    ],
  );
});

const toDigest = (letter: string) => `sha256:${letter.repeat(64)}` as const;
const toArrived = (name: string, version: string, letter: string) => ({
  ...{ name, version, digest: toDigest(letter), delivery: 'dlv_000000000001' },
});

test('of the versions that deliveries brought, one row of each name counts, and the others stay with it', () => {
  const arrived = [
    toArrived('depot', '2.0.0', 'd'),
    toArrived('shop', '1.10.0', 'a'),
    toArrived('shop', '1.9.0', 'b'),
    toArrived('shop', '1.4.0', 'c'),
    toArrived('tools', '1.0.0', 'e'),
  ];
  const owed = [{ name: 'tools', version: '1.1.0', state: 'missing' as const }];
  const waits = { owed, landed: [], arrived, hasSource: false };
  const run = { ...toRun('a', 'media-import', { 'shop 1.9.0': 'done', 'depot 2.0.0': 'done' }) };
  const wanted = listStanding(run, { recipes: [], waits });
  const rowsOf = (all: typeof wanted) =>
    all.map(({ name, version, others = [] }) => [name, version, ...others.map((each) => each.version)]);
  assert.deepEqual(rowsOf(wanted).toSorted(), [
    ['depot', '2.0.0'],
    ['shop', '1.10.0', '1.9.0', '1.4.0'],
    ['tools', '1.1.0', '1.0.0'],
  ]);
  const sync = toRun('b', 'sync', { 'shop 1.9.0': 'done', 'shop 1.10.0': 'done' });
  const recipes = arrived.map(({ name, version }) => ({ name, version })) as never;
  assert.equal(
    listStanding(sync, { recipes, waits: { ...waits, owed: [] } }).length,
    2,
    'a Retriever wants both',
  );
  assert.equal(isOfDeliveries(run, waits), true);
  assert.equal(isOfDeliveries(sync, waits), false);
  assert.equal(isOfDeliveries(run, { hasSource: true }), false);
  const known = { refusal: undefined, delivery: undefined, recipes: 0, isUnimported: false, blocked: [] };
  const verdict = toZoneVerdict({
    ...{ ...known, last: { ...run, task: { status: 'failed' } } as never, wanted, isDelivered: true },
  });
  assert.equal(toVerdictSentence(words.en, verdict), '1 of 3 delivered recipes is not here');
});

test('a damaged copy of what the zone has is marked in the list, and what the zone lacks is added', () => {
  const [depot] = [toArrived('depot', '2.0.0', 'd')];
  const waits = { owed: [], landed: [], arrived: [depot] };
  const wanted = listStanding(undefined, { recipes: [], waits });
  const damaged = { ...depot, reason: { code: 'SVC-MED-012' as const, params: {} } };
  const unsigned = {
    ...toArrived('lab', '1.0.0', 'e'),
    reason: { code: 'SVC-SIG-001' as const, params: {} },
  };
  const shown = besideMedium(wanted, splitBlocked([damaged, unsigned], waits));
  assert.deepEqual(
    shown.map(({ name, standing, isCopyDamaged = false }) => [name, standing, isCopyDamaged]),
    [
      ['depot', 'here', true],
      ['lab', 'missing', false],
    ],
  );
});

test('a recipe of a medium is the same as in the zone, higher, lower, or new there', () => {
  const arrived = [toArrived('shop', '1.4.0', 'a'), toArrived('shop', '1.5.0', 'b')];
  const highest = { depot: '2.0.0', constructor: '1.0.0' };
  const of = (
    name: string,
    version: string,
    letter: string,
    owed: Parameters<typeof compareWithZone>[1]['owed'] = [],
  ) => {
    const { standing, version: other } = compareWithZone(toArrived(name, version, letter), {
      arrived,
      owed,
      highest,
    });
    return `${standing} ${other ?? ''}`.trim();
  };
  assert.equal(of('shop', '1.5.0', 'b'), 'same');
  assert.equal(of('shop', '1.4.0', 'a'), 'same', 'also where a newer one is there');
  assert.equal(of('shop', '1.6.0', 'c'), 'older 1.5.0');
  assert.equal(of('shop', '1.3.0', 'c'), 'newer 1.5.0');
  assert.equal(of('shop', '1.5.0', 'c'), 'older 1.5.0', 'other content under one version');
  assert.equal(of('depot', '2.0.0', 'd'), 'same', 'of a medium without a delivery, by its version');
  assert.equal(of('toString', '1.0.0', 'd'), 'new');
  const lost = [{ name: 'shop', version: '1.5.0', state: 'missing' as const }];
  assert.equal(of('shop', '1.5.0', 'b', lost), 'older 1.4.0', 'the zone has lost it');
});
