import { hasRole } from '../../src/account/model.ts';
import { systemClock } from '../../src/base/clock.ts';
import * as api from '../../src/contract/operations/receipts.ts';
import { svcError } from '../../src/text/error.ts';
import { showReceipts, toReceiptSummary } from '../../src/view/receipts.ts';
import { type ApiRoute, route } from './api-route.ts';
import { auditedRefusal } from './audited.ts';

export const receiptRoutes: readonly ApiRoute[] = [
  route(api.listReceipts, async ({ instance }) => ({
    json: await showReceipts(instance.context, systemClock.wall()),
  })),
  route(
    api.addReceipt,
    async (call) => {
      const { body, identity, exchange, instance, operations, report } = call;
      const { actor, role } = identity;
      const { origin } = exchange;
      const { allowOlder } = body;
      await auditedRefusal(call, 'receipt.accept', undefined, async () => {
        if (allowOlder !== undefined && !hasRole(role, 'admin'))
          throw svcError('SVC-AUTH-003', { role: 'admin' });
      });
      const bytes = Buffer.from(body.receipt);
      const context = { ...instance.context, report };
      const { receipt, isNew } = await operations.addReceipt(context, {
        bytes,
        allowOlder,
        store: call.store,
        actor,
        origin,
      });
      const shown = { own: false, believed: true, now: systemClock.wall() };
      return { json: { receipt: toReceiptSummary(receipt, shown), isNew } };
    },
    { audit: 'receipt.accept' },
  ),
];
