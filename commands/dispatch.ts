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
    if (first === 'help') return await dispatch([...args.slice(1), '--help'], context);
    if (first === '--version' || first === '-v')
      return await dispatch(['version', ...args.slice(1)], context);
    if (first === 'version' && args.length === 1) {
      // what scripts ask most often starts without the parser
      const { getVersionDocument, renderVersion } = await import('./version-document.ts');
      context.stdout.write(renderVersion(getVersionDocument()));
      return 0;
    }
    const found = select(args);
    if (typeof found === 'string') {
      context.stdout.write(found);
      return 0;
    }
    const { runCommand } = await import('./run-command.ts');
    return await runCommand(found, args, context);
  } catch (error) {
    const { writeError } = await import('./error-door.ts');
    return writeError(error, { stderr: context.stderr, env: context.env });
  }
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
