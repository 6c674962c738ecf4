import type { steps as words } from '../../../src/text/words/delivering/next-steps.ts';
import { isDoubted, type KnownDelivery, type Standing, standingOf } from './known-deliveries.ts';

/** The way on from a delivery that is not at its end. */
export type NextStep = keyof typeof words.brief;

const steps: Readonly<Partial<Record<Standing, NextStep>>> = {
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

/** Whether disks of the delivery may not have been imported: the board of the zone has it on its way still. */
const waitsForDisks = ({ parts = 1, isNamed, isUnderWay }: KnownDelivery): boolean =>
  isNamed && parts > 1 && isUnderWay;

/**
 * The next step of a delivery; undefined where there is none.
 *
 * @param keepsLedger whether a ledger would have a line of the handing over
 */
export function nextStepOf(delivery: KnownDelivery, keepsLedger: boolean): NextStep | undefined {
  const standing = standingOf(delivery);
  const { sent, ledger, isNamed } = delivery;
  if (standing === 'unfinished') return sent?.lost === undefined ? 'resume' : 'rewrite';
  // its receipt is the last one of this zone
  if (standing === 'complete') return isNamed ? 'home' : undefined;
  if (standing === 'partial') return waitsForDisks(delivery) ? 'disks' : 'carry';
  if ((standing === 'way' || standing === 'overdue') && isDoubted(delivery)) return 'prove';
  if (standing === 'way') return keepsLedger && ledger?.handedOver === undefined ? 'hand' : 'await';
  return steps[standing];
}
