import { type Language, type Sentence, say } from '../../src/text/language.ts';

/** One command that a user types next, and the sentence that introduces it. */
export interface Step {
  readonly sentence: Sentence;
  /** The command line for the reader to type. */
  readonly command: string;
}

/** Prints the commands that come next, each on a line of its own, so that a terminal copies it as a whole. */
export function printNext(stderr: NodeJS.WritableStream, steps: readonly Step[], language: Language): void {
  for (const { sentence, command } of steps) stderr.write(`svc: ${say(sentence, language)}\n  ${command}\n`);
}
