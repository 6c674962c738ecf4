import type { CommandContext } from '../cli/command-context.ts';

/**
 * Returns the width for a report, in columns: `COLUMNS`, else that of the terminal. A pipe or a file has no limit, so that
 * one row stays one line for other programs.
 */
export function getWidth({ stdout, env }: Pick<CommandContext, 'stdout' | 'env'>): number {
  const given = Number(env.COLUMNS ?? '');
  if (Number.isSafeInteger(given) && given > 0) return Math.max(40, given);
  const { isTTY, columns } = stdout as { readonly isTTY?: boolean; readonly columns?: number };
  return isTTY === true && columns ? Math.max(40, columns) : Number.POSITIVE_INFINITY;
}
