import type { DeliveryState, WayOn } from '../../contract/delivery.ts';
import { isRefused } from '../../engine/zone/to-carry.ts';
import type { DeliveryRecipe, KnownDelivery } from './known-deliveries.ts';
import { isDoubted, missingOf, standingOf } from './standing.ts';

const steps: Readonly<Partial<Record<DeliveryState, WayOn>>> = {
  unproved: 'rewrite',
  overdue: 'ask',
  forked: 'renew',
  unbelieved: 'believe',
  incomplete: 'import',
  refused: 'sender',
  blocked: 'read',
  overtaken: 'forget',
  failed: 'import',
  verified: 'open',
};

/** Whether the zone would refuse a recipe again. */
export const isRefusedIn = ({ confirmed }: DeliveryRecipe): boolean =>
  confirmed !== undefined &&
  isRefused({ state: confirmed.state === 'blocked' ? 'blocked' : 'missing', code: confirmed.code });

/** Whether disks of the delivery may not have been imported: the board of the zone has it on its way still. */
const waitsForDisks = ({ parts = 1, isNamed, isUnderWay }: KnownDelivery): boolean =>
  isNamed && parts > 1 && isUnderWay;

/**
 * The next step of a delivery; undefined where there is none.
 *
 * @param keepsLedger whether a ledger would have a line of the handing over
 */
export function nextStepOf(delivery: KnownDelivery, keepsLedger: boolean): WayOn | undefined {
  const standing = standingOf(delivery);
  const { sent, ledger, isNamed } = delivery;
  if (standing === 'unfinished') return sent?.lost === undefined ? 'resume' : 'restore';
  // its receipt is the last one of this zone
  if (standing === 'complete') return isNamed ? 'home' : undefined;
  if (standing === 'partial')
    return waitsForDisks(delivery) ? 'disks' : missingOf(delivery).every(isRefusedIn) ? 'cause' : 'carry';
  if ((standing === 'way' || standing === 'overdue') && isDoubted(delivery)) return 'prove';
  if (standing === 'way') return keepsLedger && ledger?.handedOver === undefined ? 'hand' : 'await';
  return steps[standing];
}
