import type { ToPinCommand } from '../../src/authoring/door.ts';
import { toShellWord } from '../../src/text/shell-word.ts';

/**
 * Returns how the command is called that asks for the tag of an ingredient again.
 *
 * @param file the document, as it was given
 * @param flags flags that this command line has in common with it, each after a space
 */
export const toPinCommandOf =
  (file: string, flags: string): ToPinCommand =>
  (ingredient) =>
    `svc recipe pin ${toShellWord(file)} --update=${ingredient}${flags}`;
