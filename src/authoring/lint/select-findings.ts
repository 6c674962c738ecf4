import type { Finding } from './model.ts';

/** Findings that are listed: nobody reads more at once. */
const mostFindings = 1000;

/** Findings on a document. */
export interface BoundedFindings {
  /** At most 1000, errors before warnings where there are more, in the order of their lines. */
  readonly findings: readonly Finding[];
  /** Of all findings. */
  readonly errors: number;
  readonly warnings: number;
  /** Number of findings beyond those listed; absent when all are listed. */
  readonly omitted?: number;
}

/** Counts findings, and selects those that are listed. */
export function selectFindings(all: readonly Finding[]): BoundedFindings {
  const errors = all.filter(({ severity }) => severity === 'error');
  const byLine = (a: Finding, b: Finding): number => (a.line ?? 0) - (b.line ?? 0);
  const ordered = [...all].sort(byLine);
  const counts = { errors: errors.length, warnings: all.length - errors.length };
  if (all.length <= mostFindings) return { findings: ordered, ...counts };
  const first = [
    ...ordered.filter(({ severity }) => severity === 'error'),
    ...ordered.filter(({ severity }) => severity !== 'error'),
  ].slice(0, mostFindings);
  return { findings: first.sort(byLine), ...counts, omitted: all.length - mostFindings };
}
