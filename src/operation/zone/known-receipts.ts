import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { audited } from '../../base/audited.ts';
import { hashBytes } from '../../base/digest.ts';
import { requireSetting } from '../../base/require-setting.ts';
import { custodyLimits } from '../../contract/custody.ts';
import { inventorySuffix, type Receipt, receiptLimits } from '../../contract/receipt.ts';
import { findContradictions, toPeerClaim } from '../../custody/claims.ts';
import { toCustodyFolder } from '../../custody/ledger-files.ts';
import type { CustodySubject } from '../../custody/model.ts';
import { readClaims } from '../../custody/read-claims.ts';
import { readBounded } from '../../disk/named-file.ts';
import { closeRecipe, toContents } from '../../engine/delivery/close.ts';
import type { Store } from '../../store/model.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import type { KeptReceipt } from '../../zone/receipt-files.ts';
import { type AddedReceipt, openReceipts, type Receipts, type ZoneKey } from '../../zone/receipts.ts';
import { findOtherMedium, openSent } from '../../zone/sent.ts';
import type { Context } from '../context.ts';
import { keepStatement } from '../custody/kept-statements.ts';
import { describeContradictions, listKeptClaims, listReceiptClaims } from '../custody/known-claims.ts';
import { openCustody } from '../custody/open-custody.ts';
import { loadConfiguredPeers } from '../load-policy.ts';

/** What operations on receipts need: no registry is contacted. */
export type ReceiptContext = Pick<Context, 'config' | 'policy' | 'report'>;

/** Logs a receipt that does not count, and an inventory that cannot be read. */
export const logUnread =
  ({ report }: Pick<ReceiptContext, 'report'>): OnUnread =>
  (error) =>
    report.log(
      'warn',
      error.code === 'SVC-RCP-002'
        ? 'The last receipt of the zone does not count: one with a lower number and a later date was refused'
        : 'The inventory beside the receipt is not used',
      { error },
    );

/**
 * Told of an inventory that cannot be read, by SVC-FIL-005, SVC-STO-001, SVC-STO-014 or SVC-VAL-002, and of a receipt that does
 * not count, by SVC-RCP-002.
 */
export type OnUnread = (error: SvcError) => void;

/**
 * Reads the inventory beside the file of a receipt. It is not signed, and a receipt is valid without it.
 *
 * @returns undefined where there is none, and where it cannot be read
 */
export async function readBeside(path: string, onUnread: OnUnread): Promise<Buffer | undefined> {
  const file = `${path}${inventorySuffix}`;
  if (!existsSync(file)) return undefined;
  try {
    return await readBounded(file, receiptLimits.inventory);
  } catch (error) {
    if (!isSvcError(error)) throw error;
    onUnread(error);
    return undefined;
  }
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
 * @returns also SVC-CUS-005 for each earlier statement about a custody ledger that it contradicts, and SVC-RCP-006 where it
 *   names a medium that this source did not write: it is kept nevertheless
 * @throws SVC-CFG-001, SVC-RCP-001 to SVC-RCP-003, SVC-RCP-005, errors of the state
 */
export async function addReceipt(
  context: ReceiptContext,
  input: AddReceiptInput,
): Promise<AddedReceipt & { readonly contradictions: readonly SvcError[] }> {
  const { bytes, path, allowOlder, inventory, via, store, actor, origin } = input;
  const details = allowOlder ? { allowOlder } : {};
  return audited(
    context.report,
    { actor, action: 'receipt.accept', target: path ?? hashBytes(bytes), origin, details },
    async () => {
      const { receipts, keys } = await openKnownReceipts(context);
      const ledger = openCustody(context.config, context.policy);
      return ledger.during(
        {
          type: 'receipt-accepted',
          actor,
          // a refused receipt is named by its file: its own content is not believed
          subjects: [
            { name: basename(path ?? 'receipt').slice(0, custodyLimits.name), digest: hashBytes(bytes) },
          ],
          details: { file: path, via, allowOlder, origin },
        },
        async () => {
          // the receipt replaces the one before it
          const { custody, state } = context.config;
          const stateRoot = requireSetting('state.root', state.root);
          const kept = await listKeptClaims(stateRoot);
          const added = await receipts.add(bytes, { keys, path, allowOlder, inventory, via });
          if (store !== undefined) await keepClosures(context, store, added.receipt.receipt);
          if (ledger.stateRoot !== undefined)
            await keepStatement(ledger.stateRoot, 'receipts', added.receipt);
          const { receipt } = added.receipt;
          const claims = listReceiptClaims(receipt);
          const own = await readClaims(toCustodyFolder(stateRoot), custody.site, [...kept, ...claims]);
          const contradictions = [
            ...(own.contradiction ? [own.contradiction] : []),
            ...findContradictions(claims, [...kept, ...own.claims]),
          ];
          const id = receipt.lastDelivery?.id;
          const sent = id === undefined ? undefined : await openSent(stateRoot).delivery(id);
          const other = findOtherMedium(receipt, sent);
          const { zone, sequence } = receipt;
          if (other !== undefined) contradictions.push(svcError('SVC-RCP-006', { zone, sequence, ...other }));
          return { ...added, contradictions };
        },
        ({ receipt, isNew, contradictions }) => ({
          subjects: [toSubject(receipt)],
          details: {
            zone: receipt.receipt.zone,
            sequence: receipt.receipt.sequence,
            delivery: receipt.receipt.lastDelivery?.id,
            isNew,
            peerSite: receipt.receipt.custody?.site,
            peerSeq: receipt.receipt.custody?.seq,
            peerHead: receipt.receipt.custody?.head,
            // the next receipt of the zone replaces this one, and may leave them out
            peerClaims: receipt.receipt.custody?.peers?.map(toPeerClaim),
            ...describeContradictions(contradictions),
          },
        }),
      );
    },
    {
      // only a receipt that was sent without a name: a file is known by its path
      ...(path === undefined ? { target: ({ receipt }) => toSubject(receipt).name } : {}),
      success: ({ isNew, receipt: { digest, receipt }, contradictions }) => ({
        zone: receipt.zone,
        sequence: receipt.sequence,
        digest,
        isNew,
        ...describeContradictions(contradictions),
      }),
    },
  );
}

/** The signed statement of a receipt, as a subject in the ledger. */
export const toSubject = ({ receipt, digest }: Pick<KeptReceipt, 'receipt' | 'digest'>): CustodySubject => ({
  name: `receipt ${receipt.sequence} of ${receipt.zone}`,
  digest,
});

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
