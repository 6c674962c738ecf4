import { selectNearest } from '../../src/base/nearest.ts';

/** Names of other programs for the commands. */
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
  ls: 'content list',
  ps: 'task list',
  logs: 'task log',
  health: 'status',
};

/** Names of other programs for the second words of commands. */
const otherSeconds: Readonly<Record<string, readonly string[]>> = {
  delete: ['remove', 'revoke'],
  rm: ['remove', 'revoke'],
  new: ['create', 'add'],
  create: ['add', 'new'],
  generate: ['new'],
  get: ['show'],
  inspect: ['show'],
  ls: ['list'],
  publish: ['push'],
  validate: ['lint'],
  verify: ['show'],
};

/**
 * Suggests the command that was probably meant: for a misspelt word, for the second word alone, or for a name
 * that other programs use.
 *
 * @param words first words of the command line
 * @param paths paths of the commands
 */
export function suggestCommand(
  words: readonly string[],
  paths: readonly (readonly string[])[],
): string | undefined {
  const [first = '', second = ''] = words;
  const name = first.toLowerCase();
  const ofSecond = (word: string): string | undefined => paths.find((path) => path[1] === word)?.join(' ');
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  const isFirst = paths.some(([word]) => word === name);
  const exact =
    paths.find((path) => path.join(' ') === other)?.join(' ') ?? (isFirst ? undefined : ofSecond(name));
  if (exact !== undefined) return exact;
  // of two equally near groups, the one that has the second word
  const heads = isFirst ? [] : paths.filter((path) => path[1] === second).map((path) => path[0]!);
  const head =
    selectNearest(first, heads) ??
    selectNearest(
      first,
      paths.map((path) => path[0]!),
    );
  if (head !== undefined) {
    const below = paths.filter((path) => path[0] === head && path.length > 1).map((path) => path[1]!);
    const others = Object.hasOwn(otherSeconds, second) ? otherSeconds[second]! : [];
    const tail = selectNearest(second, below) ?? others.find((word) => below.includes(word));
    return tail === undefined ? head : `${head} ${tail}`;
  }
  const tail = selectNearest(
    first,
    paths.flatMap((path) => path.slice(1)),
  );
  return tail === undefined ? undefined : ofSecond(tail);
}
