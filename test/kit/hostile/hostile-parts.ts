import { absentLists } from './hostile-parts/absent-lists.ts';
import { bases } from './hostile-parts/bases.ts';
import { headers } from './hostile-parts/headers.ts';
import type { HostilePart } from './hostile-parts/hostile-part.ts';
import { memories } from './hostile-parts/memories.ts';
import { mixtures } from './hostile-parts/mixtures.ts';
import { segments } from './hostile-parts/segments.ts';
import { statements } from './hostile-parts/statements.ts';

/** Parts of a delivery that somebody spoilt, and zones whose memory of earlier parts is spoilt. */
export const hostileParts: readonly HostilePart[] = [
  ...absentLists,
  ...segments,
  ...headers,
  ...mixtures,
  ...bases,
  ...memories,
  ...statements,
];
