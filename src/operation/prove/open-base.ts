import { readInventory } from '../../attest/receipt.ts';
import type { Report } from '../../base/report.ts';
import type { Config } from '../../config/model.ts';
import { receiptLimits } from '../../contract/receipt.ts';
import { readBounded } from '../../disk/named-file.ts';
import { peekStore } from '../../store/opening/open-store.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { requireBelieved } from '../../zone/receipts.ts';
import { openSent } from '../../zone/sent.ts';
import { loadConfiguredPeers } from '../load-policy.ts';
import { type OnUnread, readBeside } from '../zone/known-receipts.ts';
import type { ProofBase } from './seed-base.ts';

interface OpenedBase extends AsyncDisposable {
  readonly base: ProofBase;
}

/**
 * Reads the receipt that a proof assumes, with the inventory beside it.
 *
 * @throws SVC-RCP-001 for a receipt that no peer of the configuration has signed, SVC-FIL-005, SVC-CFG-001
 */
export async function readProofReceipt(
  path: string,
  {
    config,
    policy,
    onUnread,
  }: { readonly config: Config; readonly policy: TrustPolicy; readonly onUnread: OnUnread },
): Promise<Pick<ProofBase, 'receipt' | 'inventory'>> {
  const keys = await loadConfiguredPeers(config, policy);
  const read = requireBelieved(await readBounded(path, receiptLimits.bytes), { keys, path });
  const listed = await readBeside(path, onUnread);
  return { receipt: read.receipt, inventory: listed && readInventory(read, listed) };
}

/**
 * Opens a receipt as the registry that a proof assumes. The store of the configuration, where one is set, has the content
 * of its recipes.
 *
 * @param path of the receipt
 * @throws SVC-RCP-001 for a receipt that no peer of the configuration has signed, SVC-FIL-005, SVC-CFG-001 for a key of a
 *   peer, the errors of opening the store
 */
export async function openProofBase(
  path: string,
  options: {
    readonly config: Config;
    readonly policy: TrustPolicy;
    readonly report: Report;
    readonly version: string;
    readonly onUnread: OnUnread;
  },
): Promise<OpenedBase> {
  const { config, policy, report, version, onUnread } = options;
  const read = await readProofReceipt(path, { config, policy, onUnread });
  const { root } = config.storage;
  const store = root === undefined ? undefined : await peekStore({ root, producer: { version }, report });
  const sent = config.state.root === undefined ? undefined : openSent(config.state.root);
  return {
    base: { ...read, store, sent },
    [Symbol.asyncDispose]: async () => store?.[Symbol.asyncDispose](),
  };
}
