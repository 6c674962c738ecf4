import type { Choice } from './question.ts';
import type { Key } from './to-keys.ts';

/** Returns the selected position after one key: an arrow, or the first letter of a word that is shown. */
export function choose(choices: readonly Choice[], at: number, key: Key): number {
  if (key === 'up') return (at - 1 + choices.length) % choices.length;
  if (key === 'down') return (at + 1) % choices.length;
  if (typeof key === 'string') return at;
  const positions = [...key.text.toLowerCase()].map((letter) =>
    choices.findIndex(({ value, name = value }) => name.startsWith(letter)),
  );
  return positions.findLast((position) => position >= 0) ?? at;
}
