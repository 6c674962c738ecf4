import { Cli, type CommandClass, type Definition } from 'clipanion';
import type { CommandEntry } from '../command-index.ts';
import { renderSynopsis, toFlags } from '../render/usage.ts';
import { checkArguments } from './check-arguments.ts';
import type { CommandContext } from './command-context.ts';
import { CommandLineError } from './command-line-error.ts';

/** Loads one command, parses its arguments and runs it. @returns the exit code @throws CommandLineError */
export async function runCommand(
  entry: CommandEntry,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const commandClass = await entry.load();
  const cli = new Cli<CommandContext>({ binaryName: 'svc', enableColors: false });
  cli.register(commandClass);
  const own = args.slice(entry.path.length);
  const end = own.indexOf('--');
  const definition = cli.definitions()[0];
  if ((end < 0 ? own : own.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')) {
    context.stdout.write(await describe(entry, commandClass, definition));
    return 0;
  }
  const usage = `usage: ${renderSynopsis(entry.path, definition)}\nsvc ${entry.path.join(' ')} --help explains it, with examples`;
  checkArguments(own, toFlags(definition), usage);
  let command: ReturnType<typeof cli.process>;
  try {
    command = cli.process([...args], context);
  } catch (error) {
    // an invalid command line: the first line of clipanion's message describes the error
    const message = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    throw new CommandLineError(rephrase(message), usage);
  }
  return command.validateAndExecute();
}

function rephrase(message: string): string {
  if (message.startsWith('Not enough positional')) return 'an argument is missing';
  const valued = /^Invalid option name \("(-[^=]+)=.*"\)/.exec(message);
  if (valued) return `${valued[1]} takes no value`;
  const extraneous = /^Extraneous positional argument \("(.*)"\)/.exec(message);
  return extraneous ? `unexpected argument '${extraneous[1]}'` : message.replace(/[.:]$/, '');
}

async function describe(
  entry: CommandEntry,
  commandClass: CommandClass<CommandContext>,
  definition: Definition | undefined,
): Promise<string> {
  const [{ renderUsage }, { getFlagValues }, { commonFlags }] = await Promise.all([
    import('../render/usage.ts'),
    import('./flag-values.ts'),
    import('./common-flags.ts'),
  ]);
  return renderUsage(entry.path, definition, getFlagValues(commandClass), new Set(Object.keys(commonFlags)));
}
