import { toFlags } from '../render/usage.ts';

/** Whether any command has a flag. Loads every command, which only an error is worth. */
export async function hasFlagAnywhere(flag: string): Promise<boolean> {
  const { collectCommands } = await import('./collect-commands.ts');
  const commands = await collectCommands();
  return commands.some(({ definition }) => toFlags(definition).some(({ names }) => names.includes(flag)));
}
