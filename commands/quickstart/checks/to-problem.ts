import { SvcError } from '../../../src/text/error.ts';
import { fr, type Sentence } from '../../../src/text/language.ts';
import { textParam } from '../../../src/text/text-param.ts';
import { toRuleSentence } from '../../cli/sentence-error.ts';

/** Converts a coded error about an answer to the rule that it breaks, or to what happened and why. Other errors are thrown again. */
export async function toProblem(error: unknown): Promise<Sentence> {
  if (!(error instanceof SvcError)) throw error;
  const broken =
    textParam(error, 'rule') ?? (error.code === 'SVC-CFG-001' ? textParam(error, 'detail') : undefined);
  if (broken !== undefined) return toRuleSentence(broken);
  const { renderError } = await import('../../../src/text/message.ts');
  const [english, french] = [renderError(error, 'en'), renderError(error, 'fr')];
  return [`${english.what} ${english.cause}`, fr`${french.what} ${french.cause}`];
}
