import type { Sentence } from '../../src/text/language.ts';
import { SentenceError } from './sentence-error.ts';

/** A command line that is invalid: exit code 2. */
export class CommandLineError extends SentenceError {
  /** Usage of the command, or the list of errors, in the language of the user; where it helps. */
  readonly usage: string | undefined;

  constructor(sentence: Sentence, usage?: string) {
    super(sentence);
    this.name = 'CommandLineError';
    this.usage = usage;
  }
}
