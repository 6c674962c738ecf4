import { splitBase, splitId } from '../../scene/split-delivery.ts';
import { editHeader, type HostilePart } from './hostile-part.ts';

const header = (
  name: string,
  change: (header: any) => void,
  expected: Partial<HostilePart>,
): HostilePart => ({
  name: `a header ${name}`,
  spoil: (part) => editHeader(part, change),
  ...expected,
});
const blocked = { blocks: ['SVC-MED-002'] } as const;

const ids: readonly HostilePart[] = (
  [
    ['that is a path', '../../../../tmp/dlv_0123456789ab'],
    ['that leads upwards', 'dlv_../../0123456'],
    ['that leads upwards in the right length', 'dlv_../../../../x'],
    ['in capitals', 'DLV_0123456789AB'],
    ['with capitals', 'dlv_0123456789AB'],
    ['that is too long', 'dlv_0123456789abc'],
    ['that is too short', 'dlv_0123456789a'],
    ['with a line feed', 'dlv_0123456789ab\n'],
    ['with a zero byte', 'dlv_0123456789a\0'],
    ['that is empty', ''],
    ['that is a number', 12],
    ['that is a list', ['dlv_0123456789ab']],
    ['that is a member of all objects', '__proto__'],
    ['of a mebibyte', `dlv_${'a'.repeat(1 << 20)}`],
  ] as const
).map(([name, id]) =>
  header(`with a delivery ${name}`, (own) => Object.assign(own.delivery, { id }), blocked),
);

const numbers: readonly HostilePart[] = (
  [
    ['part 0', 0, 2],
    ['part 3 of 2', 3, 2],
    ['part -1', -1, 2],
    ['part 1.5', 1.5, 2],
    ['part "1"', '1', 2],
    ['part null', null, 2],
    ['no part', undefined, 2],
    ['0 parts', 1, 0],
    ['1000 parts', 1, 1000],
    ['parts beyond all numbers', 1, 1e300],
    ['no number of parts', 1, undefined],
    ['-2 parts', 1, -2],
  ] as const
).map(([name, part, parts]) =>
  header(`with ${name}`, (own) => Object.assign(own.delivery, { part, parts }), blocked),
);

const bases: readonly HostilePart[] = (
  [
    ['with a negative number', { ...splitBase, sequence: -1 }],
    ['with half a number', { ...splitBase, sequence: 0.5 }],
    ['with a number as text', { ...splitBase, sequence: '7' }],
    ['with no receipt', { ...splitBase, receipt: undefined }],
    ['with a receipt that is a path', { ...splitBase, receipt: 'sha256:../../../etc/passwd' }],
    ['with no zone', { ...splitBase, zone: undefined }],
    ['with an empty zone', { ...splitBase, zone: '' }],
    ['with a zone of a mebibyte', { ...splitBase, zone: 'z'.repeat(1 << 20) }],
    ['that is a word', 'latest'],
    ['that is null', null],
    ['that is a list', [splitBase]],
  ] as const
).map(([name, base]) => header(`with a base ${name}`, (own) => Object.assign(own, { base }), blocked));

const day = 24 * 60 * 60 * 1000;

/** First lines of parts that say something else than the delivery. */
export const headers: readonly HostilePart[] = [
  ...ids,
  ...numbers,
  ...bases,
  header('with a base of another zone', (own) => Object.assign(own.base, { zone: 'zone-c' }), {}),
  header('with a base whose zone is a path', (own) => Object.assign(own.base, { zone: '../../zone' }), {}),
  header(
    'with a base of the highest number',
    (own) => Object.assign(own.base, { sequence: 2 ** 53 - 1 }),
    {},
  ),
  header('without a delivery', (own) => delete own.delivery, blocked),
  header('with a list of deliveries', (own) => Object.assign(own, { delivery: [] }), blocked),
  header('with a delivery that is null', (own) => Object.assign(own, { delivery: null }), blocked),
  header('that says 999 parts', (own) => Object.assign(own.delivery, { parts: 999 }), {}),
  header('that says it is the only part', (own) => Object.assign(own.delivery, { parts: 1 }), blocked),
  header('that says it is the other part', (own) => Object.assign(own.delivery, { part: 2 }), blocked),
  header('of format 0', (own) => Object.assign(own, { mediaFormat: 0 }), { blocks: ['SVC-MED-003'] }),
  header('of format 3', (own) => Object.assign(own, { mediaFormat: 3 }), { blocks: ['SVC-MED-003'] }),
  header('of format "2"', (own) => Object.assign(own, { mediaFormat: '2' }), blocked),
  header('of half a format', (own) => Object.assign(own, { mediaFormat: 1.5 }), blocked),
  header('of format 1 with what is absent', (own) => Object.assign(own, { mediaFormat: 1 }), {
    shop: 'SVC-MED-010',
    yard: 'SVC-MED-010',
    findings: ['SVC-MED-015'],
  }),
  header('of another zone', (own) => Object.assign(own, { zone: 'zone-c' }), { blocks: ['SVC-MED-006'] }),
  header('of a zone that is a path', (own) => Object.assign(own, { zone: '../zone-b' }), {
    blocks: ['SVC-MED-006'],
  }),
  header(
    'from the day before, after a later delivery',
    (own) => Object.assign(own, { resolvedAt: '2020-01-01T00:00:00Z' }),
    {
      before: [1, 2],
      blocks: ['SVC-MED-007'],
    },
  ),
  header(
    'from the day before its sibling',
    (own) => Object.assign(own, { resolvedAt: '2026-01-01T03:04:05.000Z' }),
    { before: [2], findings: ['SVC-MED-022'] },
  ),
  header(
    'from next year',
    (own) => Object.assign(own, { resolvedAt: new Date(Date.now() + 365 * day).toISOString() }),
    { findings: ['SVC-MED-022', 'SVC-MED-024'] },
  ),
  header(
    'from a day that is none',
    (own) => Object.assign(own, { resolvedAt: '2026-13-45T99:99:99Z' }),
    blocked,
  ),
  header(
    'with strange members',
    (own) => Object.assign(own, { parts: 9, absent: [], segments: {}, base2: 1 }),
    {},
  ),
  header(
    'with strange members of its delivery',
    (own) => Object.assign(own.delivery, { landed: [], complete: true, path: '/etc/passwd' }),
    {},
  ),
  header(
    'that names the medium as the other part does, with another number of parts',
    (own) => Object.assign(own, { delivery: { id: splitId, part: 1, parts: 7 } }),
    { before: [2], findings: ['SVC-MED-049'] },
  ),
];
