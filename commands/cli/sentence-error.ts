import { fr, type Language, type Sentence, say } from '../../src/base/language.ts';

/** A failure of a command without a code: exit code 1. Its sentence is in both languages. */
export class SentenceError extends Error {
  readonly sentence: Sentence;

  constructor(sentence: Sentence, options?: ErrorOptions) {
    super(sentence[0], options);
    this.name = 'SentenceError';
    this.sentence = sentence;
  }
}

const goneFolder: Sentence = [
  'the current directory no longer exists: change to another directory',
  fr`le répertoire courant n’existe plus : changez de répertoire`,
];

/** Returns the message of an error without a code. That of the system and of libraries is English. */
export function toSentence(error: unknown, language: Language): string {
  if (error instanceof SentenceError) return say(error.sentence, language);
  if (!(error instanceof Error) || error.message === '') return String(error);
  // the current directory of the shell was removed
  if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd') return say(goneFolder, language);
  return error.message;
}
