import { lastArrival, openArrivals } from '../../src/zone/arrivals.ts';
import { openSent } from '../../src/zone/sent.ts';
import type { ViewParts } from './parts.ts';

/** A delivery that this instance wrote or received. */
export interface KnownDelivery {
  readonly id: string;
  readonly zone: string;
  /** When its writing began, or when its last part was imported (RFC 3339); empty before the first part. */
  readonly at: string;
}

/** Most deliveries that are listed, the latest. */
const most = 200;

/**
 * Lists the deliveries that this instance wrote or received, the latest first.
 *
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function listKnownDeliveries({
  instance,
}: Pick<ViewParts, 'instance'>): Promise<readonly KnownDelivery[]> {
  const { root } = instance.context.config.state;
  if (root === undefined) return [];
  const [sent, arrived] = await Promise.all([openSent(root).list(), openArrivals(root).list()]);
  const all = [
    ...arrived.map((one) => ({ id: one.id, zone: one.zone, at: lastArrival(one) })),
    ...sent.map(({ id, zone, startedAt }) => ({ id, zone, at: startedAt })),
  ];
  const byId = new Map(all.map((one) => [one.id, one]));
  return [...byId.values()].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, most);
}
