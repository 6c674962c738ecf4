import { Cli } from 'clipanion';
import { fr, inBoth, type Sentence, selectLanguage } from '../../src/text/language.ts';
import type { CommandEntry } from '../command-index.ts';
import { renderBriefUsage, renderUsage } from '../render/usage.ts';
import { getWidth } from '../render/width.ts';
import { checkArguments } from './check-arguments.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandDefinition } from './command-definition.ts';
import { CommandLineError } from './command-line-error.ts';
import { describeCommand } from './describe-command.ts';
import { hasFlagAnywhere } from './has-flag-anywhere.ts';

/** Loads one command, parses its arguments and runs it. @returns the exit code @throws CommandLineError */
export async function runCommand(
  entry: CommandEntry,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const definition = await describeCommand(entry);
  const language = selectLanguage(context.env);
  const own = args.slice(entry.path.length);
  const end = own.indexOf('--');
  if ((end < 0 ? own : own.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')) {
    context.stdout.write(renderUsage(definition, language, getWidth(context)));
    return 0;
  }
  const usage = inBoth((each) => renderBriefUsage(definition, each));
  await checkArguments(own, definition.flags, usage, hasFlagAnywhere);
  const cli = new Cli<CommandContext>({ binaryName: 'svc', enableColors: false });
  const commandClass = await entry.load();
  commandClass.paths = [[...entry.path]];
  cli.register(commandClass);
  let command: ReturnType<typeof cli.process>;
  try {
    command = cli.process([...args], context);
  } catch (error) {
    if (error instanceof CommandLineError) throw error;
    const reason = toReason(error, definition);
    throw new CommandLineError(
      reason?.startsWith('Not enough positional') ? toMissing(own, definition) : rephrase(reason, entry.path),
      usage,
    );
  }
  return command.validateAndExecute();
}

/**
 * Returns why clipanion refused the arguments. For each `--flag=value` it has a second reading, in which the flag takes no
 * value: that one counts only when it is alone, or when the other one refuses an argument of a command that takes any
 * number of them.
 *
 * @returns undefined when it gives no reason
 */
function toReason(error: unknown, definition: CommandDefinition): string | undefined {
  const { candidates = [] } = error as { candidates?: readonly { readonly reason?: string | null }[] };
  const reasons = candidates.flatMap(({ reason }) => (reason ? [reason] : []));
  const takesAny = definition.arguments.some(({ repeated }) => repeated);
  const others = reasons.filter((reason) => !(takesAny && reason.startsWith('Extraneous positional')));
  return others.find((reason) => !reason.startsWith('Invalid option name')) ?? others[0];
}

/** Groups of commands that work on the folder that `--storage-root` names. */
const ofFolders: ReadonlySet<string | undefined> = new Set(['media', 'store']);

/** Commands of these groups that work on the state. */
const ofState: ReadonlySet<string | undefined> = new Set(['status', 'forget']);

/** Names the first required argument that is not given, and its values where they are few. */
function toMissing(args: readonly string[], definition: CommandDefinition): Sentence {
  const valued = new Set(definition.flags.flatMap(({ names, takesValue }) => (takesValue ? names : [])));
  const given = args.filter((arg, i) => !/^-./.test(arg) && !(i > 0 && valued.has(args[i - 1]!))).length;
  const absent = definition.arguments.filter(({ required }) => required)[given];
  if (absent === undefined) return ['an argument is missing', fr`il manque un argument`];
  const [name, nom] = absent.name;
  if (typeof absent.values !== 'string') {
    const list = absent.values.join(', ');
    return [`an argument is missing: <${name}>, one of ${list}`, fr`il manque l’argument <${nom}> : ${list}`];
  }
  const at = args.indexOf('--storage-root');
  const folder = args[at + 1];
  if (absent.values === 'folder' && at >= 0 && folder !== undefined)
    return [
      `an argument is missing: <${name}>; give the folder as the argument: ${folder}`,
      fr`il manque l’argument <${nom}> ; donnez le dossier comme argument : ${folder}`,
    ];
  return [`an argument is missing: <${name}>`, fr`il manque l’argument <${nom}>`];
}

function rephrase(reason: string | undefined, path: readonly string[]): Sentence {
  if (reason === undefined)
    return [
      `svc ${path.join(' ')} does not take these arguments`,
      fr`svc ${path.join(' ')} ne prend pas ces arguments`,
    ];
  const message = reason.split('\n')[0]!;
  const valued = /^Invalid option name \("(-[^=]+)=.*"\)/.exec(message)?.[1];
  if (valued !== undefined) return [`${valued} takes no value`, fr`${valued} ne prend pas de valeur`];
  const bare = /^Not enough arguments to option (-[^ ]+)\.$/.exec(message)?.[1];
  if (bare !== undefined)
    return [
      `${bare} requires a value; one that begins with - follows =: ${bare}=<value>`,
      fr`${bare} exige une valeur ; celle qui commence par - suit = : ${bare}=<valeur>`,
    ];
  const extraneous = /^Extraneous positional argument \("(.*)"\)/.exec(message)?.[1];
  if (extraneous !== undefined && ofFolders.has(path[0]) && !ofState.has(path[1]))
    return [
      `unexpected argument '${extraneous}': name the folder with --storage-root ${extraneous}`,
      fr`argument « ${extraneous} » inattendu : indiquez le dossier avec --storage-root ${extraneous}`,
    ];
  if (extraneous !== undefined)
    return [`unexpected argument '${extraneous}'`, fr`argument « ${extraneous} » inattendu`];
  const own = message.replace(/[.:]$/, '');
  return [own, fr`ligne de commande non valide (${own})`];
}
