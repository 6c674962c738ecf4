import type { MediumClaims } from '../../../src/contract/medium.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import { type FreshnessRecord, findImport } from '../../../src/engine/medium/freshness.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openOwnReceipts } from '../../../src/zone/own-receipts.ts';
import type { ViewParts } from '../parts.ts';

type Import = NonNullable<FreshnessRecord['last']>;

/** What the records of a zone say of its imports. */
export interface MediumImports {
  /** The last one, also where only a part landed. */
  readonly last?: Import;
  /** The last one in which everything landed. */
  readonly complete?: Import;
  /** That of a medium. */
  readonly own?: Import;
  /** The last receipt that the zone wrote. */
  readonly receipt?: Pick<Receipt, 'sequence' | 'issuedAt'>;
}

/**
 * Reads the imports of the zone, by whichever program with this state. Empty without a zone.
 *
 * @param medium the medium that is here, where it was verified
 */
export async function readImports(
  { instance }: Pick<ViewParts, 'instance'>,
  medium: Pick<MediumClaims, 'mediaId' | 'resolvedAt'> | undefined,
): Promise<MediumImports> {
  const { zone, state } = instance.context.config;
  if (zone === undefined || state.root === undefined) return {};
  const record = await instance.freshness?.get(zone);
  if (record === undefined) return {};
  const { last = record, earlier = [] } = record;
  const [complete] = [last, record, ...earlier]
    .filter(({ whole }) => whole === true)
    .sort((a, b) => (a.importedAt < b.importedAt ? 1 : -1));
  const own = medium && findImport(record, medium);
  const receipt = await readOwnReceipt(state.root, zone);
  return {
    last,
    ...(complete === undefined ? {} : { complete }),
    ...(own === undefined ? {} : { own }),
    ...(receipt === undefined ? {} : { receipt }),
  };
}

async function readOwnReceipt(stateRoot: string, zone: string): Promise<MediumImports['receipt']> {
  try {
    return (await openOwnReceipts(stateRoot).last(zone))?.receipt;
  } catch (error) {
    // the page of the receipts reports one that cannot be read
    if (isSvcError(error)) return undefined;
    throw error;
  }
}
