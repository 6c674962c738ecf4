import type { StoredRule } from '../text/rule.ts';
import { anyOf, component, described, list, mapOf, object, type Schema, string } from './schema.ts';

// values can be rules themselves, which the schema does not follow
const storedRule = object({
  rule: described('Sentence in English and in French, with its placeholders in braces', {
    ...list(string),
    minItems: 2,
    maxItems: 2,
  }),
  values: described('Values of the placeholders', mapOf(anyOf(string, { type: 'number' }, mapOf({})))),
}) as Schema as Schema<StoredRule>;
export const Rule = component('Rule', storedRule);

export const rules = described('Parameters that are texts of the program, in both languages', mapOf(Rule));
export const detailRules = described(
  'Lines of the detail that are texts of the program, in both languages',
  list(Rule),
);
