import { systemClock } from '../../src/base/clock.ts';
import { orAfter } from '../../src/base/within.ts';
import type { ZoneBoard } from '../../src/contract/zone-board.ts';
import { toSvcError } from '../../src/text/error.ts';
import type { ViewParts } from '../views/parts.ts';
import { hasZones, wantedOf } from '../views/zones.ts';
import type { SampleMeter } from './metrics.ts';

/** Milliseconds after which a scrape begins to read the receipts again, without waiting for them. */
const readEvery = 60_000;
/** Milliseconds after which a Retriever is resolved again for the metrics alone. */
const resolveEvery = 15 * 60_000;
/** Milliseconds for which the first reading waits for each Retriever, and a scrape for the first reading. */
const firstWaits = { retriever: 500, reading: 2_000 };

/**
 * Makes the gauges of the configured zones. Their values are those of the last reading, and the ages those of the scrape. The
 * first scrape begins the first reading and has its values: states of recipes are unknown where a Retriever is slow.
 *
 * @param options.now milliseconds since the epoch
 * @param options.longest milliseconds for which a scrape waits for the first reading
 * @returns a function that sets the gauges
 */
export function createZoneGauges(
  { instance, operations }: Pick<ViewParts, 'instance' | 'operations'>,
  options: { readonly now?: () => number; readonly longest?: number } = {},
): (meter: SampleMeter) => Promise<void> {
  const { now = systemClock.wall, longest = firstWaits.reading } = options;
  const { context, store } = instance;
  const { zones } = context.config;
  let boards: readonly ZoneBoard[] = [];
  let begun = Number.NEGATIVE_INFINITY;
  let isReading = false;
  let first: Promise<void> | undefined;
  const read = async (waits: { readonly patience?: number } = {}): Promise<void> => {
    isReading = true;
    begun = now();
    try {
      const wanted = wantedOf(instance);
      boards = await operations.readZoneBoards(context, {
        wanted,
        zones,
        store,
        freshFor: resolveEvery,
        ...waits,
        now: begun,
      });
    } catch (error) {
      // an old value would hide that nothing is known
      boards = [];
      context.report.log('warn', 'The zones cannot be read for the metrics', { error: toSvcError(error) });
    } finally {
      isReading = false;
    }
  };
  return async (meter) => {
    if (!hasZones({ instance })) return;
    if (first === undefined) {
      first = read({ patience: firstWaits.retriever });
      // later scrapes have the answers of slow Retrievers
      void first.then(() => read());
    } else if (!isReading && now() - begun >= readEvery) void read();
    await orAfter(longest, first, undefined);
    meter.remove('svc_zone_receipt_age_seconds');
    meter.remove('svc_zone_overdue_deliveries');
    meter.remove('svc_zone_recipes');
    for (const { name: zone, maxAge } of zones)
      meter.set('svc_zone_receipt_max_age_seconds', maxAge / 1000, { zone });
    for (const { name: zone, receipt, totals, deliveries } of boards) {
      if (receipt !== undefined) {
        const age = Math.max(0, now() - Date.parse(receipt.issuedAt));
        meter.set('svc_zone_receipt_age_seconds', age / 1000, { zone });
      }
      const overdue = deliveries.filter((delivery) => delivery.overdue);
      meter.set('svc_zone_overdue_deliveries', overdue.length, { zone });
      for (const [state, count] of Object.entries(totals))
        meter.set('svc_zone_recipes', count, { zone, state });
    }
  };
}
