import { SvcError } from '../../../src/text/error.ts';
import { fr, type Sentence } from '../../../src/text/language.ts';

/** Converts a coded error about an answer to the rule that it breaks, or to what happened and why. Other errors are thrown again. */
export async function toProblem(error: unknown): Promise<Sentence> {
  if (!(error instanceof SvcError)) throw error;
  const rule = error.params.rule ?? (error.code === 'SVC-CFG-001' ? error.params.detail : undefined);
  if (rule !== undefined) return toRuleSentence(String(rule));
  const { renderError } = await import('../../../src/text/message.ts');
  const [english, french] = [renderError(error, 'en'), renderError(error, 'fr')];
  return [`${english.what} ${english.cause}`, fr`${french.what} ${french.cause}`];
}

/** Returns a rule in both languages. */
export async function toRuleSentence(rule: string): Promise<Sentence> {
  const { translateRule } = await import('../../../src/text/rules/translate-rule.ts');
  return [rule, fr`${translateRule(rule)}`];
}
