import { SvcError } from '../../src/base/error.ts';
import { fr, type Sentence } from '../../src/base/language.ts';

/** Converts a coded error about an answer to one sentence. Other errors are thrown again. */
export async function toProblem(error: unknown): Promise<Sentence> {
  if (!(error instanceof SvcError)) throw error;
  const rule = error.params.rule ?? (error.code === 'SVC-CFG-001' ? error.params.detail : undefined);
  if (rule !== undefined) return toRuleSentence(String(rule));
  const { renderError } = await import('../../src/base/message.ts');
  return [renderError(error, 'en').what, fr`${renderError(error, 'fr').what}`];
}

/** Returns a rule in both languages. */
export async function toRuleSentence(rule: string): Promise<Sentence> {
  const { translateRule } = await import('../../src/base/rules/translate-rule.ts');
  return [rule, fr`${translateRule(rule)}`];
}
