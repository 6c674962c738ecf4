import { isSvcError } from '../../text/error.ts';
import { toTransience } from './transience.ts';

/** Number of wrong answers to ranges in one download, before its source is given up. */
const mostWrongAnswers = 3;

/** The next step after a failed request for a range. */
type RangeVerdict = 'repeat' | 'restart' | 'other';

/**
 * Creates the rule for wrong answers to the ranges of one download: another range, a refusal (416, 400), another length.
 * The first may be an accident, and its request is repeated. After a further one the download restarts from its first byte,
 * which needs no range. All other failures, and those of a source that never answers rightly, are `other`.
 */
export function createRangeRule(): (error: unknown) => RangeVerdict {
  let wrongAnswers = 0;
  return (error) => {
    if (!isSvcError(error, 'SVC-REG-007') || toTransience(error) !== false) return 'other';
    wrongAnswers += 1;
    if (wrongAnswers > mostWrongAnswers) return 'other';
    return wrongAnswers === 1 ? 'repeat' : 'restart';
  };
}
