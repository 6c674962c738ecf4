import { errorCodes } from '../text/errors/registry.ts';
import { code, errorClass, params } from './common.ts';
import { described, list, object, oneOf, ref, type Schema, string } from './schema.ts';

const rules = described('Parameters that are texts of the program, in both languages', {
  type: 'object',
  additionalProperties: ref('Rule'),
});
const detailRules = described(
  'Lines of the detail that are texts of the program, in both languages',
  list(ref('Rule')),
);

/** Errors. */
export const errorSchemas = {
  ErrorCode: described('Code of an error', oneOf(...errorCodes)),
  ErrorParameters: {
    type: 'object',
    description: 'Values that the sentences of an error contain, by name',
    propertyNames: { type: 'string', pattern: '^[a-z][A-Za-z]*$' },
    additionalProperties: { anyOf: [string, { type: 'number' }, list(string)] },
  },
  Problem: object({
    type: {
      type: 'string',
      format: 'uri-reference',
      pattern: '^/help#SVC-[A-Z]{3,4}-[0-9]{3}$',
      description: 'Page of this instance that explains the error',
    },
    title: string,
    status: {
      type: 'integer',
      format: 'int32',
      minimum: 400,
      maximum: 599,
      description: 'Status of the answer',
    },
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
  ErrorRecord: object({
    code,
    class: errorClass,
    params,
    'detail?': string,
    'rules?': rules,
    'detailRules?': detailRules,
  }),
  Rule: object({
    rule: described('Sentence in English and in French, with its placeholders in braces', {
      ...list(string),
      minItems: 2,
      maxItems: 2,
    }),
    values: described('Values of the placeholders', {
      type: 'object',
      additionalProperties: {
        anyOf: [string, { type: 'number' }, { type: 'object', additionalProperties: {} }],
      },
    }),
  }),
} satisfies Record<string, Schema>;
