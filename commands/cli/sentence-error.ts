import { type SvcError, svcError, toSvcError } from '../../src/text/error.ts';
import { fr, type Language, type Sentence, say } from '../../src/text/language.ts';
import { type RuleValue, sayRule } from '../../src/text/rule.ts';

/** A failure of a command without a code: exit code 1. Its sentence is in both languages. */
export class SentenceError extends Error {
  readonly sentence: Sentence;

  constructor(sentence: Sentence, options?: ErrorOptions) {
    super(sentence[0], options);
    this.name = 'SentenceError';
    this.sentence = sentence;
  }
}

/** @returns undefined for an error of the command line and one that is a sentence; any other without a code is a defect */
export function toCoded(error: unknown): SvcError | undefined {
  if (error instanceof SentenceError || isGoneFolder(error)) return undefined;
  const coded = toSvcError(error);
  if (coded === error || coded.code !== 'SVC-SRV-001') return coded;
  const detail = error instanceof Error && error.message !== '' ? error.message : String(error);
  return svcError('SVC-SRV-001', {}, { cause: error, detail });
}

const goneFolder: Sentence = [
  'the current directory no longer exists: change to another directory',
  fr`le répertoire courant n’existe plus : changez de répertoire`,
];

/** Whether the current directory of the shell was removed. */
const isGoneFolder = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'uv_cwd';

/** Returns a rule in both languages. A text of another program is the same in both. */
export function toRuleSentence(value: RuleValue): Sentence {
  return typeof value === 'object'
    ? [sayRule(value, 'en'), fr`${sayRule(value, 'fr')}`]
    : [String(value), fr`${value}`];
}

/** Returns the message of an error without a code. */
export function toSentence(error: unknown, language: Language): string {
  if (error instanceof SentenceError) return say(error.sentence, language);
  if (isGoneFolder(error)) return say(goneFolder, language);
  return error instanceof Error ? error.message : String(error);
}
