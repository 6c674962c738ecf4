import type { CommandClass, Definition } from 'clipanion';
import { selectNearest } from '../src/base/nearest.ts';
import type { CommandContext } from './command-context.ts';
import { type CommandEntry, commandIndex } from './command-index.ts';
import { CommandLineError } from './command-line-error.ts';

/**
 * Finds the command that the first arguments name, loads it alone, and runs it.
 *
 * @returns the exit code
 */
export async function dispatch(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    const first = args[0];
    if (first === '--help' || first === '-h' || (first === 'help' && args.length === 1)) {
      context.stdout.write(renderOverview());
      return 0;
    }
    if (first === '--version' || first === '-v')
      return await dispatch(['version', ...args.slice(1)], context);
    const found = select(args);
    if (typeof found === 'string') {
      context.stdout.write(found);
      return 0;
    }
    return await runCommand(found, args, context);
  } catch (error) {
    const { writeError } = await import('./error-door.ts');
    return writeError(error, { stderr: context.stderr, env: context.env });
  }
}

async function runCommand(
  entry: CommandEntry,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const [{ Cli }, { checkArguments }, { renderSynopsis, toFlags }, commandClass] = await Promise.all([
    import('clipanion'),
    import('./check-arguments.ts'),
    import('./render-usage.ts'),
    entry.load(),
  ]);
  const cli = new Cli<CommandContext>({ binaryName: 'svc', enableColors: false });
  cli.register(commandClass);
  const own = args.slice(entry.path.length);
  const end = own.indexOf('--');
  const definition = cli.definitions()[0];
  if ((end < 0 ? own : own.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')) {
    context.stdout.write(await describe(entry, commandClass, definition));
    return 0;
  }
  const usage = `usage: ${renderSynopsis(entry.path, definition)}`;
  checkArguments(own, toFlags(definition), usage);
  let command: ReturnType<typeof cli.process>;
  try {
    command = cli.process([...args], context);
  } catch (error) {
    // a command line that does not fit: clipanion's own sentence stands in the first line
    const message = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    throw new CommandLineError(message.replace(/[.:]$/, ''), usage);
  }
  return command.validateAndExecute();
}

async function describe(
  entry: CommandEntry,
  commandClass: CommandClass<CommandContext>,
  definition: Definition | undefined,
): Promise<string> {
  const [{ renderUsage }, { getFlagValues }, { commonFlags }] = await Promise.all([
    import('./render-usage.ts'),
    import('./flag-values.ts'),
    import('./common-flags.ts'),
  ]);
  return renderUsage(entry.path, definition, getFlagValues(commandClass), new Set(Object.keys(commonFlags)));
}

/** The command, or the help of a group of commands. @throws CommandLineError */
function select(args: readonly string[]): CommandEntry | string {
  const [first, second] = args;
  if (first === undefined) throw new CommandLineError('no command was given', renderOverview().trimEnd());
  if (first.startsWith('-')) {
    throw new CommandLineError(`the command comes first: svc <command> ${first} …; see svc --help`);
  }
  const exact = commandIndex.find(({ path }) => path.every((part, index) => args[index] === part));
  if (exact !== undefined) return exact;
  const group = commandIndex.filter(({ path }) => path.length > 1 && path[0] === first);
  if (group.length === 0) throw unknown(first, new Set(commandIndex.map(({ path }) => path[0]!)));
  if (second === '--help' || second === '-h') return renderOverview(group);
  const names = group.map(({ path }) => path[1]!);
  if (second === undefined || second.startsWith('-')) {
    throw new CommandLineError(`svc ${first} needs one of: ${names.join(', ')}`);
  }
  throw unknown(second, names, `${first} `);
}

function unknown(name: string, names: Iterable<string>, prefix = ''): CommandLineError {
  const nearest = selectNearest(name, names);
  const hint = nearest === undefined ? 'see svc --help' : `did you mean svc ${prefix}${nearest}?`;
  return new CommandLineError(`unknown command '${prefix}${name}'; ${hint}`);
}

function renderOverview(entries: readonly CommandEntry[] = commandIndex): string {
  const width = Math.max(...entries.map(({ path }) => path.join(' ').length));
  const lines = entries.map(({ path, summary }) => `  svc ${path.join(' ').padEnd(width)}  ${summary}`);
  return `Moves signed, digest-pinned content between network zones.

${lines.join('\n')}

Each command explains itself: svc <command> --help
Exit codes: 0 ok, 1 failure, 2 usage, 3 policy, 4 verification, 5 changes planned
`;
}
