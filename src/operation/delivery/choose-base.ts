import type { Digest } from '../../base/digest.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { isSent, type MediumWriting } from '../../contract/write-medium.ts';
import { closeWholeRecipe, toContents } from '../../engine/delivery/close.ts';
import type { DeliveryBase } from '../../engine/delivery/plan.ts';
import type { CallOptions } from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import type { NewReceipt } from '../../zone/receipt-files.ts';
import type { Fork } from '../../zone/receipts.ts';
import type { Sent } from '../../zone/sent.ts';
import type { ProofBase } from '../prove/seed-base.ts';

/** A receipt, and the blobs that the zone lists beside it. */
export interface StatedBase {
  readonly receipt: NewReceipt;
  readonly inventory?: ReadonlySet<Digest> | undefined;
  /** Another receipt of its number, which was refused. */
  readonly fork?: Fork | undefined;
  /** One with a lower number and a later date, which was refused. */
  readonly lower?: Fork | undefined;
}

/** What the zone is believed to have, and where that is known from. */
export type ChosenBase = DeliveryBase & {
  readonly header: Omit<NonNullable<MediumWriting['delivery']['base']>, 'from'>;
  readonly from: 'receipt' | 'sent';
  /** Absent where nothing but our own record is known. */
  readonly receipt?: Receipt;
  readonly fork?: Fork | undefined;
  /** One with a lower number and a later date, which was refused. */
  readonly lower?: Fork | undefined;
};

/** Whether another receipt makes this base doubtful: nothing is left out then. */
export const isDoubtful = ({ fork, lower }: Pick<ChosenBase, 'fork' | 'lower'>): boolean =>
  fork !== undefined || lower !== undefined;

/** Reads the content of the recipes of a zone from the store, else from the record of sent deliveries. */
async function readRoots(
  store: Store,
  sent: Sent,
  recipes: Iterable<Digest>,
  call: CallOptions,
): Promise<DeliveryBase['roots']> {
  const roots = new Map<Digest, ReadonlyMap<Digest, number> | undefined>();
  const records = new Map(store.index.recipes().map((record) => [record.digest, record]));
  for (const digest of recipes) {
    const record = records.get(digest);
    const closure = record && (await closeWholeRecipe(store, record, call));
    roots.set(digest, closure ? toContents(closure) : await sent.closure(digest));
  }
  return roots;
}

/** The base that a receipt of the zone states: nothing, where another one contradicts it. @throws errors of reading the store and the state */
export async function toReceiptBase(
  store: Store,
  sent: Sent,
  { receipt: { receipt, digest }, inventory, fork, lower }: StatedBase,
  call: CallOptions,
): Promise<ChosenBase> {
  const header = { zone: receipt.zone, receipt: digest, sequence: receipt.sequence };
  // the zone may be a restored one, without the content that the receipt names
  if (isDoubtful({ fork, lower })) return { roots: new Map(), header, from: 'receipt', receipt, fork, lower };
  const present = receipt.recipes.flatMap(({ digest, state }) => (state === 'present' ? [digest] : []));
  const roots = await readRoots(store, sent, present, call);
  return { roots, ...(inventory ? { inventory } : {}), header, from: 'receipt', receipt };
}

/**
 * The base by our own record: the content of complete deliveries since the last one that carried all recipes of the store
 * without a base. Its header has sequence 0, which no receipt has, and the digest of the last part of the latest delivery.
 *
 * @returns undefined when nothing was sent
 */
export async function toSentBase(
  store: Store,
  sent: Sent,
  zone: string,
  call: CallOptions,
): Promise<ChosenBase | undefined> {
  const complete = (await sent.deliveries(zone)).filter(isSent);
  const first = complete.findIndex(({ base, selected }) => base === undefined && selected !== true);
  const chain = first < 0 ? complete : complete.slice(0, first + 1);
  const receipt = chain[0]?.written.at(-1)?.manifest;
  if (receipt === undefined) return undefined;
  const recipes = new Set(chain.flatMap((one) => one.recipes));
  return {
    roots: await readRoots(store, sent, recipes, call),
    header: { zone, receipt, sequence: 0 },
    from: 'sent',
  };
}

/** What a proof believes of a stated base: none of its recipes where another receipt contradicts it, and what it says of the registry. */
export function toProofBase(base: StatedBase): Pick<ProofBase, 'receipt' | 'inventory'> {
  const { receipt } = base.receipt;
  return isDoubtful(base) ? { receipt: { ...receipt, recipes: [] } } : { receipt, inventory: base.inventory };
}
