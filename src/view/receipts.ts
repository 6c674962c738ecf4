import type { ReceiptList, ReceiptSummary } from '../contract/receipt.ts';
import { openKnownReceipts, type ReceiptContext } from '../operation/zone/known-receipts.ts';
import { openOwnReceipts } from '../zone/own-receipts.ts';
import type { KeptReceipt } from '../zone/receipt-files.ts';
import { type Fork, isBelieved } from '../zone/receipts.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The last receipt of each zone, with the last one of this zone itself.
 *
 * @param now milliseconds since the epoch
 * @throws SVC-CFG-001, SVC-STO-001, SVC-STO-014
 */
export async function showReceipts(
  context: Pick<ReceiptContext, 'config' | 'policy'>,
  now: number,
): Promise<ReceiptList> {
  const { receipts, keys } = await openKnownReceipts(context);
  const { zone, state } = context.config;
  const own = zone === undefined ? undefined : await openOwnReceipts(state.root!).last(zone);
  const all = own ? [toReceiptSummary(own, { own: true, believed: true, now })] : [];
  for (const one of await receipts.list()) {
    const fork = await receipts.fork(one);
    all.push(toReceiptSummary(one, { own: false, believed: isBelieved(one, keys), fork, now }));
  }
  return { receipts: all };
}

/** @param now milliseconds since the epoch */
export function toReceiptSummary(
  { digest, receipt }: Pick<KeptReceipt, 'digest' | 'receipt'>,
  {
    own,
    believed,
    fork,
    now,
  }: {
    readonly own: boolean;
    readonly believed: boolean;
    readonly fork?: Fork | undefined;
    readonly now: number;
  },
): ReceiptSummary {
  const { zone, sequence, issuedAt, evidence, recipes, lastDelivery } = receipt;
  const count = (state: (typeof recipes)[number]['state']): number =>
    recipes.filter((recipe) => recipe.state === state).length;
  return {
    zone,
    sequence,
    issuedAt,
    digest,
    own,
    believed,
    ...(Date.parse(issuedAt) > now + dayMs ? { fromTheFuture: true } : {}),
    ...(fork === undefined ? {} : { fork }),
    evidence,
    recipes: { present: count('present'), incomplete: count('incomplete'), blocked: count('blocked') },
    ...(lastDelivery ? { lastDelivery } : {}),
  };
}
