import { audited } from '../../base/audited.ts';
import type { Report } from '../../base/report.ts';
import { toUnknownName } from '../../catalog/unknown-name.ts';
import type { Delivery } from '../../contract/delivery.ts';
import { dropSegments } from '../../engine/medium/parts/segment-spool.ts';
import { openArrivals } from '../../zone/arrivals.ts';

/**
 * Forgets a delivery that came on several disks. Its content in the registry stays. Segments that are kept in the state are
 * removed when no delivery is incomplete any more.
 *
 * @param id identifier of the delivery
 * @returns its last record
 * @throws SVC-REG-005 for an unknown delivery; SVC-STO-001, SVC-STO-002, SVC-STO-014
 */
export async function forgetDelivery(
  stateRoot: string,
  id: string,
  { report, actor }: { readonly report: Report; readonly actor: string },
): Promise<Delivery> {
  return audited(report, { actor, action: 'media.forget', target: id }, async () => {
    const arrivals = openArrivals(stateRoot);
    const known = await arrivals.list();
    if (!known.some((one) => one.id === id))
      throw toUnknownName(
        id,
        known.map((one) => one.id),
        'state',
      );
    const forgotten = (await arrivals.forget(id))!;
    if ((await arrivals.list()).every(({ complete }) => complete)) await dropSegments(stateRoot);
    return forgotten;
  });
}
