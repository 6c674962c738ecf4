import type { MediumReport } from '../../../src/contract/medium.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import type { FreshnessRecord } from '../../../src/engine/medium/freshness.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { findOwnImport, listArrivedParts, type OwnImport } from '../../../src/view/zone/own-import.ts';
import { openOwnReceipts } from '../../../src/zone/own-receipts.ts';
import type { KeptReceipt } from '../../../src/zone/receipt-files.ts';
import type { ViewParts } from '../parts.ts';

type Import = NonNullable<FreshnessRecord['last']>;

/** The imports of a zone, by its records. */
export interface MediumImports {
  /** The last one, also where only a part landed. */
  readonly last?: OwnImport;
  /** The last one in which everything landed. */
  readonly complete?: Import;
  /** That of a medium. */
  readonly own?: OwnImport;
  /** The last receipt that the zone wrote. */
  readonly receipt?: Pick<Receipt, 'sequence' | 'issuedAt'> & Pick<KeptReceipt, 'path'>;
}

/**
 * Reads the imports of the zone, by whichever program with this state. Empty without a zone.
 *
 * @param report of the medium that is here, where it was verified
 */
export async function readImports(
  { instance }: Pick<ViewParts, 'instance'>,
  { medium, passport }: Pick<MediumReport, 'medium' | 'passport'>,
): Promise<MediumImports> {
  const { zone, state } = instance.context.config;
  if (zone === undefined || state.root === undefined) return {};
  const record = await instance.freshness?.get(zone);
  const of = { stateRoot: state.root, zone, record };
  const [part] = await listArrivedParts(of);
  const own = medium && (await findOwnImport(of, medium, { peer: passport?.signer }));
  const receipt = await readOwnReceipt(state.root, zone);
  const whole = record?.last ?? record;
  const [complete] = [...(whole ? [whole] : []), ...(record ? [record] : []), ...(record?.earlier ?? [])]
    .filter((one) => one.whole === true)
    .sort((a, b) => (a.importedAt < b.importedAt ? 1 : -1));
  const isPartLast = part !== undefined && (whole === undefined || part.importedAt > whole.importedAt);
  const last = isPartLast ? part : whole;
  return {
    ...(last === undefined ? {} : { last }),
    ...(complete === undefined ? {} : { complete }),
    ...(own === undefined ? {} : { own }),
    ...(receipt === undefined ? {} : { receipt }),
  };
}

/** The receipt that tells the source of the last import: no import came after it. */
export const receiptToCarry = ({
  last,
  receipt,
}: Pick<MediumImports, 'last' | 'receipt'>): MediumImports['receipt'] =>
  receipt !== undefined && last !== undefined && Date.parse(receipt.issuedAt) >= Date.parse(last.importedAt)
    ? receipt
    : undefined;

async function readOwnReceipt(stateRoot: string, zone: string): Promise<MediumImports['receipt']> {
  try {
    const kept = await openOwnReceipts(stateRoot).last(zone);
    if (kept === undefined) return undefined;
    const { sequence, issuedAt } = kept.receipt;
    return { sequence, issuedAt, path: kept.path };
  } catch (error) {
    // the page of the receipts reports one that cannot be read
    if (isSvcError(error)) return undefined;
    throw error;
  }
}
