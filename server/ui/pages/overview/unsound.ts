import { isSent } from '../../../../src/contract/write-medium.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { type KnownDelivery, listKnownDeliveries } from '../../../../src/view/delivered/known-deliveries.ts';
import { standingOf } from '../../../../src/view/delivered/standing.ts';
import { openSent } from '../../../../src/zone/sent.ts';
import type { PageCall } from '../../ui-route.ts';

const states = ['unfinished', 'unproved'] as const;

/** How many deliveries of a source are in a state in which no zone can use them. */
export interface UnsoundDeliveries {
  readonly state: (typeof states)[number];
  readonly count: number;
}

/** Counts the deliveries that were not written whole, or not proved, as their list does; for readers of that list. */
export async function countUnsound(call: PageCall): Promise<readonly UnsoundDeliveries[]> {
  const { root } = call.instance.context.config.state;
  if (root === undefined || !call.can('operator')) return [];
  try {
    // the ledger and the receipts are read only where a record of a delivery asks for it
    if ((await openSent(root).list()).every(isSent)) return [];
    const counts = Map.groupBy(await listKnownDeliveries(call), (one: KnownDelivery) => standingOf(one));
    return states.flatMap((state) => {
      const count = counts.get(state)?.length ?? 0;
      return count === 0 ? [] : [{ state, count }];
    });
  } catch (error) {
    // the list of the deliveries reports it
    if (isSvcError(error)) return [];
    throw error;
  }
}
