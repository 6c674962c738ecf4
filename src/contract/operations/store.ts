import { operation } from '../operation.ts';
import { constant, described, digest, object, refusedAs } from '../schema.ts';
import { ResetPreview, ResetResult } from '../store.ts';
import { changing, reading } from './error-codes.ts';

const confirmation = refusedAs('SVC-STO-006', described('The word RESET, as it is', constant('RESET')));

export const previewReset = operation({
  id: 'previewReset',
  method: 'GET',
  path: '/store/reset-preview',
  floor: 'admin',
  errors: reading,
  summary: 'Previews the emptying of the store',
  answer: { status: 200, description: 'Content that would be removed', schema: ResetPreview },
});

export const resetStore = operation({
  id: 'resetStore',
  method: 'POST',
  path: '/store/reset',
  floor: 'admin',
  errors: [...changing, 'SVC-CUS-001', 'SVC-STO-006', 'SVC-TSK-003', 'SVC-MED-031', 'SVC-SRV-007'],
  summary: 'Empties the store; requires the exact word RESET',
  body: {
    schema: object({ confirmation, 'fingerprint?': digest }),
    required: true,
    examples: { reset: { summary: 'Empties the store', value: { confirmation: 'RESET' } } },
  },
  answer: { status: 200, description: 'The deleted content', schema: ResetResult },
});
