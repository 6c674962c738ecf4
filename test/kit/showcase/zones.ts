import { hashBytes } from '../../../src/base/digest.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import type { ZoneBoard } from '../../../src/contract/zone-board.ts';
import { planZoneBoard, type Wanted } from '../../../src/engine/zone/zone-board.ts';
import { toReceipt } from '../content/receipt.ts';
import { daysAgo } from './history.ts';
import { longName } from './stock.ts';

const day = 24 * 60 * 60 * 1000;
const delivery = 'dlv_3f9c01ab77de';
const names = ['agent', 'base', 'manuals', 'shop', longName];
const digestOf = (name: string, version: string) => hashBytes(`${name} ${version}`);

const wanted: Wanted = {
  resolvedAt: daysAgo(0),
  recipes: [
    ...names.map((name) => ({ name, requested: '^2', version: '2.0.0', digest: digestOf(name, '2.0.0') })),
    { name: 'portal', requested: '^9', code: 'SVC-REG-006' },
  ],
};
const [agent, base, manuals, shop, long] = names as [string, string, string, string, string];
const held = (name: string, version: string) => ({ name, version, digest: digestOf(name, version) });

const stated: Receipt['recipes'] = [
  { ...held(base, '2.0.0'), state: 'present' },
  { ...held(shop, '1.9.0'), state: 'present' },
  { ...held('monitoring', '1.0.0'), state: 'present' },
  { ...held(agent, '2.0.0'), state: 'blocked', code: 'SVC-SIG-001' },
  { ...held(manuals, '2.0.0'), state: 'incomplete', missing: { files: 3, bytes: 7_340_032 } },
];

const common = { wanted, deliveries: [], maxAge: 30 * day, now: Date.now() };
const forked = toReceipt({ zone: 'zone-f', sequence: 12, issuedAt: daysAgo(3), recipes: stated });

/** Boards of zones in every state. */
export const showcaseZones: readonly ZoneBoard[] = [
  planZoneBoard({
    ...common,
    name: 'zone-c',
    receipt: toReceipt({ zone: 'zone-c', sequence: 7, issuedAt: daysAgo(4), recipes: stated }),
    deliveries: [
      {
        id: delivery,
        zone: 'zone-c',
        sequence: 3,
        startedAt: daysAgo(2),
        recipes: [digestOf(long, '2.0.0')],
        parts: 2,
        written: [1, 2].map((part) => ({ part, manifest: hashBytes(`${part}`) })),
      },
    ],
  }),
  planZoneBoard({
    ...common,
    name: 'zone-d',
    via: 'zone-c',
    receipt: toReceipt({
      zone: 'zone-d',
      sequence: 41,
      issuedAt: daysAgo(33),
      recipes: names.map((name) => ({ ...held(name, '2.0.0'), state: 'present' })),
    }),
  }),
  planZoneBoard({ ...common, name: 'zone-e', wanted: { ...wanted, recipes: [], code: 'SVC-NET-001' } }),
  planZoneBoard({
    ...common,
    name: 'zone-f',
    receipt: forked,
    fork: { sequence: 12, known: hashBytes('kept'), refused: hashBytes('refused'), foundAt: daysAgo(1) },
  }),
  planZoneBoard({ ...common, name: 'zone-g', unreadable: 'SVC-STO-001' }),
];

/** The configuration of those zones. */
export const showcaseZoneSettings = showcaseZones.map(({ name }) => ({
  name,
  retriever: `/etc/svc/${name}.yaml`,
  maxAge: 30 * day,
}));
