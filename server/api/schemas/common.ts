import { errorCodes } from '../../../src/base/catalogue.ts';
import { contentKinds } from '../../../src/oci/kind.ts';
import { digest, integer, list, object, oneOf, type Schema, string } from '../schema.ts';

export const code: Schema = oneOf(...errorCodes);
export const params: Schema = {
  type: 'object',
  additionalProperties: {
    anyOf: [string, { type: 'number' }, list(string)],
  },
};
export const errorClass = oneOf('failure', 'policy', 'verification');
export const role: Schema = oneOf('viewer', 'operator', 'admin');
export const kind: Schema = oneOf(...contentKinds);
export const provenance = oneOf('recipe', 'import', 'push', 'vulnerability-database', 'local-pack');
export const contentStatus = oneOf('new', 'outdated', 'up-to-date');
export const taskStatus: Schema = oneOf('pending', 'running', 'done', 'failed');
export const strings = list(string);
export const pruneItem = object({
  repository: string,
  tag: string,
  digest,
  recipe: string,
  sizeBytes: integer,
  'restored?': digest,
});
