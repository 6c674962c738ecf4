import type { Delivery } from '../contract/delivery.ts';
import type { MediumClaims } from '../contract/medium.ts';
import type { MediumDelivery } from '../contract/status.ts';
import { type FreshnessRecord, isStale, openFreshness, selectFreshest } from '../engine/medium/freshness.ts';
import { openArrivals } from '../zone/arrivals.ts';
import { selectDelivery } from '../zone/delivery-record.ts';

/**
 * Reads the arrivals of the delivery that a medium is a part of: two records of the state folder.
 *
 * @param verified the peer whose passport vouches for the medium, or none. Default: it was not verified
 * @returns undefined for a medium of no delivery, and before a part of it was imported
 * @throws SVC-STO-001 when the record cannot be read
 */
export async function findMediumDelivery(
  stateRoot: string,
  { mediaId, delivery }: Pick<MediumClaims, 'mediaId' | 'delivery'>,
  verified?: { readonly peer: string | undefined },
): Promise<MediumDelivery | undefined> {
  if (delivery === undefined) return undefined;
  const { id, part } = delivery;
  const records = await openArrivals(stateRoot).find(id);
  const isHere = ({ landed }: Delivery): boolean => landed.some((one) => one.mediaId === mediaId);
  const record =
    verified === undefined
      ? (records.find(isHere) ?? records[0])
      : selectDelivery(records, verified.peer).own;
  if (record === undefined) return undefined;
  const { needed, complete, recipes } = record;
  const imported = complete || isHere(record);
  const { overtakenBy } = markOvertaken(record, await openFreshness(stateRoot).get(record.zone));
  return {
    ...{ id, part, imported, needed, complete, recipes: recipes.length },
    ...(overtakenBy === undefined ? {} : { overtakenBy }),
  };
}

/** Marks an incomplete delivery that is older than the medium beside which its date counts: the import refuses its disks. */
function markOvertaken(delivery: Delivery, record: FreshnessRecord | undefined): Delivery {
  const newest = selectFreshest(record, delivery.peer);
  return !delivery.complete && newest !== undefined && isStale(delivery.resolvedAt, newest)
    ? { ...delivery, overtakenBy: newest.mediaId }
    : delivery;
}

/** Whether no disk of a delivery is expected any more: it is complete, or the import refuses its disks as older. */
export const isSettled = ({ complete, overtakenBy }: Delivery): boolean =>
  complete || overtakenBy !== undefined;

/**
 * Lists the deliveries that a zone received, incomplete ones first, and marks those that a newer medium has overtaken.
 *
 * @param stateRoot folder of the state
 * @throws SVC-STO-001, SVC-STO-014 when a record cannot be read
 */
export async function listReceived(stateRoot: string): Promise<readonly Delivery[]> {
  const freshness = openFreshness(stateRoot);
  const all = await openArrivals(stateRoot).list();
  const newest = new Map<string, FreshnessRecord | undefined>();
  for (const { zone } of all) if (!newest.has(zone)) newest.set(zone, await freshness.get(zone));
  return all.map((delivery) => markOvertaken(delivery, newest.get(delivery.zone)));
}
