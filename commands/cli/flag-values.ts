import type { CommandClass } from 'clipanion';
import type { BaseCommand, FlagValues } from './base-command.ts';
import type { CommandContext } from './command-context.ts';
import { commonFlags } from './common-flags.ts';

/**
 * Lists the possible values of a command's flags, common flags and formats included. Arguments have the key
 * `''`.
 */
export function getFlagValues(commandClass: CommandClass<CommandContext>): Record<string, FlagValues> {
  const { formats, values } = commandClass as unknown as Pick<typeof BaseCommand, 'formats' | 'values'>;
  const known: Record<string, FlagValues> = {};
  for (const [name, value] of Object.entries({ ...commonFlags, '--output': formats, ...values })) {
    if (value !== undefined) known[name] = value;
  }
  return known;
}
