import type { ReceiptSummary } from '../../../../src/contract/receipt.ts';
import { listTroubles } from '../../../views/troubles.ts';
import type { PageCall } from '../../ui-route.ts';

/** Whether less rests on a receipt than on another one. */
export const isDoubtful = ({ believed, lower, fromTheFuture }: ReceiptSummary): boolean =>
  !believed || lower !== undefined || fromTheFuture === true;

/** The zones whose last receipt is overdue, as the overview tells them. */
export async function listOverdue(call: PageCall): Promise<ReadonlySet<string>> {
  const { receipts: wrong } = await listTroubles(call);
  return new Set(wrong.flatMap(({ zone, overdueSince }) => (overdueSince === undefined ? [] : [zone])));
}

/** Whether a receipt has a warning. @param overdue zones whose last receipt is overdue */
export const hasWarning = (one: ReceiptSummary, overdue: ReadonlySet<string>): boolean =>
  isDoubtful(one) || (!one.own && overdue.has(one.zone));
