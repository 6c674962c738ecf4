import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { silentReport } from '../../src/base/report.ts';
import type { CommandContext } from './command-context.ts';

/** Bytes of ledgers up to which a completion reads them: some 80 000 tags, and a third of a second of work. */
const ledgerLimit = 16 << 20;
/** Names that one answer holds. */
const answerLimit = 500;
/** What may stand on a command line as it is, in any shell. What a store holds was named by others. */
const plainName = /^[A-Za-z0-9][A-Za-z0-9._/@+-]{0,511}$/;

/**
 * Answers a completion script: `recipe|repository <prefix> -- <words of the line>`. Names of the local store, one a line,
 * those that begin with the prefix; nothing where there is no store, or none that can be read quickly. The store is found
 * as the command at hand would find it.
 *
 * @returns 0 always: nothing that goes wrong here concerns the person at the prompt
 */
export async function complete(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    const [kind = '', prefix = '', , ...words] = args;
    const names = selectNames(await listNames(kind, words, context.env), prefix);
    context.stdout.write(names.map((name) => `${name}\n`).join(''));
  } catch {
    // no answer
  }
  return 0;
}

/** Those that begin with the prefix and that no shell could take for anything but a name. */
export function selectNames(names: readonly string[], prefix: string): string[] {
  return names.filter((name) => name.startsWith(prefix) && plainName.test(name)).slice(0, answerLimit);
}

async function listNames(
  kind: string,
  words: readonly string[],
  env: CommandContext['env'],
): Promise<readonly string[]> {
  const { loadConfig } = await import('../../src/config/load-config.ts');
  const { peekStore } = await import('../../src/store/opening/open-store.ts');
  const given = (flag: string): string | undefined => findValue(words, flag, env.HOME);
  const configPath = given('--config');
  const { config } = await loadConfig({
    flags: { 'storage.root': given('--storage-root'), 'state.root': given('--state-root') },
    env,
    ...(configPath === undefined ? {} : { configPath, explicit: true }),
  });
  const { root } = config.storage;
  if (root === undefined || (await sizeOf(join(root, 'ledger'))) > ledgerLimit) return [];
  await using store = await peekStore({
    root,
    stateRoot: config.state.root,
    zone: config.zone,
    mode: config.mode,
    producer: { version: 'completion' },
    report: silentReport,
  });
  if (store === undefined) return [];
  if (kind === 'repository') return store.index.repositories();
  const recipes = store.index.recipes().map(({ name, version }) => [name, `${name}@${version}`]);
  return kind === 'recipe' ? [...new Set(recipes.flat())].sort() : [];
}

async function sizeOf(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The last value of a flag among the words of a line that is being typed. */
function findValue(words: readonly string[], flag: string, home: string | undefined): string | undefined {
  let value: string | undefined;
  for (const [index, word] of words.entries()) {
    if (word === flag) value = words[index + 1];
    else if (word.startsWith(`${flag}=`)) value = word.slice(flag.length + 1);
  }
  if (value === undefined || value === '') return undefined;
  const plain = unquote(value);
  return home !== undefined && /^~(?=\/|$)/.test(value) ? join(home, plain.slice(1)) : plain;
}

/** A word as the shell would pass it on, as far as quotes and backslashes go; nothing is expanded. */
function unquote(word: string): string {
  return word.replace(/'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\(.)/g, (_, single, double, escaped) =>
    single !== undefined ? single : double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : escaped,
  );
}
