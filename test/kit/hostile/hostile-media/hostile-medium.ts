import { join } from 'node:path';
import type { CarriedMedium } from '../../scene/carried-medium.ts';
import type { Canary } from '../canary.ts';
import type { Mutation } from '../mutations/mutation.ts';

/** One more way to spoil a good medium. Canaries lie outside of it. */
export interface HostileMedium extends Omit<Mutation, 'spoil'> {
  readonly spoil: (medium: CarriedMedium, canary: Canary) => Promise<unknown>;
}

/** The results of a medium without a fault, and of one whose faults are only reported. */
export const harmless = { shop: 'pushable', depot: 'pushable' } as const;
export const reported = { ...harmless, findings: ['SVC-MED-020'] } as const;
export const unreadable = { blocks: ['SVC-MED-002'] } as const;
export const lying = { ...harmless, blocks: ['SVC-MED-005'] } as const;

/** JSON nested so deep. */
export const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

export const media = (medium: CarriedMedium): string => join(medium.root, 'media.jsonl');
export const svc = (medium: CarriedMedium, ...names: string[]): string => join(medium.root, '_svc', ...names);

type Part = 'layer' | 'document' | 'manifest' | 'signature' | 'payload' | 'recipe' | 'config';

/** The path of a named part of the medium, or of a file by its name. */
export async function whereIs(medium: CarriedMedium, place: string): Promise<string> {
  if (place === 'content ledger') return join(medium.root, await medium.ledger('content'));
  if (place === 'recipe ledger') return join(medium.root, await medium.ledger('recipes'));
  const parts = await medium.parts('shop');
  if (Object.hasOwn(parts, place)) return medium.blob(parts[place as Part]);
  return join(medium.root, place);
}
