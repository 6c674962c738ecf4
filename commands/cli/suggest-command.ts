import { selectNearest } from '../../src/base/nearest.ts';

/** What other programs call what is done here. */
const otherNames: Readonly<Record<string, string>> = {
  init: 'quickstart',
  setup: 'quickstart',
  start: 'serve',
  run: 'serve',
  server: 'serve',
  pull: 'sync',
  fetch: 'sync',
  plan: 'sync',
  publish: 'recipe push',
  scrub: 'store check',
  fsck: 'store check',
  load: 'import',
  save: 'export',
  completions: 'completion',
};

/**
 * The command that somebody probably meant: by a mistyped word, by the second word alone, or by a name that other
 * programs use.
 *
 * @param words the first words of the command line
 * @param paths those of the commands
 */
export function suggestCommand(
  words: readonly string[],
  paths: readonly (readonly string[])[],
): string | undefined {
  const [first = '', second = ''] = words;
  const name = first.toLowerCase();
  const ofSecond = (word: string): string | undefined => paths.find((path) => path[1] === word)?.join(' ');
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  const exact = ofSecond(name) ?? paths.find((path) => path.join(' ') === other)?.join(' ');
  if (exact !== undefined) return exact;
  const head = selectNearest(
    first,
    paths.map((path) => path[0]!),
  );
  if (head !== undefined) {
    const below = paths.filter((path) => path[0] === head && path.length > 1).map((path) => path[1]!);
    const tail = selectNearest(second, below);
    return tail === undefined ? head : `${head} ${tail}`;
  }
  const tail = selectNearest(
    first,
    paths.flatMap((path) => path.slice(1)),
  );
  return tail === undefined ? undefined : ofSecond(tail);
}
