import { svcError } from '../../text/error.ts';
import { type MemoryRegistry, registryTraits } from './memory-registry.ts';
import type { ProofBook, StepCount } from './proof-book.ts';

/** Names content that landed, and that the registry of the zone may refuse. @returns its number */
function warnOfTraits(book: ProofBook, { unsure }: Pick<MemoryRegistry, 'unsure'>): number {
  let found = 0;
  for (const trait of registryTraits)
    for (const reference of unsure[trait]) {
      found += 1;
      book.find('capacity', 'warning', reference, svcError('SVC-CLO-004', { reference, problem: trait }));
    }
  return found;
}

/** The receipt of a zone, of which the free bytes of its registry count. */
type RoomOf = { readonly zone: string; readonly destination: { readonly freeBytes?: number } } | undefined;

/** Whether the registry of a zone has room for so many bytes. Room that no receipt tells counts as enough. */
export function hasRoom(receipt: RoomOf, needed: number): boolean {
  return needed <= (receipt?.destination.freeBytes ?? Number.POSITIVE_INFINITY);
}

/** Requires room in the registry of the zone, and names content that it may refuse. */
export function checkCapacity(book: ProofBook, registry: MemoryRegistry, receipt: RoomOf): StepCount {
  const { pushedBytes } = registry;
  if (receipt !== undefined && !hasRoom(receipt, pushedBytes)) {
    const reference = receipt.zone;
    const free = receipt.destination.freeBytes;
    const error = svcError('SVC-CLO-004', { reference, problem: 'space', needed: pushedBytes, free });
    book.find('capacity', 'error', reference, error);
  }
  return { checked: warnOfTraits(book, registry), bytes: pushedBytes };
}
