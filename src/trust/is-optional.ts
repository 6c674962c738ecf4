import { isPageAnswer } from '../base/page-answer.ts';
import { isSvcError, type SvcError } from '../text/error.ts';

/**
 * Whether content that needs no signature is delivered although this failure may hide its signatures: a page for
 * people, and a lasting refusal of access. Other failures pass, and the next run asks again.
 */
export const isOptional = (error: SvcError): boolean =>
  isPageAnswer(error) || isSvcError(error, 'SVC-REG-003');
