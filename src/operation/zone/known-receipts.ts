import { existsSync } from 'node:fs';
import { audited } from '../../base/audited.ts';
import { requireSetting } from '../../base/require-setting.ts';
import { inventorySuffix, type Receipt, receiptLimits } from '../../contract/receipt.ts';
import { readBounded } from '../../disk/named-file.ts';
import { closeRecipe, toContents } from '../../engine/delivery/close.ts';
import type { Store } from '../../store/model.ts';
import { isSvcError } from '../../text/error.ts';
import { type AddedReceipt, openReceipts, type Receipts, type ZoneKey } from '../../zone/receipts.ts';
import { openSent } from '../../zone/sent.ts';
import type { Context } from '../context.ts';
import { loadConfiguredPeers } from '../load-policy.ts';

/** What operations on receipts need: no registry is contacted. */
export type ReceiptContext = Pick<Context, 'config' | 'policy' | 'report'>;

/**
 * Reads the inventory beside the file of a receipt.
 *
 * @returns undefined where there is none
 * @throws SVC-FIL-005, SVC-VAL-002
 */
export async function readBeside(path: string): Promise<Buffer | undefined> {
  const file = `${path}${inventorySuffix}`;
  return existsSync(file) ? readBounded(file, receiptLimits.inventory) : undefined;
}

interface AddReceiptInput {
  readonly bytes: Buffer;
  /** Names the file in errors. */
  readonly path?: string | undefined;
  readonly allowOlder?: boolean | undefined;
  /** The file that lists the blobs of the zone. */
  readonly inventory?: Buffer | undefined;
  /** The zone whose receipt is the first of the same file. */
  readonly via?: string | undefined;
  /** The store of this sender: the content of recipes of the receipt is remembered, as the store may lose them. */
  readonly store?: Store | undefined;
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
  const { bytes, path, allowOlder, inventory, via, store, actor, origin } = input;
  const details = allowOlder ? { allowOlder } : {};
  return audited(
    context.report,
    { actor, action: 'receipt.accept', target: path, origin, details },
    async () => {
      const { receipts, keys } = await openKnownReceipts(context);
      const added = await receipts.add(bytes, { keys, path, allowOlder, inventory, via });
      if (store !== undefined) await keepClosures(context, store, added.receipt.receipt);
      return added;
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

/** Remembers the content of the recipes that a zone has, as far as the store has them. A damaged recipe is left out. */
async function keepClosures(
  { config, report }: ReceiptContext,
  store: Store,
  { recipes }: Receipt,
): Promise<void> {
  const sent = openSent(requireSetting('state.root', config.state.root));
  const present = new Set(recipes.flatMap(({ digest, state }) => (state === 'present' ? [digest] : [])));
  for (const record of store.index.recipes()) {
    if (!present.has(record.digest) || (await sent.closure(record.digest)) !== undefined) continue;
    try {
      await sent.keepClosure(record.digest, toContents(await closeRecipe(store, record)));
    } catch (error) {
      if (!isSvcError(error)) throw error;
      report.log('warn', 'The content of a recipe of the receipt is not remembered', {
        recipe: record.name,
        error,
      });
    }
  }
}
