import type { HistoryFilter } from '../../log/read-history.ts';
import { openArrivals } from '../../zone/arrivals.ts';
import { openSent } from '../../zone/sent.ts';

/**
 * Adds the deliveries whose zone has the subject of a filter, those that were written here and those that arrived. Their
 * handovers, proofs and media have the identifier of the delivery only.
 *
 * @param root folder of the state
 * @throws SVC-STO-014 when the records of written deliveries cannot be read
 */
export async function addDeliveries<Filter extends HistoryFilter>(
  root: string,
  filter: Filter,
): Promise<Filter> {
  const subject = filter.subject?.toLowerCase();
  if (subject === undefined || filter.deliveries !== undefined) return filter;
  // a damaged record of an arrival must not hide the history, which tells about it
  const arrived = await openArrivals(root)
    .list()
    .catch(() => []);
  const known = [...(await openSent(root).list()), ...arrived];
  const deliveries = known.filter(({ zone }) => zone.toLowerCase().includes(subject)).map(({ id }) => id);
  return { ...filter, deliveries: [...new Set(deliveries)].sort() };
}
