import type { CommandDefinition } from '../../../commands/cli/command-definition.ts';
import { describeCommands } from '../../../commands/cli/describe-command.ts';

/** Words before a command that the reader is asked to run, in English and in French. */
const orders =
  /(?:\brun|\bwith|\btry|\buse|\blancez|\bexécutez|\bavec|\butilisez|:)(?:[\s\u00a0]|\[|\{[a-z]+[!=][a-z-]*\})*$/i;

/** An argument as it is printed: a flag, a placeholder, a name in capitals, or a word that prose does not have. */
const argument =
  /[\s\u00a0]+(--?[a-zA-Z][\w-]*(?:=[^\s,;:)'`]+)?|\{[A-Za-z]+(?::word)?\}|\$\{(?:[^{}]|\{[^{}]*\})*\}\S*|<[^>]+>|\[[^\]]*\]|…|[A-ZÀ-Ü][A-ZÀ-Ü_]+(?::[A-ZÀ-Ü]+)?|(?:admin|operator|viewer)\b|[\w@:/.-]*[@:/.\d][\w@:/.-]*\w)/y;
const anyWord = /[\s\u00a0]+(\$\{(?:[^{}]|\{[^{}]*\})*\}|\{[A-Za-z]+(?::word)?\}|<[^>]+>|[^\s,;)'`]+)/y;

/** Flags that a command does not run without: one of each list. */
const needed: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'media write': [['--zone']],
  'custody note': [['--delivery'], ['--text']],
  'evidence pack': [['--delivery', '--recipe', '--since']],
  'retriever init': [['--cookbook'], ['--recipe']],
};

/** Commands that act on a folder of the configuration without an argument: the folder that the text is about is named. */
const ofFolder: ReadonlySet<string> = new Set(['media import', 'media verify']);
const folderFlags: ReadonlySet<string> = new Set(['--storage-root', '--config']);

let known: Promise<readonly CommandDefinition[]> | undefined;

/**
 * Finds commands in a text that a reader would run and that `svc` would refuse. A required argument is missing, or the
 * command has no such flag. A command that is only named, as in `svc sync copies`, is none.
 *
 * @returns each with the reason
 */
export async function findIncomplete(text: string): Promise<readonly string[]> {
  known ??= describeCommands();
  const commands = await known;
  const found: string[] = [];
  for (const match of text.matchAll(/\bsvc ([a-z]+)(?: ([a-z-]+))?/g)) {
    const command =
      commands.find(({ path }) => path.length === 2 && path[0] === match[1] && path[1] === match[2]) ??
      commands.find(({ path }) => path.length === 1 && path[0] === match[1]);
    if (command === undefined) continue;
    const end = match.index + `svc ${command.path.join(' ')}`.length;
    const why = judge(command, text.slice(0, match.index), text.slice(end));
    if (why !== undefined) found.push(`${text.slice(match.index, end + 40).split('\n')[0]}: ${why}`);
  }
  return found;
}

function judge(command: CommandDefinition, before: string, after: string): string | undefined {
  const flags = new Map(command.flags.flatMap((flag) => flag.names.map((name) => [name, flag] as const)));
  const given = new Set<string>();
  let positional = 0;
  let count = 0;
  for (let at = 0; ; count += 1) {
    argument.lastIndex = at;
    const word = argument.exec(after)?.[1];
    if (word === undefined) break;
    at = argument.lastIndex;
    // anything may follow
    if (word === '…') return undefined;
    if (word.startsWith('[')) {
      // a name that the error knows, or its placeholder
      if (word.includes('|')) positional += 1;
      continue;
    }
    if (!word.startsWith('-')) {
      positional += 1;
      continue;
    }
    const name = word.split('=')[0]!;
    if (name === '--help') return undefined;
    const flag = flags.get(name);
    if (flag === undefined) return `it has no flag ${name}`;
    given.add(name);
    if (!flag.takesValue || word.includes('=')) continue;
    anyWord.lastIndex = at;
    if (anyWord.exec(after) === null) return `${name} has no value`;
    at = anyWord.lastIndex;
  }
  if (count === 0 && !orders.test(before)) return undefined;
  const required = command.arguments.filter((each) => each.required).length;
  if (positional < required) return `${required} arguments are required, and it has ${positional}`;
  const path = command.path.join(' ');
  const missing = needed[path]?.find((flags) => !flags.some((flag) => given.has(flag)));
  if (missing !== undefined) return `it needs ${missing.join(' or ')}`;
  const isOfFolder = ofFolder.has(path) && count > 0;
  return isOfFolder && positional === 0 && ![...folderFlags].some((flag) => given.has(flag))
    ? 'it names no folder'
    : undefined;
}
