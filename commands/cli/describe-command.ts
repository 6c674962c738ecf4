import type { CommandClass } from 'clipanion';
import { type CommandEntry, commandIndex } from '../command-index.ts';
import type { BaseCommand } from './base-command.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandDefinition } from './command-definition.ts';
import { getArgument, getFlag } from './inputs.ts';

/** Loads a command, and reads its declaration. */
export async function describeCommand({ path, summary, load }: CommandEntry): Promise<CommandDefinition> {
  const commandClass = (await load()) as CommandClass<CommandContext> &
    Pick<typeof BaseCommand, 'help' | 'formats'>;
  const properties = Object.values(new commandClass());
  const flags = properties.flatMap((each) => getFlag(each) ?? []);
  return {
    path,
    summary,
    ...commandClass.help,
    flags: flags.map((each) =>
      each.names.includes('--output') ? { ...each, values: commandClass.formats } : each,
    ),
    arguments: properties.flatMap((each) => getArgument(each) ?? []),
  };
}

/** Describes every command, for the generated documents. */
export function describeCommands(): Promise<CommandDefinition[]> {
  return Promise.all(commandIndex.map(describeCommand));
}
