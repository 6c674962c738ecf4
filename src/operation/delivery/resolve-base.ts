import { readInventory } from '../../attest/receipt.ts';
import type { Config } from '../../config/model.ts';
import { receiptLimits } from '../../contract/receipt.ts';
import { readBounded } from '../../disk/named-file.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { requireBelieved } from '../../zone/receipts.ts';
import { type OnUnread, openKnownReceipts, readBeside } from '../zone/known-receipts.ts';
import type { PlanWriteInput } from './plan-write.ts';

/**
 * Resolves the content that the zone is believed to have.
 *
 * @param choice `latest` (its last receipt that is known), `sent`, `none`, or the path of a receipt
 * @returns undefined: nothing, also where no receipt is known
 * @throws SVC-RCP-001 for a receipt that no peer has signed, or of another zone; SVC-RCP-002, SVC-RCP-003 for one that does
 *   not follow the known one of the zone; SVC-FIL-005, SVC-CFG-001, SVC-STO-001
 */
export async function resolveBase(
  choice: string,
  about: {
    readonly config: Config;
    readonly policy: TrustPolicy;
    readonly zone: string;
    readonly onUnread: OnUnread;
  },
): Promise<PlanWriteInput['base']> {
  const { config, policy, zone, onUnread } = about;
  if (choice === 'none') return undefined;
  if (choice === 'sent') return 'sent';
  const { receipts, keys } = await openKnownReceipts({ config, policy });
  if (choice === 'latest') {
    const receipt = await receipts.latest(zone, keys);
    if (receipt === undefined) return undefined;
    const lower = await receipts.fallback(receipt);
    if (lower !== undefined) {
      const { sequence } = lower;
      onUnread(svcError('SVC-RCP-002', { zone, sequence, known: receipt.receipt.sequence }));
      return { receipt, lower };
    }
    const [inventory, fork] = [await receipts.inventory(receipt), await receipts.fork(receipt)];
    return { receipt, inventory, fork };
  }
  const receipt = requireBelieved(await readBounded(choice, receiptLimits.bytes), { keys, path: choice });
  if (receipt.receipt.zone !== zone)
    throw svcError('SVC-RCP-001', {
      path: choice,
      rule: rule(['it is a receipt of zone {zone}', fr`c’est un reçu de la zone {zone}`], {
        zone: receipt.receipt.zone,
      }),
      problem: 'base',
    });
  await receipts.requireContinued(receipt, choice);
  const bytes = await readBeside(choice, onUnread);
  return { receipt, inventory: bytes && readInventory(receipt, bytes) };
}
