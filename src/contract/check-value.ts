import { isIPv4, isIPv6 } from 'node:net';
import { isDigest } from '../base/digest.ts';
import { isSvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { digest, refusalOf, resolve, type Schema, wordingOf } from './schema.ts';

/** The document of a parameter in errors: a query is a part of an address. */
export const ofAddress = rule(['address of the request', fr`adresse de la requête`]);

/** Where a value stands. */
interface Place {
  /** JSON pointer of the value. */
  readonly path: string;
  /** Document that contains it. */
  readonly file: Rule | string;
}

/** A value against a schema: the rule that it violates itself, without its members and items. */
type Check = (value: unknown, schema: Schema) => Rule | undefined;

const patterns = new Map<string, RegExp>();

function matches(value: string, pattern: string): boolean {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, known);
  return known.test(value);
}

/** RFC 3339, section 5.6. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Formats that are evaluated, with their rules. Others only describe a value. */
const formats: Readonly<Record<string, readonly [fits: (value: string) => boolean, rule: Rule]>> = {
  'date-time': [
    (value) => dateTime.test(value) && !Number.isNaN(Date.parse(value)),
    rule([
      'must be a time such as 2026-01-31T12:00:00Z',
      fr`doit être une heure telle que 2026-01-31T12:00:00Z`,
    ]),
  ],
  ipv4: [isIPv4, rule(['must be an IPv4 address', fr`doit être une adresse IPv4`])],
  ipv6: [isIPv6, rule(['must be an IPv6 address', fr`doit être une adresse IPv6`])],
};

/** Returns the rule of a schema of texts that a value breaks; undefined: none. */
export function checkText(value: unknown, schema: Schema): Rule | undefined {
  const { minLength, maxLength, pattern, format } = schema;
  if (typeof value !== 'string') return rule(['must be a string', fr`doit être un texte`]);
  if (minLength !== undefined && value.length < minLength)
    return rule(['must not be empty', fr`ne doit pas être vide`]);
  // JSON Schema counts code points (Validation, section 6.3.1)
  if (maxLength !== undefined && value.length > maxLength && [...value].length > maxLength)
    return rule(['must have at most {n} characters', fr`doit avoir au plus {n} caractères`], {
      n: maxLength,
    });
  if (pattern === digest.pattern)
    return isDigest(value) ? undefined : rule(['must be a digest', fr`doit être une empreinte`]);
  if (pattern !== undefined && refusalOf(schema) === undefined && !matches(value, pattern))
    return (
      wordingOf(schema) ??
      rule(['must match the pattern {pattern}', fr`doit correspondre au motif {pattern}`], { pattern })
    );
  const [fits, broken] = formats[format ?? ''] ?? [];
  return fits === undefined || fits(value) ? undefined : broken;
}

function checkInteger(value: unknown, { minimum, maximum }: Schema): Rule | undefined {
  if (!Number.isSafeInteger(value)) return rule(['must be a whole number', fr`doit être un nombre entier`]);
  if (minimum !== undefined && Number(value) < minimum)
    return rule(['must be at least {n}', fr`doit valoir au moins {n}`], { n: minimum });
  if (maximum !== undefined && Number(value) > maximum)
    return rule(['must be at most {n}', fr`doit valoir au plus {n}`], { n: maximum });
  return undefined;
}

function checkList(value: unknown, { minItems, maxItems }: Schema): Rule | undefined {
  if (!Array.isArray(value)) return rule(['must be a list', fr`doit être une liste`]);
  if (minItems !== undefined && value.length < minItems)
    return rule(['must not be empty', fr`ne doit pas être vide`]);
  if (maxItems !== undefined && value.length > maxItems)
    return rule(['must have at most {n} entries', fr`doit avoir au plus {n} entrées`], { n: maxItems });
  return undefined;
}

/** By the keyword `type`. */
const checks: Readonly<Record<string, Check>> = {
  object: (value) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? rule(['must be an object', fr`doit être un objet`])
      : undefined,
  array: checkList,
  string: checkText,
  boolean: (value) =>
    typeof value === 'boolean' ? undefined : rule(['must be true or false', fr`doit être true ou false`]),
  integer: checkInteger,
  number: (value) =>
    typeof value === 'number' ? undefined : rule(['must be a number', fr`doit être un nombre`]),
};

/**
 * Validates a value against a schema. Every keyword counts, except for a `pattern` or `const` that the schema leaves to the
 * operation (`refusedAs`) and formats that only describe.
 *
 * @param path JSON pointer of the value, used in errors
 * @param file document that contains the value, used in errors
 * @throws SVC-VAL-001 with the first rule that is violated
 */
export function checkValue(value: unknown, given: Schema, path: string, file: Rule | string): void {
  const schema = resolve(given);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    checkChoices(value, choices, { path, file });
    return;
  }
  const broken = checks[schema.type ?? '']?.(value, schema) ?? checkListed(value, schema);
  if (broken !== undefined)
    throw svcError('SVC-VAL-001', { file, path: path === '' ? '/' : path, rule: broken });
  if (schema.type === 'object') checkMembers(value as object, schema, { path, file });
  if (schema.type === 'array')
    (value as readonly unknown[]).forEach((item, i) => {
      checkValue(item, schema.items ?? {}, `${path}/${i}`, file);
    });
}

const mustBeOneOf = (values: string): Rule =>
  rule(['must be one of {values}', fr`doit être l’un de : {values}`], { values });

/** Validates a value against the one or the several values that a schema lists. */
function checkListed(value: unknown, schema: Schema): Rule | undefined {
  if (schema.enum?.includes(value) === false) return mustBeOneOf(schema.enum.join(', '));
  if (schema.const === undefined || schema.const === value || refusalOf(schema) !== undefined)
    return undefined;
  return mustBeOneOf(String(schema.const));
}

function checkMembers(value: object, schema: Schema, { path, file }: Place): void {
  const { properties = {}, required = [], propertyNames, additionalProperties } = schema;
  const fail = (name: string, broken: Rule) =>
    svcError('SVC-VAL-001', { file, path: `${path}/${name}`, rule: broken });
  for (const name of required)
    if (!Object.hasOwn(value, name)) throw fail(name, rule(['is missing', fr`manque`]));
  for (const [name, member] of Object.entries(value)) {
    const shown = name.slice(0, 64);
    const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (known === false) throw fail(shown, rule(['is not a known member', fr`n’est pas un membre connu`]));
    if (propertyNames !== undefined) checkValue(name, propertyNames, `${path}/${shown}`, file);
    if (typeof known === 'object') checkValue(member, known, `${path}/${name}`, file);
  }
}

/** Validates a value against one of several schemas. @throws SVC-VAL-001 of the first of them when it fits none */
function checkChoices(value: unknown, choices: readonly Schema[], { path, file }: Place): void {
  let first: unknown;
  for (const choice of choices)
    try {
      checkValue(value, choice, path, file);
      return;
    } catch (error) {
      if (!isSvcError(error)) throw error;
      first ??= error;
    }
  if (first !== undefined) throw first;
}

/** Copies a checked value without the members that its schema does not name, as those that a later version adds. */
export function selectKnown<T>(value: T, given: Schema<T>): T {
  const { properties, items } = resolve(given);
  if (Array.isArray(value)) return value.map((item) => (items ? selectKnown(item, items) : item)) as T;
  if (properties === undefined || typeof value !== 'object' || value === null) return value;
  const known = Object.entries(value).flatMap(([name, member]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return schema === undefined ? [] : [[name, selectKnown(member, schema)]];
  });
  return Object.fromEntries(known) as T;
}
