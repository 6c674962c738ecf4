import { inspectVolume } from '../../../disk/volume.ts';
import { svcError } from '../../../text/error.ts';
import type { MediumVerification } from '../verify-medium.ts';

/** Numbers of the things of which an import keeps records. */
interface Recorded {
  /** Recipes of the medium, refused ones included. */
  readonly recipes: number;
  /** Recipes and ingredients that are pushed. */
  readonly items: number;
  /** Disks of the delivery. */
  readonly disks: number;
}

/** Bytes of the files that each import writes, however little it pushes: its task, its line of the ledger, its locks. */
const fixedBytes = 512 << 10;
/** A recipe has its claim and its landing, each a file that is replaced, and its place in ledger, delivery and receipt. */
const bytesOfRecipe = 16 << 10;
/** An item is recorded when it waits, begins and ends, has lines in the log, and its resolution and tag. */
const bytesOfItem = 4 << 10;
const bytesOfDisk = 4 << 10;

/** Upper limit of the bytes that an import writes into the state, beside segments that wait for other disks. Pure. */
export const boundLastWrites = ({ recipes, items, disks }: Recorded): number =>
  fixedBytes + recipes * bytesOfRecipe + items * bytesOfItem + disks * bytesOfDisk;

/** Counts the things of which an import of a medium keeps records. Pure. */
export const countRecorded = ({
  report,
  cleared,
  header,
}: Pick<MediumVerification, 'report' | 'cleared' | 'header'>): Recorded => ({
  recipes: report.recipes.length,
  items: cleared.reduce((sum, { record }) => sum + record.ingredients.length + 1, 0),
  disks: header?.delivery?.parts ?? 1,
});

/**
 * Checks that the volume of the state has room for the records of an import: without them, content would be in the registry
 * of the zone and nothing would tell of it.
 *
 * @throws SVC-STO-004; SVC-STO-001 for a folder that cannot be looked at
 */
export async function requireRecordRoom(
  stateRoot: string,
  recorded: Recorded,
  inspect: (path: string) => Promise<{ readonly freeBytes: number }> = inspectVolume,
): Promise<void> {
  const { freeBytes: free } = await inspect(stateRoot);
  const needed = boundLastWrites(recorded);
  if (needed <= free) return;
  const lack = { needed, usable: free, free, shortfall: needed - free };
  throw svcError('SVC-STO-004', { path: stateRoot, ...lack, place: 'state' });
}
