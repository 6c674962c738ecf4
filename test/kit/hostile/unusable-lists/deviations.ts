import { classicDeviations } from './classic.ts';
import type { Deviation } from './deviation.ts';
import { entryDeviations } from './entries.ts';
import { apiDeviations, fallbackDeviations } from './lists.ts';

/** Everything unusable that can be beside a signature in the lists of a registry. */
export const deviations: readonly Deviation[] = [
  ...entryDeviations,
  ...apiDeviations,
  ...fallbackDeviations,
  ...classicDeviations,
];
