import { isSvcError } from '../text/error.ts';

/** Whether a failure is a page for people, such as that of a sign-in, in the place of data. */
export const isPageAnswer = (error: unknown): boolean =>
  isSvcError(error, 'SVC-REG-002') && error.params.problem === 'page';
