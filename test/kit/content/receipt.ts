import { hashBytes } from '../../../src/base/digest.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';

/** A receipt of zone-b. @param members others than usual; a number of recipes makes so many */
export function toReceipt({
  recipes = [],
  ...members
}: Partial<Omit<Receipt, 'recipes'>> & { readonly recipes?: Receipt['recipes'] | number } = {}): Receipt {
  return {
    zone: 'zone-b',
    sequence: 1,
    issuedAt: '2026-03-01T12:00:00.000Z',
    evidence: 'head',
    destination: { sparse: 'unknown' },
    ...members,
    recipes:
      typeof recipes === 'number'
        ? Array.from({ length: recipes }, (_, i) => ({
            name: `recipe-${i}`,
            version: `1.${i}.0`,
            digest: hashBytes(`manifest ${i}`),
            documentDigest: hashBytes(`document ${i}`),
            state: 'present' as const,
          }))
        : recipes,
  };
}
