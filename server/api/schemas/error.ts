import { errorCodes } from '../../../src/text/errors/registry.ts';
import { described, list, object, oneOf, type Schema, string } from '../schema.ts';
import { code, errorClass, params } from './common.ts';

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
  }),
  ErrorRecord: object({ code, class: errorClass, params, 'detail?': string }),
} satisfies Record<string, Schema>;
