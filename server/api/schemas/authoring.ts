import { choice, described, digest, integer, list, object, ref, type Schema, string } from '../schema.ts';
import { kind, strings } from './common.ts';

const line = described('Line of the document, from 1', integer);

/** Report of a pin, without the document. */
export const pinReport: Readonly<Record<string, Schema>> = {
  name: string,
  version: described('Version of the recipe in the result', string),
  outcome: choice('Outcome of a pin', {
    unchanged: 'everything is pinned already',
    changed: 'the result differs from the draft',
    failed: 'an ingredient could not be pinned, and there is no result',
  }),
  ingredients: described('Number of ingredients', integer),
  changes: described(
    'Ingredients that change',
    list(
      object({
        name: string,
        kind,
        ref: string,
        from: described('As the draft has it', object({ version: string, 'digest?': digest })),
        to: described('As the result has it', object({ version: string, digest })),
        'platforms?': described('Platforms that are added, where the draft named none', strings),
      }),
    ),
  ),
  problems: described(
    'Ingredients that could not be pinned',
    list(
      object({
        name: string,
        path: described('Path of the ingredient in the document', string),
        'line?': line,
        error: ref('ErrorRecord'),
      }),
    ),
  ),
};
