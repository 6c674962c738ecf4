import { Cli, type CommandClass, type Definition } from 'clipanion';
import { type CommandEntry, commandIndex } from '../command-index.ts';
import type { FlagValues } from './base-command.ts';
import type { CommandContext } from './command-context.ts';
import { getFlagValues } from './flag-values.ts';

/** A command as it defines itself. */
export interface CollectedCommand extends CommandEntry {
  readonly definition: Definition | undefined;
  /** What the values of its flags can be; `''` stands for its arguments. */
  readonly values: Readonly<Record<string, FlagValues>>;
}

/** What a command class says of itself. */
function defineCommand(commandClass: CommandClass<CommandContext>): Definition | undefined {
  const cli = new Cli<CommandContext>({ binaryName: 'svc', enableColors: false });
  cli.register(commandClass);
  return cli.definitions()[0];
}

/** Every command, for what is generated from their definitions. */
export function collectCommands(): Promise<CollectedCommand[]> {
  return Promise.all(
    commandIndex.map(async (entry) => {
      const commandClass = await entry.load();
      return { ...entry, definition: defineCommand(commandClass), values: getFlagValues(commandClass) };
    }),
  );
}
