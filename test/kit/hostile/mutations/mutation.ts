import { join } from 'node:path';
import type { MediumReport } from '../../../../src/contract/medium.ts';
import type { ErrorCode } from '../../../../src/text/errors/registry.ts';
import type { CarriedMedium } from '../../scene/carried-medium.ts';
import type { verifyCarried } from '../../scene/verify-carried.ts';

export type Outcome = 'pushable' | ErrorCode;

/** One way to spoil a good medium, and everything that must come of it. */
export interface Mutation {
  readonly name: string;
  readonly spoil: (medium: CarriedMedium) => Promise<void>;
  /** The outcome of each recipe; absent when none is judged. */
  readonly shop?: Outcome;
  readonly depot?: Outcome;
  /** The blocks of the whole medium. */
  readonly blocks?: readonly ErrorCode[];
  /** Codes among the findings, each once; nothing else may be found but content that is left behind. */
  readonly findings?: readonly ErrorCode[];
  readonly options?: Parameters<typeof verifyCarried>[2];
  /** Default: the verdict that follows from blocks and recipes. */
  readonly verdict?: MediumReport['verdict'];
}

export const relative = (medium: CarriedMedium, path: string) => path.slice(medium.root.length + 1);
export const media = (medium: CarriedMedium) => join(medium.root, 'media.jsonl');
