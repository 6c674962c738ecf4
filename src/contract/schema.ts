import { isDigest } from '../base/digest.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { explain } from './terms/terms.ts';

/** A JSON Schema (draft 2020-12), limited to the keywords that validate request bodies and parameters. */
export type Schema = { readonly [keyword: string]: unknown };

export const string: Schema = { type: 'string' };
export const boolean: Schema = { type: 'boolean' };
export const integer: Schema = {
  type: 'integer',
  format: 'int64',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
};
export const timestamp: Schema = { type: 'string', format: 'date-time' };
export const digest: Schema = {
  type: 'string',
  pattern: '^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$',
};

/** Name of a new account or token. The account store checks the pattern and has its own error code. */
export const accountName: Schema = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$' };

export function oneOf(...values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

/**
 * A text out of a closed list.
 *
 * @param what what the value says
 * @param values meaning of each value
 */
export function choice(what: string, values: Readonly<Record<string, string>>): Schema {
  const meanings = Object.entries(values).map(([value, meaning]) => `\`${value}\`: ${meaning}`);
  return { ...oneOf(...Object.keys(values)), description: `${what}. ${meanings.join('; ')}` };
}

/** A schema with a description of its own; the name of a member gives it one otherwise. */
export function described(description: string, schema: Schema): Schema {
  return { ...schema, description };
}

export function list(items: Schema): Schema {
  return { type: 'array', items };
}

/**
 * Schema of an object with these members and no others. A name that ends in `?` is optional. A member without a
 * description gets the one of its name.
 */
export function object(members: Readonly<Record<string, Schema>>): Schema {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const [name, schema] of Object.entries(members)) {
    const bare = name.endsWith('?') ? name.slice(0, -1) : name;
    const description = schema.description ?? explain(bare);
    properties[bare] = description === undefined ? schema : { ...schema, description };
    if (bare === name) required.push(name);
  }
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Reference to a shared schema by name. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Replaces references with the schemas that they name, for self-contained documents. The objects become open: a later
 * version may add members.
 */
export function inline(schema: unknown, shared: Readonly<Record<string, Schema>>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inline(item, shared));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, additionalProperties, ...rest } = schema as Schema;
  if (typeof $ref === 'string') {
    return { ...(inline(shared[$ref.slice($ref.lastIndexOf('/') + 1)], shared) as object), ...rest };
  }
  return Object.fromEntries(
    Object.entries(additionalProperties === false ? rest : schema).map(([key, value]) => [
      key,
      inline(value, shared),
    ]),
  );
}

/**
 * Validates a value against a schema that is built with the functions above. Keywords `format` and `const` are not
 * evaluated, and of the patterns only that of a digest.
 *
 * @param path JSON pointer of the value, used in errors
 * @param file document that contains the value, used in errors
 * @throws SVC-VAL-001 with the first rule that is violated
 */
export function checkValue(value: unknown, schema: Schema, path: string, file: Rule | string): void {
  const fail = (broken: Rule) =>
    svcError('SVC-VAL-001', { file, path: path === '' ? '/' : path, rule: broken });
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema as Record<
    string,
    number | string
  >;
  const allowed = schema.enum as readonly unknown[] | undefined;
  const choices = schema.anyOf as readonly Schema[] | undefined;
  if (choices !== undefined) {
    checkChoices(value, choices, path, file);
    return;
  }
  switch (type) {
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw fail(rule(['must be an object', fr`doit être un objet`]));
      const properties = (schema.properties ?? {}) as Record<string, Schema>;
      for (const name of (schema.required ?? []) as readonly string[]) {
        if (!Object.hasOwn(value, name))
          throw svcError('SVC-VAL-001', {
            file,
            path: `${path}/${name}`,
            rule: rule(['is missing', fr`manque`]),
          });
      }
      for (const [name, member] of Object.entries(value)) {
        const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
        if (known !== undefined) checkValue(member, known, `${path}/${name}`, file);
        else if (schema.additionalProperties === false) {
          const shown = name.slice(0, 64);
          throw svcError('SVC-VAL-001', {
            file,
            path: `${path}/${shown}`,
            rule: rule(['is not a known member', fr`n’est pas un membre connu`]),
          });
        }
      }
      return;
    }
    case 'array':
      if (!Array.isArray(value)) throw fail(rule(['must be a list', fr`doit être une liste`]));
      if (minItems !== undefined && value.length < Number(minItems))
        throw fail(rule(['must not be empty', fr`ne doit pas être vide`]));
      if (maxItems !== undefined && value.length > Number(maxItems))
        throw fail(
          rule(['must have at most {most} entries', fr`doit avoir au plus {most} entrées`], {
            most: maxItems,
          }),
        );
      value.forEach((item, i) => {
        checkValue(item, schema.items as Schema, `${path}/${i}`, file);
      });
      return;
    case 'string':
      if (typeof value !== 'string') throw fail(rule(['must be a string', fr`doit être un texte`]));
      if (minLength !== undefined && value.length < Number(minLength))
        throw fail(rule(['must not be empty', fr`ne doit pas être vide`]));
      if (maxLength !== undefined && value.length > Number(maxLength))
        throw fail(
          rule(['must have at most {most} characters', fr`doit avoir au plus {most} caractères`], {
            most: maxLength,
          }),
        );
      if (schema.pattern === digest.pattern && !isDigest(value))
        throw fail(rule(['must be a digest', fr`doit être une empreinte`]));
      break;
    case 'boolean':
      if (typeof value !== 'boolean')
        throw fail(rule(['must be true or false', fr`doit être true ou false`]));
      break;
    case 'integer':
      if (!Number.isSafeInteger(value))
        throw fail(rule(['must be a whole number', fr`doit être un nombre entier`]));
      if (minimum !== undefined && Number(value) < Number(minimum))
        throw fail(rule(['must be at least {minimum}', fr`doit valoir au moins {minimum}`], { minimum }));
      if (maximum !== undefined && Number(value) > Number(maximum))
        throw fail(rule(['must be at most {maximum}', fr`doit valoir au plus {maximum}`], { maximum }));
      break;
    default:
  }
  if (allowed !== undefined && !allowed.includes(value))
    throw fail(
      rule(['must be one of {allowed}', fr`doit être l’un de : {allowed}`], { allowed: allowed.join(', ') }),
    );
}

/** Validates a value against one of several schemas. @throws SVC-VAL-001 of the first of them when it fits none */
function checkChoices(value: unknown, choices: readonly Schema[], path: string, file: Rule | string): void {
  let first: unknown;
  for (const choice of choices)
    try {
      checkValue(value, choice, path, file);
      return;
    } catch (error) {
      first ??= error;
    }
  if (first !== undefined) throw first;
}
