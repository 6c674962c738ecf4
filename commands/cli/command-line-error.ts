import type { Sentence } from '../../src/text/language.ts';
import { SentenceError } from './sentence-error.ts';

/** A command line that is invalid: exit code 2. */
export class CommandLineError extends SentenceError {
  /** Usage of the command, or the list of errors; where it helps. */
  readonly usage: Sentence | undefined;

  constructor(sentence: Sentence, usage?: Sentence) {
    super(sentence);
    this.name = 'CommandLineError';
    this.usage = usage;
  }
}
