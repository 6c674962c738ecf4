import { selectNearest } from '../../src/base/nearest.ts';
import { fr, inBoth, type Language } from '../../src/text/language.ts';
import { type CommandEntry, commandIndex } from '../command-index.ts';
import { renderGroup, renderOverview } from '../render/overview.ts';
import { toUnknownFlag } from './check-arguments.ts';
import { CommandLineError } from './command-line-error.ts';
import { suggestCommand } from './suggest-command.ts';

/**
 * Selects the command that the first arguments name, or the help of a group of commands. @throws
 * CommandLineError
 */
export async function selectCommand(
  args: readonly string[],
  language: Language,
): Promise<CommandEntry | string> {
  const [first, second] = args;
  if (first === undefined) {
    throw new CommandLineError(
      ['no command was given', fr`aucune commande n’a été donnée`],
      inBoth((each) => renderOverview(commandIndex, each).trimEnd()),
    );
  }
  if (first.startsWith('-')) {
    const nearest = selectNearest(first, ['--help', '--version']);
    const { hasFlagAnywhere } = await import('./has-flag-anywhere.ts');
    if (nearest !== undefined || !(await hasFlagAnywhere(first.split('=')[0]!)))
      throw new CommandLineError(toUnknownFlag(first, nearest));
    throw new CommandLineError([
      `the command must come first: svc <command> ${first} …; see svc --help`,
      fr`la commande doit venir en premier : svc <commande> ${first} … ; voir svc --help`,
    ]);
  }
  const exact = commandIndex.find(({ path }) => path.every((part, index) => args[index] === part));
  if (exact !== undefined) return exact;
  const group = commandIndex.filter(({ path }) => path.length > 1 && path[0] === first);
  if (group.length === 0) throw unknown(first, args);
  if (second === '--help' || second === '-h') return renderGroup(first, group, language);
  const names = group.map(({ path }) => path[1]!).join(', ');
  const later = args.find((arg) => group.some(({ path }) => path[1] === arg));
  if (second?.startsWith('-') && later !== undefined)
    throw new CommandLineError([
      `the command must come first: svc ${first} ${later} ${second} …`,
      fr`la commande doit venir en premier : svc ${first} ${later} ${second} …`,
    ]);
  if (second === undefined || second.startsWith('-')) {
    throw new CommandLineError([
      `svc ${first} requires a subcommand: ${names}`,
      fr`svc ${first} exige une sous-commande : ${names}`,
    ]);
  }
  throw unknown(`${first} ${second}`, args, names);
}

/** @param below second words of the commands of the group, where the first word is right */
function unknown(name: string, words: readonly string[], below?: string): CommandLineError {
  const meant = suggestCommand(
    words.filter((word) => !word.startsWith('-')),
    commandIndex.map(({ path }) => path),
  );
  if (meant === undefined)
    return new CommandLineError([
      `unknown command '${name}'; see svc --help`,
      fr`commande « ${name} » inconnue ; voir svc --help`,
    ]);
  if (below !== undefined && meant === words[0])
    return new CommandLineError([
      `unknown command '${name}'; svc ${meant} has ${below}`,
      fr`commande « ${name} » inconnue ; svc ${meant} a ${below}`,
    ]);
  return new CommandLineError([
    `unknown command '${name}'; did you mean svc ${meant}?`,
    fr`commande « ${name} » inconnue ; vouliez-vous dire svc ${meant} ?`,
  ]);
}
