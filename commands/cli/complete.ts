import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { silentReport } from '../../src/base/report.ts';
import type { CommandContext } from './command-context.ts';

/** Maximum size of ledgers that a completion reads, in bytes: about 80 000 tags, and a third of a second. */
const ledgerLimit = 16 << 20;
/** Maximum number of names in one answer. */
const answerLimit = 500;
/**
 * Names that every shell takes literally. Names in a store come from others and could contain shell syntax.
 */
const plainName = /^[A-Za-z0-9][A-Za-z0-9._/@+-]{0,511}$/;

/**
 * Answers a completion script: `recipe|repository <prefix> -- <words of the line>`. Prints the names of the
 * local store that begin with the prefix, one per line. Prints nothing when the store does not exist or
 * cannot be read quickly. The store is found as the command on the line would find it.
 *
 * @returns always 0: errors must not appear on the command line of the user
 */
export async function complete(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    const [kind = '', prefix = '', , ...words] = args;
    const names = selectNames(await listNames(kind, words, context.env), prefix);
    context.stdout.write(names.map((name) => `${name}\n`).join(''));
  } catch {
    // print nothing
  }
  return 0;
}

/** Selects the names that begin with the prefix and that every shell takes literally. */
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

/** Finds the last value of a flag among the words of an incomplete command line. */
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

/** Removes the quotes and backslashes of a word as a shell does. Nothing is expanded. */
function unquote(word: string): string {
  return word.replace(/'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\(.)/g, (_, single, double, escaped) =>
    single !== undefined ? single : double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : escaped,
  );
}
