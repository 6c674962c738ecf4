import type { CommandContext } from '../cli/command-context.ts';

/** A stream to write to, and the known facts on the terminal behind it. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * Returns the width for a report, in columns: `COLUMNS`, else that of the terminal. A pipe or a file has no limit, so that
 * one row stays one line for other programs.
 */
export function getWidth({ stdout, env }: Pick<CommandContext, 'stdout' | 'env'>): number {
  return toWidth(stdout, env);
}

/** The same for text that is written to a stream, such as errors. */
export function toWidth(
  { isTTY, columns }: Screen,
  env: Readonly<Record<string, string | undefined>>,
): number {
  const given = Number(env.COLUMNS ?? '');
  if (Number.isSafeInteger(given) && given > 0) return Math.max(40, given);
  return isTTY === true && columns ? Math.max(40, columns) : Number.POSITIVE_INFINITY;
}
