import { hasRole } from '../../src/account/model.ts';
import { splitReceipts } from '../../src/attest/receipt-file.ts';
import { systemClock } from '../../src/base/clock.ts';
import { hashBytes } from '../../src/base/digest.ts';
import * as api from '../../src/contract/operations/receipts.ts';
import type { AddedReceipt } from '../../src/contract/receipt.ts';
import { svcError } from '../../src/text/error.ts';
import { showReceipts, toContradictions, toReceiptSummary } from '../../src/view/receipts.ts';
import { type ApiRoute, route } from './api-route.ts';
import { auditedRefusal } from './audited.ts';

export const receiptRoutes: readonly ApiRoute[] = [
  route(api.listReceipts, async ({ instance, query }) => ({
    json: await showReceipts(instance.context, systemClock.wall(), query),
  })),
  route(
    api.addReceipt,
    async (call) => {
      const { body, identity, exchange, instance, operations, report } = call;
      const { actor, role } = identity;
      const { origin } = exchange;
      const { allowOlder } = body;
      const sent = Buffer.from(body.receipt);
      await auditedRefusal(call, 'receipt.accept', hashBytes(sent), async () => {
        if (allowOlder !== undefined && !hasRole(role, 'admin'))
          throw svcError('SVC-AUTH-003', { role: 'admin' });
      });
      const context = { ...instance.context, report };
      const added: AddedReceipt[] = [];
      let refused: unknown;
      // one that is refused does not hide the others of the file
      for (const { bytes } of splitReceipts(sent))
        try {
          const via = added[0]?.receipt.zone;
          const input = { bytes, allowOlder, via, store: call.store, actor, origin };
          const { receipt, isNew, unseen, contradictions } = await operations.addReceipt(context, input);
          const shown = { own: false, verified: true, now: systemClock.wall() };
          added.push({
            receipt: toReceiptSummary(receipt, shown),
            isNew,
            ...(unseen && { unseen }),
            ...toContradictions(contradictions),
          });
        } catch (error) {
          refused ??= error;
        }
      const [first, ...others] = added;
      if (refused !== undefined || first === undefined) throw refused;
      return { json: others.length === 0 ? first : { ...first, others } };
    },
    { audit: 'receipt.accept' },
  ),
];
