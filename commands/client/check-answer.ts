import { checkValue } from '../../src/contract/check-value.ts';
import { digest, inline, type Schema } from '../../src/contract/schema.ts';
import { Status } from '../../src/contract/status.ts';
import { isSvcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';
import { textParam } from '../../src/text/text-param.ts';

/** Members that an older instance does not have, by the schema of the answer. */
const later = new Map<Schema, readonly string[]>([[Status, ['unimported']]]);

const opened = new WeakMap<Schema, Schema>();

/** The schema of an answer, open to instances of another version: more members and more values of a list. */
function openSchema(schema: Schema): Schema {
  const known = opened.get(schema);
  if (known !== undefined) return known;
  const widened = withoutValues(inline(schema)) as Schema;
  const absent = later.get(schema);
  const open =
    absent === undefined
      ? widened
      : { ...widened, required: widened.required?.filter((member) => !absent.includes(member)) };
  opened.set(schema, open);
  return open;
}

/** One line without control characters: values that are printed as they are, such as an identifier or a code. */
const oneLine = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** Keywords that restrict texts to those that this version knows. Members of these names have schemas as values. */
const isNarrow = (key: string, value: unknown): boolean =>
  (key === 'enum' && Array.isArray(value)) ||
  (key === 'format' && typeof value === 'string') ||
  (key === 'pattern' && typeof value === 'string' && value !== digest.pattern);

/** Maps, such as the parameters of an error, of which another version has other values. */
const isOfMap = (key: string, value: unknown): boolean =>
  (key === 'additionalProperties' || key === 'propertyNames') && typeof value === 'object';

/** Replaces the keywords that another version may have widened. */
function withoutValues(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutValues);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (isNarrow(key, value)) return [['pattern', oneLine]];
      return isOfMap(key, value) ? [] : [[key, withoutValues(value)]];
    }),
  );
}

/**
 * Finds a fault of an answer that no instance has. Commands use members as their types declare them, and the peer is
 * untrusted.
 *
 * @returns the member and the rule that it breaks, as in `/recipes/0/name must be a string`; undefined for a sound answer
 */
export function findAnswerFault(answer: unknown, schema: Schema): Rule | undefined {
  try {
    checkValue(answer, openSchema(schema), '', 'answer');
    return undefined;
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-001')) throw error;
    return rule(['{path} {broken}', fr`{path} {broken}`], {
      path: String(error.params.path).slice(0, 256),
      broken: textParam(error, 'rule'),
    });
  }
}
