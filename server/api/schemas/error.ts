import { integer, object, type Schema, string } from '../schema.ts';
import { code, errorClass, params } from './common.ts';

/** Errors. */
export const errorSchemas = {
  Problem: object({
    type: string,
    title: string,
    status: integer,
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
