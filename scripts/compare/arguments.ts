import { parseFlags, UsageError } from '../parse-flags.ts';
import { type Group, groups } from './subject.ts';

export const usage = `Usage: npm run compare -- COMMIT [--only GROUP]…

Compares all that users and scripts see of the program at an older commit with the program of the working tree, and
prints each difference.

  --only GROUP   only this group of subjects: ${groups.join(', ')}; repeatable
  --help         print this text

Exit codes: 0 nothing differs, additions apart; 1 something differs or is gone, or the comparison failed; 2 usage.
`;

export interface CompareArguments {
  readonly commit: string;
  readonly only: readonly Group[];
}

const isGroup = (name: string): name is Group => (groups as readonly string[]).includes(name);

/**
 * Parses the arguments of a comparison.
 *
 * @returns the arguments, or `help` where the usage is asked for
 * @throws UsageError
 */
export function parseCompareArguments(args: readonly string[]): CompareArguments | 'help' {
  const options = {
    only: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  const { values, positionals } = parseFlags(args, options);
  if (values.help) return 'help';
  const [commit, ...more] = positionals;
  if (commit === undefined || more.length > 0) throw new UsageError('exactly one commit is needed');
  const only = (values.only ?? groups).map((name) => {
    if (!isGroup(name)) throw new UsageError(`${name}: the groups are ${groups.join(', ')}`);
    return name;
  });
  return { commit, only: [...new Set(only)] };
}
