import { audited } from '../../base/audited.ts';
import { requireSetting } from '../../base/require-setting.ts';
import { type AddedReceipt, openReceipts, type Receipts, type ZoneKey } from '../../zone/receipts.ts';
import type { Context } from '../context.ts';
import { loadConfiguredPeers } from '../load-policy.ts';

/** What operations on receipts need: no registry is contacted. */
export type ReceiptContext = Pick<Context, 'config' | 'policy' | 'report'>;

interface AddReceiptInput {
  readonly bytes: Buffer;
  /** Names the file in errors. */
  readonly path?: string | undefined;
  readonly allowOlder?: boolean | undefined;
  readonly actor: string;
  readonly origin?: string | undefined;
}

/** The receipts of an instance, and the keys under which they are believed. */
export async function openKnownReceipts({
  config,
  policy,
}: Pick<ReceiptContext, 'config' | 'policy'>): Promise<{
  readonly receipts: Receipts;
  readonly keys: readonly ZoneKey[];
}> {
  const receipts = openReceipts(requireSetting('state.root', config.state.root));
  return { receipts, keys: await loadConfiguredPeers(config, policy) };
}

/**
 * Verifies a receipt of another zone, and keeps it.
 *
 * @throws SVC-CFG-001, SVC-RCP-001 to SVC-RCP-003, errors of the state
 */
export async function addReceipt(context: ReceiptContext, input: AddReceiptInput): Promise<AddedReceipt> {
  const { bytes, path, allowOlder, actor, origin } = input;
  const details = allowOlder ? { allowOlder } : {};
  return audited(
    context.report,
    { actor, action: 'receipt.accept', target: path, origin, details },
    async () => {
      const { receipts, keys } = await openKnownReceipts(context);
      return receipts.add(bytes, { keys, path, allowOlder });
    },
    {
      success: ({ isNew, receipt: { digest, receipt } }) => ({
        zone: receipt.zone,
        sequence: receipt.sequence,
        digest,
        isNew,
      }),
    },
  );
}
