import { svcError } from '../../text/error.ts';
import { type MemoryRegistry, registryTraits } from './memory-registry.ts';
import type { ProofBook } from './proof-book.ts';

/** Names content that landed, and that the registry of the zone may refuse. @returns its number */
export function warnOfTraits(book: ProofBook, { unsure }: Pick<MemoryRegistry, 'unsure'>): number {
  let found = 0;
  for (const trait of registryTraits)
    for (const reference of unsure[trait]) {
      found += 1;
      book.find('capacity', 'warning', reference, svcError('SVC-CLO-004', { reference, problem: trait }));
    }
  return found;
}

/**
 * Requires room in the registry of the zone, and names content that it may refuse.
 *
 * @param receipt of the zone; absent: its room is not known
 */
export function checkCapacity(
  book: ProofBook,
  registry: MemoryRegistry,
  receipt: { readonly zone: string; readonly destination: { readonly freeBytes?: number } } | undefined,
) {
  const { pushedBytes } = registry;
  const free = receipt?.destination.freeBytes;
  if (receipt !== undefined && free !== undefined && pushedBytes > free) {
    const reference = receipt.zone;
    const error = svcError('SVC-CLO-004', { reference, problem: 'space', needed: pushedBytes, free });
    book.find('capacity', 'error', reference, error);
  }
  return { checked: warnOfTraits(book, registry), bytes: pushedBytes };
}
