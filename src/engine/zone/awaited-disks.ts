import type { Receipt } from '../../contract/receipt.ts';
import type { SentDelivery } from '../../contract/write-medium.ts';

/**
 * Lists the disks of a delivery that a receipt does not show to be in the zone: it names another one, and no recipe with
 * content on them is whole there. Undefined where no record has the recipes of each disk.
 */
export function listAwaitedDisks(
  { written }: Pick<SentDelivery, 'written'>,
  { recipes, lastDelivery }: Pick<Receipt, 'recipes' | 'lastDelivery'>,
): readonly number[] | undefined {
  const present = new Set(recipes.flatMap(({ digest, state }) => (state === 'present' ? [digest] : [])));
  const awaited: number[] = [];
  for (const { part, recipes: own } of written) {
    if (own === undefined) return undefined;
    const isThere = part === lastDelivery?.part || own.some((digest) => present.has(digest));
    if (own.length > 0 && !isThere) awaited.push(part);
  }
  return awaited;
}
