import { selectNearest } from '../../src/base/nearest.ts';
import { type CommandEntry, commandIndex } from '../command-index.ts';
import { renderGroup, renderOverview } from '../render/overview.ts';
import { CommandLineError } from './command-line-error.ts';
import { suggestCommand } from './suggest-command.ts';

/**
 * Selects the command that the first arguments name, or the help of a group of commands. @throws
 * CommandLineError
 */
export function selectCommand(args: readonly string[]): CommandEntry | string {
  const [first, second] = args;
  if (first === undefined)
    throw new CommandLineError('no command was given', renderOverview(commandIndex).trimEnd());
  if (first.startsWith('-')) {
    const nearest = selectNearest(first, ['--help', '--version']);
    throw new CommandLineError(
      nearest === undefined
        ? `the command must come first: svc <command> ${first} …; see svc --help`
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
    throw new CommandLineError(`svc ${first} requires a subcommand: ${names.join(', ')}`);
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
