import { describeCommands } from './describe-command.ts';

/** Whether any command has a flag. Loads every command, which only an error is worth. */
export async function hasFlagAnywhere(flag: string): Promise<boolean> {
  const commands = await describeCommands();
  return commands.some(({ flags }) => flags.some(({ names }) => names.includes(flag)));
}
