import { Cli, type CommandClass, type Definition } from 'clipanion';
import { fr, type Sentence, selectLanguage } from '../../src/text/language.ts';
import type { CommandEntry } from '../command-index.ts';
import { renderBriefUsage, toFlags, type UsageWords, usageEn } from '../render/usage.ts';
import { checkArguments } from './check-arguments.ts';
import type { CommandContext } from './command-context.ts';
import { CommandLineError } from './command-line-error.ts';
import { hasFlagAnywhere } from './has-flag-anywhere.ts';

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
  const isFrench = selectLanguage(context.env) === 'fr';
  const words = isFrench ? (await import('../help-fr/usage.ts')).usageFr : usageEn;
  if ((end < 0 ? own : own.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')) {
    context.stdout.write(
      await describe(entry, commandClass, definition, context, isFrench ? words : undefined),
    );
    return 0;
  }
  const usage = renderBriefUsage(entry.path, definition, words);
  await checkArguments(own, toFlags(definition), usage, hasFlagAnywhere);
  let command: ReturnType<typeof cli.process>;
  try {
    command = cli.process([...args], context);
  } catch (error) {
    const reason = toReason(error);
    throw new CommandLineError(
      reason?.startsWith('Not enough positional')
        ? toMissing(own, definition, commandClass)
        : rephrase(reason, entry.path),
      usage,
    );
  }
  return command.validateAndExecute();
}

/**
 * Returns why clipanion refused the arguments. For each `--flag=value` it has a second reading, in which the flag takes no
 * value: that one counts only when it is alone.
 *
 * @returns undefined when it gives no reason
 */
function toReason(error: unknown): string | undefined {
  const { candidates = [] } = error as { candidates?: readonly { readonly reason?: string | null }[] };
  const reasons = candidates.flatMap(({ reason }) => (reason ? [reason] : []));
  return reasons.find((reason) => !reason.startsWith('Invalid option name')) ?? reasons[0];
}

/** Groups of commands that work on the folder that `--storage-root` names. */
const ofFolders: ReadonlySet<string | undefined> = new Set(['media', 'store']);

/** Names the first required argument that is not given, and its values where they are few. */
function toMissing(
  args: readonly string[],
  definition: Definition | undefined,
  commandClass: CommandClass<CommandContext>,
): Sentence {
  const takesValue = new Map(
    toFlags(definition).flatMap((flag) => flag.names.map((name) => [name, flag.takesValue] as const)),
  );
  const given = args.filter(
    (arg, i) => !/^-./.test(arg) && !(i > 0 && takesValue.get(args[i - 1]!) === true),
  ).length;
  const required = [...(definition?.usage ?? '').matchAll(/ <([a-z][^>]*)>/g)].map(([, name]) => name!);
  const name = required[given];
  if (name === undefined) return ['an argument is missing', fr`il manque un argument`];
  const { values } = commandClass as unknown as { values?: Readonly<Record<string, unknown>> };
  const own = values?.[''];
  const list = Array.isArray(own) && given === 0 ? own.join(', ') : undefined;
  if (list !== undefined)
    return [
      `an argument is missing: <${name}>, one of ${list}`,
      fr`il manque l’argument <${name}> : ${list}`,
    ];
  const at = args.indexOf('--storage-root');
  const folder = args[at + 1];
  if (name === 'directory' && at >= 0 && folder !== undefined)
    return [
      `an argument is missing: <${name}>; give the folder as the argument: ${folder}`,
      fr`il manque l’argument <${name}> ; donnez le dossier comme argument : ${folder}`,
    ];
  return [`an argument is missing: <${name}>`, fr`il manque l’argument <${name}>`];
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
  const extraneous = /^Extraneous positional argument \("(.*)"\)/.exec(message)?.[1];
  if (extraneous !== undefined && ofFolders.has(path[0]))
    return [
      `unexpected argument '${extraneous}': name the folder with --storage-root ${extraneous}`,
      fr`argument « ${extraneous} » inattendu : indiquez le dossier avec --storage-root ${extraneous}`,
    ];
  if (extraneous !== undefined)
    return [`unexpected argument '${extraneous}'`, fr`argument « ${extraneous} » inattendu`];
  const own = message.replace(/[.:]$/, '');
  return [own, fr`ligne de commande non valide (${own})`];
}

async function describe(
  entry: CommandEntry,
  commandClass: CommandClass<CommandContext>,
  definition: Definition | undefined,
  context: CommandContext,
  french: UsageWords | undefined,
): Promise<string> {
  const [{ renderUsage }, { getFlagValues }, { getWidth }] = await Promise.all([
    import('../render/usage.ts'),
    import('./flag-values.ts'),
    import('../render/width.ts'),
  ]);
  const values = getFlagValues(commandClass);
  const width = getWidth(context);
  if (french === undefined) return renderUsage(entry.path, definition, values, usageEn, width);
  const { toFrenchDefinition } = await import('../help-fr/to-french-definition.ts');
  return renderUsage(entry.path, toFrenchDefinition(entry.path, definition), values, french, width);
}
