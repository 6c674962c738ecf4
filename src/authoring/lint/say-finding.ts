import { renderError } from '../../text/message.ts';
import { sayRule } from '../../text/rule.ts';
import type { Words } from '../../text/words/words.ts';
import type { Finding } from './model.ts';
import { lintRules } from './rule-words.ts';

/** A finding with its sentences, as reports have it. */
export interface SaidFinding extends Pick<Finding, 'rule' | 'severity' | 'path' | 'line' | 'error'> {
  readonly message: string;
  readonly fix?: string;
}

/** Returns the command that pins an ingredient again. */
export type ToPinCommand = (ingredient: string) => string;

/**
 * Puts a finding into words.
 *
 * @param toPinCommand returns the command that pins an ingredient again, for a reader with the document in a file
 */
export function sayFinding(
  { params, ...finding }: Finding,
  { language, say }: Words,
  toPinCommand?: ToPinCommand,
): SaidFinding {
  const { rule, error } = finding;
  const { message, fix } = lintRules[rule] as (typeof lintRules)['moving-tag' | 'format'] & { fix?: never };
  const values = {
    ...Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'object' ? sayRule(value, language) : value,
      ]),
    ),
    ...(error ? { code: error.code, what: renderError(error, language).what } : {}),
    ...(toPinCommand === undefined ? {} : { command: toPinCommand(String(params.name)) }),
  };
  return {
    ...finding,
    message: say(message, values),
    ...(fix === undefined ? {} : { fix: say(fix, values) }),
  };
}

/** Puts findings into words, as {@link sayFinding} does each. */
export function sayFindings(
  findings: readonly Finding[],
  words: Words,
  toPinCommand?: ToPinCommand,
): readonly SaidFinding[] {
  return findings.map((finding) => sayFinding(finding, words, toPinCommand));
}
