import assert from 'node:assert/strict';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { conditionNames, createReadiness } from '../../../server/probe/readiness.ts';
import { openStoreLook } from '../../../server/probe/store-look.ts';
import { openVolumeLook, type VolumeState } from '../../../server/probe/volume-look.ts';
import { openPlace } from '../../../src/disk/place/place.ts';
import { svcError } from '../../../src/text/error.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const present: VolumeState = { state: 'present', freeBytes: 1 << 30, totalBytes: 1 << 31 };
const lookOf = (state: VolumeState) => ({ look: async () => state });

type Parts = Parameters<typeof createReadiness>[0];

const read = (change: Partial<Parts> = {}) =>
  createReadiness({
    isDraining: () => false,
    refusal: () => undefined,
    withdrawn: () => 0,
    delivery: async () => undefined,
    store: { readOnly: undefined, standing: 'ours', earlier: undefined },
    zone: 'zone-b',
    volumes: { store: lookOf(present), state: lookOf(present) },
    isStoreFull: async () => false,
    ...change,
  })();

const certificateOf = (from: number, until: number): Parts['certificate'] => {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  return { description: { notBefore: at(from), notAfter: at(until) } as never };
};

const closed = { code: 'SVC-MED-030', mediaId: 'med_1' } as const;
const away = lookOf({ state: 'away' });

const cases: readonly (readonly [
  what: string,
  change: Partial<Parts>,
  status: 'ready' | 'draining' | 'unavailable',
  conditions: readonly string[],
])[] = [
  ['nothing', {}, 'ready', []],
  ['a stop', { isDraining: () => true }, 'draining', ['draining']],
  [
    'a store that is away',
    { volumes: { store: away, state: lookOf(present) } },
    'unavailable',
    ['store-away'],
  ],
  [
    'a state that is away',
    { volumes: { store: lookOf(present), state: away } },
    'unavailable',
    ['state-away'],
  ],
  [
    'a stop while both are away',
    { isDraining: () => true, volumes: { store: away, state: away } },
    'draining',
    ['draining', 'store-away', 'state-away'],
  ],
  ['volumes that cannot be asked now', { volumes: { store: lookOf({ state: 'unknown' }) } }, 'ready', []],
  ['a closed gate', { refusal: () => closed }, 'ready', ['gate-closed']],
  [
    'a medium without a pushable recipe',
    { refusal: () => ({ code: 'SVC-MED-032' }) },
    'ready',
    ['gate-closed'],
  ],
  ['a withdrawn recipe', { withdrawn: () => 1 }, 'ready', ['recipes-withdrawn']],
  [
    'the last recipe withdrawn',
    { withdrawn: () => 2, refusal: () => ({ code: 'SVC-MED-032' }) },
    'ready',
    ['gate-closed'],
  ],
  [
    'a new store in place of another',
    { store: { readOnly: undefined, standing: 'ours', earlier: 'med_0' } },
    'ready',
    ['store-new'],
  ],
  [
    'a foreign store without a zone',
    { store: { readOnly: undefined, standing: 'foreign', earlier: undefined }, zone: undefined },
    'ready',
    ['store-foreign'],
  ],
  [
    'a read-only store',
    { store: { readOnly: svcError('SVC-STO-002', { path: '/secret' }), standing: 'ours' } as never },
    'ready',
    ['store-read-only'],
  ],
  ['a full store', { isStoreFull: async () => true }, 'ready', ['store-full']],
  [
    'a full state',
    { volumes: { store: lookOf(present), state: lookOf({ ...present, freeBytes: 1000 }) } },
    'ready',
    ['state-full'],
  ],
  ['a certificate that is valid now', { certificate: certificateOf(-1, 1) }, 'ready', []],
  ['a certificate of the future', { certificate: certificateOf(1, 2) }, 'ready', ['certificate-early']],
  ['a certificate of the past', { certificate: certificateOf(-2, -1) }, 'ready', ['certificate-expired']],
  [
    'a medium that does not answer',
    {
      refusal: () => {
        throw svcError('SVC-STO-014', { path: '/secret' });
      },
    },
    'unavailable',
    ['store-away'],
  ],
];

for (const [what, change, status, conditions] of cases) {
  test(`readiness with ${what} is ${status}`, async () => {
    const found = await read(change);
    assert.equal(found.status, status);
    assert.deepEqual(
      found.conditions.map(({ name }) => name),
      conditions,
    );
    for (const { reason } of found.conditions) {
      assert.ok(reason.length > 10);
      assert.doesNotMatch(reason, /\/secret|undefined|\{/);
    }
  });
}

test('every condition is reported by one of these cases', () => {
  const reported = new Set(cases.flatMap(([, , , conditions]) => conditions));
  assert.deepEqual(
    conditionNames.filter((name) => !reported.has(name)),
    [],
  );
});

test('a folder is away when it is absent or another one is in its place, and present again when it is back', async () => {
  await using folder = await openTempFolder();
  const [place, aside] = [join(folder.path, 'store'), join(folder.path, 'aside')];
  await mkdir(place);
  const { look } = await openVolumeLook(place);
  const first = await look();
  assert.ok(first.state === 'present' && first.totalBytes >= first.freeBytes && first.totalBytes > 0);
  await rename(place, aside);
  assert.deepEqual(await look(), { state: 'away' });
  await mkdir(place);
  assert.deepEqual(await look(), { state: 'away' });
  await rm(place, { recursive: true });
  await rename(aside, place);
  assert.equal((await look()).state, 'present');
});

test('a store that was opened again is looked at in its own folder, and not in one that took its place first', async () => {
  await using folder = await openTempFolder();
  const [root, first, second] = ['store', 'first', 'second'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(root);
  const store = { root, place: await openPlace(root) };
  const { look } = await openStoreLook(store);
  await rename(root, first);
  await mkdir(root);
  assert.deepEqual(await look(), { state: 'away' });
  store.place = await openPlace(root);
  assert.equal((await look()).state, 'present');
  // the disk goes away before anyone looks
  store.place = await openPlace(root);
  await rename(root, second);
  await mkdir(root);
  assert.deepEqual(await look(), { state: 'away' });
  await rm(root, { recursive: true });
  await rename(second, root);
  assert.equal((await look()).state, 'present');
});

test('a folder that hangs is away in time, and holds up one call of the system only', async () => {
  await using folder = await openTempFolder();
  let asked = 0;
  const hanging = Promise.withResolvers<{ dev: number; ino: number }>();
  const { look } = await openVolumeLook(folder.path, {
    ask: async () => {
      asked += 1;
      return asked === 1 ? { dev: 1, ino: 2 } : hanging.promise;
    },
    patience: 20,
  });
  assert.deepEqual(await Promise.all([look(), look(), look()]), [
    { state: 'away' },
    { state: 'away' },
    { state: 'away' },
  ]);
  assert.deepEqual(await look(), { state: 'away' });
  assert.equal(asked, 2, 'the first at the start, one that hangs');
  hanging.resolve({ dev: 1, ino: 2 });
  // a busy machine takes longer than this patience to ask for the volume
  await eventually('an answer in time', async () => (await look()).state === 'present');
});

test('a lack of descriptors says nothing about a folder', async () => {
  await using folder = await openTempFolder();
  let lacking = false;
  const { look } = await openVolumeLook(folder.path, {
    ask: async () => {
      if (lacking) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      return { dev: 1, ino: 2 };
    },
  });
  lacking = true;
  assert.deepEqual(await look(), { state: 'unknown' });
});
