import { formatNumber } from './amount.ts';
import { fill } from './fill.ts';
import { type French, fr, type Language, type Sentence } from './language.ts';

export type RuleValue = string | number | StoredRule;

/** A rule as JSON has it, in a stored error or in one of another process. */
export interface StoredRule {
  readonly rule: readonly [english: string, french: string];
  readonly values: Readonly<Record<string, RuleValue>>;
}

/**
 * A rule or a detail that is inserted into a message: a sentence in both languages with the values of its placeholders. It
 * becomes a text where it is shown. Inside a template literal it is English.
 */
export class Rule implements StoredRule {
  readonly rule: Sentence;
  readonly values: Readonly<Record<string, RuleValue>>;

  constructor(sentence: Sentence, values: Readonly<Record<string, RuleValue>>) {
    this.rule = sentence;
    this.values = values;
  }

  toString(): string {
    return sayRule(this, 'en');
  }
}

/**
 * Makes a rule: `rule(['must be at most {n} bytes', fr\`doit avoir au plus {n} octets\`], { n })`.
 *
 * @param sentence in the notation of `fill.ts`; `{n:size}` is a number of bytes, `{n:file/files}` a number with its noun
 * @param values by placeholder; absent ones may be `undefined`
 */
export function rule(sentence: Sentence, values: Readonly<Record<string, RuleValue | undefined>> = {}): Rule {
  const present: Record<string, RuleValue> = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) present[name] = value;
  return new Rule(sentence, present);
}

/** Makes a rule of a text of another program, which is the same in both languages; a rule stays itself. */
export function quote(text: Rule | string): Rule {
  return typeof text === 'string' ? rule(['{text}', fr`{text}`], { text }) : text;
}

/** Restores a rule that was stored, or that came from another thread. */
export function restoreRule({ rule: [english, french], values }: StoredRule): Rule {
  return new Rule([english, french as French], values);
}

/** An error whose message is a rule: a coded error that it causes keeps the rule as its detail. */
export class RuleError extends Error {
  override name = 'RuleError';
  readonly rule: Rule;

  constructor(broken: Rule, options?: ErrorOptions) {
    super(String(broken), options);
    this.rule = broken;
  }
}

/** Longest text of a rule, in characters: that of another process could grow with each rule inside it. */
const mostCharacters = 65_536;

/** Returns the text of a rule in a language. Its values are not escaped. */
export function sayRule({ rule: [english, french], values }: StoredRule, language: Language): string {
  /** A rule among the values is said once, however often the sentence has it. */
  const said = new Map<string, string>();
  const show = (name: string, format: string | undefined): string => {
    const value = values[name]!;
    if (typeof value === 'number') return formatNumber(value, format, language);
    if (typeof value === 'string') return value.slice(0, mostCharacters);
    const text = said.get(name) ?? sayRule(value, language);
    said.set(name, text);
    return text;
  };
  const isPresent = (name: string, value?: string): boolean =>
    Object.hasOwn(values, name) && (value === undefined ? values[name] !== '' : values[name] === value);
  return fill(language === 'fr' ? french : english, isPresent, show).slice(0, mostCharacters);
}

/** Returns a rule with its sentence and its values replaced. */
export function mapRule(
  { rule: [english, french], values }: StoredRule,
  replace: (text: string) => string,
): StoredRule {
  const map = (value: RuleValue): RuleValue =>
    typeof value === 'object' ? mapRule(value, replace) : typeof value === 'string' ? replace(value) : value;
  return {
    rule: [replace(english), replace(french)],
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)])),
  };
}

/** Limits of a rule of another process: characters and placeholders of a sentence, values, rules within rules. */
const most = { characters: 2000, placeholders: 40, values: 20, depth: 8 };

/** Returns a value of a document if it is a rule within the limits: the document can be of another process. */
export function readRule(value: unknown, depth: number = most.depth): StoredRule | undefined {
  const { rule: sentence, values } = (value ?? {}) as Partial<Record<keyof StoredRule, unknown>>;
  if (depth === 0 || !Array.isArray(sentence) || typeof values !== 'object' || values === null)
    return undefined;
  const isSentence =
    sentence.length === 2 &&
    sentence.every(
      (text) =>
        typeof text === 'string' &&
        text.length <= most.characters &&
        text.split('{').length <= most.placeholders + 1,
    );
  const entries = Object.entries(values);
  const isValue = (each: unknown): boolean =>
    typeof each === 'string' || typeof each === 'number' || readRule(each, depth - 1) !== undefined;
  return isSentence && entries.length <= most.values && entries.every(([, each]) => isValue(each))
    ? (value as StoredRule)
    : undefined;
}

/** Returns the rules among the members of a document. */
export function readRules(members: unknown): Readonly<Record<string, StoredRule>> {
  if (typeof members !== 'object' || members === null) return {};
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) => {
      const found = readRule(member);
      return found === undefined ? [] : [[name, found]];
    }),
  );
}
