import type { MediumClaims } from '../../../src/contract/medium.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import { type FreshnessRecord, findImport } from '../../../src/engine/medium/freshness.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openArrivals } from '../../../src/zone/arrivals.ts';
import { openOwnReceipts } from '../../../src/zone/own-receipts.ts';
import type { ViewParts } from '../parts.ts';

type Import = NonNullable<FreshnessRecord['last']>;

/** The imports of a zone, by its records. */
export interface MediumImports {
  /** The last one, also where only a part landed; the record of a part of a delivery names no run. */
  readonly last?: Pick<Import, 'mediaId' | 'importedAt' | 'whole'> & Partial<Pick<Import, 'runId'>>;
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
  if (record === undefined) {
    const part = await readLastPart(state.root, zone);
    return part === undefined ? {} : { last: part };
  }
  const { last = record, earlier = [] } = record;
  const [complete] = [last, record, ...earlier]
    .filter(({ whole }) => whole === true)
    .sort((a, b) => (a.importedAt < b.importedAt ? 1 : -1));
  const own = medium && findImport(record, medium);
  const receipt = await readOwnReceipt(state.root, zone);
  const part = await readLastPart(state.root, zone);
  return {
    // a part with recipes that wait for others is no import of a whole medium
    last: part !== undefined && part.importedAt > last.importedAt ? part : last,
    ...(complete === undefined ? {} : { complete }),
    ...(own === undefined ? {} : { own }),
    ...(receipt === undefined ? {} : { receipt }),
  };
}

/** The last part of a delivery that arrived in a zone. */
async function readLastPart(stateRoot: string, zone: string): Promise<MediumImports['last']> {
  try {
    const all = (await openArrivals(stateRoot).list())
      .filter((one) => one.zone === zone)
      .flatMap(({ landed }) => landed);
    return all.toSorted((a, b) => (a.importedAt < b.importedAt ? 1 : -1))[0];
  } catch (error) {
    // the page of the deliveries reports one that cannot be read
    if (isSvcError(error)) return undefined;
    throw error;
  }
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
