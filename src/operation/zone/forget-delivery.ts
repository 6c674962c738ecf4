import { toUnknownName } from '../../catalog/unknown-name.ts';
import type { Delivery } from '../../contract/delivery.ts';
import { dropSegments } from '../../engine/medium/parts/segment-spool.ts';
import { openArrivals } from '../../zone/arrivals.ts';

/**
 * The record of a delivery that came on several disks.
 *
 * @param id identifier of the delivery
 * @throws SVC-REG-005 for an unknown delivery; SVC-STO-001, SVC-STO-014
 */
export async function requireDelivery(stateRoot: string, id: string): Promise<Delivery> {
  const known = await openArrivals(stateRoot).list();
  const found = known.find((one) => one.id === id);
  if (found !== undefined) return found;
  throw toUnknownName(
    id,
    known.map((one) => one.id),
    'state',
  );
}

/**
 * Forgets a delivery that came on several disks. Its content in the registry stays. Segments that are kept in the state are
 * removed when no delivery is incomplete any more. No medium may be imported meanwhile.
 *
 * @param id identifier of the delivery
 * @param fingerprint of the record that was shown. Default: any record
 * @returns its last record
 * @throws the errors of {@link requireDelivery}, SVC-SRV-007 for another record than the one that was shown, SVC-STO-002,
 *   SVC-STO-007
 */
export async function forgetDelivery(stateRoot: string, id: string, fingerprint?: string): Promise<Delivery> {
  const arrivals = openArrivals(stateRoot);
  const known = await requireDelivery(stateRoot, id);
  const forgotten = await arrivals.forget(id, fingerprint);
  if ((await arrivals.list()).every(({ complete }) => complete)) await dropSegments(stateRoot);
  return forgotten ?? known;
}
