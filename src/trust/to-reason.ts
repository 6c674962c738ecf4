import type { SvcError } from '../text/error.ts';
import { fr, type Sentence } from '../text/language.ts';
import { Rule, rule } from '../text/rule.ts';
import { textParam } from '../text/text-param.ts';

const toRule = (text: Rule | string): Rule =>
  text instanceof Rule ? text : rule(['{text}', fr`{text}`], { text });

/** The limit that an error names, with its unit. */
export function toLimit(error: SvcError): Rule {
  const { limit } = error.params;
  return typeof limit === 'number'
    ? rule(['{limit} bytes', fr`{limit} octets`], { limit })
    : toRule(textParam(error, 'limit') ?? '');
}

/** Text of an error in the reasons of a verdict. */
export function toReason(error: SvcError): Rule {
  const { code, detail, detailRules } = error;
  if (code === 'SVC-VAL-002')
    return rule(['more than {limit}', fr`plus de {limit}`], { limit: toLimit(error) });
  if (code === 'SVC-SIG-002') return rule(['does not have its digest', fr`n’a pas son empreinte`]);
  const [line, ...others] = detailRules;
  const own = line && others.length === 0 ? rule(line.rule as Sentence, line.values) : detail;
  return toRule(textParam(error, 'detail') ?? own ?? code);
}

/**
 * Limits a reason that may contain texts of another party.
 *
 * @param most characters in English; a longer one is cut, and remains English
 */
export function toShort(reason: Rule, most: number): Rule {
  const text = String(reason);
  return text.length <= most ? reason : toRule(text.slice(0, most));
}
