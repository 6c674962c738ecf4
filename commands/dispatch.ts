import { selectNearest } from '../src/base/nearest.ts';
import type { CommandContext } from './command-context.ts';
import { type CommandEntry, commandIndex } from './command-index.ts';
import { CommandLineError } from './command-line-error.ts';
import { renderGroup, renderOverview } from './render-overview.ts';
import { suggestCommand } from './suggest-command.ts';

/**
 * Finds the command that the first arguments name, loads it alone, and runs it.
 *
 * @returns the exit code
 */
export async function dispatch(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    const first = args[0];
    if (first === '--help' || first === '-h' || (first === 'help' && args.length === 1)) {
      context.stdout.write(renderOverview(commandIndex));
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
    if (first === '__complete') {
      // what the completion scripts ask: an answer or none, never an error on somebody's command line
      const { complete } = await import('./complete.ts');
      return await complete(args.slice(1), context);
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
  if (first === undefined)
    throw new CommandLineError('no command was given', renderOverview(commandIndex).trimEnd());
  if (first.startsWith('-')) {
    const nearest = selectNearest(first, ['--help', '--version']);
    throw new CommandLineError(
      nearest === undefined
        ? `the command comes first: svc <command> ${first} …; see svc --help`
        : `unknown flag '${first}'; did you mean ${nearest}?`,
    );
  }
  const exact = commandIndex.find(({ path }) => path.every((part, index) => args[index] === part));
  if (exact !== undefined) return exact;
  const group = commandIndex.filter(({ path }) => path.length > 1 && path[0] === first);
  if (group.length === 0) throw unknown(first, args);
  if (second === '--help' || second === '-h') return renderGroup(first, group);
  const names = group.map(({ path }) => path[1]!);
  if (second === undefined || second.startsWith('-')) {
    throw new CommandLineError(`svc ${first} needs one of: ${names.join(', ')}`);
  }
  throw unknown(`${first} ${second}`, args);
}

function unknown(name: string, words: readonly string[]): CommandLineError {
  const meant = suggestCommand(
    words.filter((word) => !word.startsWith('-')),
    commandIndex.map(({ path }) => path),
  );
  const hint = meant === undefined ? 'see svc --help' : `did you mean svc ${meant}?`;
  return new CommandLineError(`unknown command '${name}'; ${hint}`);
}
