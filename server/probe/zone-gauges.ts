import { systemClock } from '../../src/base/clock.ts';
import type { ZoneBoard } from '../../src/contract/zone-board.ts';
import { toSvcError } from '../../src/text/error.ts';
import type { ViewParts } from '../views/parts.ts';
import { hasZones, wantedOf } from '../views/zones.ts';
import type { SampleMeter } from './metrics.ts';

/** Milliseconds after which a scrape begins to read the receipts again. It never waits for them. */
const readEvery = 60_000;
/** Milliseconds after which a Retriever is resolved again for the metrics alone. */
const resolveEvery = 15 * 60_000;

/**
 * Makes the gauges of the configured zones. Their values are those of the last reading, and the ages those of the scrape.
 *
 * @param now milliseconds since the epoch
 * @returns a function that sets the gauges
 */
export function createZoneGauges(
  { instance, operations }: Pick<ViewParts, 'instance' | 'operations'>,
  now: () => number = systemClock.wall,
): (meter: SampleMeter) => void {
  const { context, store } = instance;
  const { zones } = context.config;
  let boards: readonly ZoneBoard[] = [];
  let begun = Number.NEGATIVE_INFINITY;
  let isReading = false;
  const read = async (): Promise<void> => {
    isReading = true;
    begun = now();
    try {
      const wanted = wantedOf(instance);
      boards = await operations.readZoneBoards(context, {
        wanted,
        zones,
        store,
        freshFor: resolveEvery,
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
  return (meter) => {
    if (!hasZones({ instance })) return;
    if (!isReading && now() - begun >= readEvery) void read();
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
