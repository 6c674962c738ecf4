import { Cli, type CommandClass, type Definition } from 'clipanion';
import { type CommandEntry, commandIndex } from '../command-index.ts';
import type { FlagValues } from './base-command.ts';
import type { CommandContext } from './command-context.ts';
import { getFlagValues } from './flag-values.ts';

/** A command with its definition. */
export interface CollectedCommand extends CommandEntry {
  readonly definition: Definition | undefined;
  /** Possible values of its flags; its arguments have the key `''`. */
  readonly values: Readonly<Record<string, FlagValues>>;
}

/** Returns the clipanion definition of a command class. */
function defineCommand(commandClass: CommandClass<CommandContext>): Definition | undefined {
  const cli = new Cli<CommandContext>({ binaryName: 'svc', enableColors: false });
  cli.register(commandClass);
  return cli.definitions()[0];
}

/** Loads every command, for the generated documents. */
export function collectCommands(): Promise<CollectedCommand[]> {
  return Promise.all(
    commandIndex.map(async (entry) => {
      const commandClass = await entry.load();
      return { ...entry, definition: defineCommand(commandClass), values: getFlagValues(commandClass) };
    }),
  );
}
