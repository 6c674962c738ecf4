import { errorCodes } from '../text/errors/codes.ts';
import type { ErrorCode } from '../text/errors/registry.ts';
import { detailRules, rules } from './rule.ts';
import {
  anyOf,
  choice,
  component,
  described,
  list,
  object,
  oneOf,
  type Schema,
  string,
  type TypeOf,
  text,
  whole,
} from './schema.ts';

export const code = component('ErrorCode', described('Code of an error', oneOf<ErrorCode>(...errorCodes)));

const number: Schema<number> = { type: 'number' };
const parameters: Schema<Readonly<Record<string, string | number | readonly string[]>>> = {
  type: 'object',
  description: 'Values that the sentences of an error contain, by name',
  propertyNames: text({ pattern: '^[a-z][A-Za-z]*$' }),
  additionalProperties: anyOf(string, number, list(string)),
};
export const params = component('ErrorParameters', parameters);

export const errorClass = choice('Class of the error', {
  failure: 'something did not work',
  policy: 'a rule of this instance forbids it',
  verification: 'content does not have its digest, or a signature does not verify',
});

export const Problem = component(
  'Problem',
  object({
    type: text({
      format: 'uri-reference',
      pattern: '^/help#SVC-[A-Z]{3,4}-[0-9]{3}$',
      description: 'Page of this instance that explains the error',
    }),
    title: string,
    status: whole({ format: 'int32', minimum: 400, maximum: 599, description: 'Status of the answer' }),
    'detail?': string,
    code,
    class: errorClass,
    probable_cause: string,
    action: string,
    correlation_id: string,
    params,
    'rules?': rules,
    'detailRules?': detailRules,
  }),
);
export type Problem = TypeOf<typeof Problem>;
export const ErrorRecord = component(
  'ErrorRecord',
  object({
    code,
    class: errorClass,
    params,
    'detail?': string,
    'rules?': rules,
    'detailRules?': detailRules,
  }),
);
export type ErrorRecord = TypeOf<typeof ErrorRecord>;
