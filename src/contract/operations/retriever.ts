import { operation } from '../operation.ts';
import { durationText } from '../patterns.ts';
import { Interval, Retriever } from '../recipe.ts';
import { described, digest, object } from '../schema.ts';
import { writing } from './error-codes.ts';
import { exampleFingerprint } from './example-documents.ts';

export const getRetriever = operation({
  id: 'getRetriever',
  method: 'GET',
  path: '/retriever',
  floor: 'admin',
  errors: [],
  summary:
    'Source, substitutions, relaxed trust scopes, effective interval, occupancy, background check of the store',
  answer: { status: 200, description: 'The record', schema: Retriever },
});

export const setSyncInterval = operation({
  id: 'setSyncInterval',
  method: 'PUT',
  path: '/retriever/interval',
  floor: 'admin',
  errors: [...writing, 'SVC-CFG-001'],
  summary: 'Overrides the interval; survives restarts',
  body: {
    schema: object({
      interval: described('0, or a duration of at least a minute', durationText),
    }),
    required: true,
    examples: {
      hourly: { summary: 'Synchronizes each hour', value: { interval: '1h' } },
      manual: { summary: 'Stops the loop', value: { interval: '0' } },
    },
  },
  answer: {
    status: 200,
    description: 'The interval now',
    schema: object({ interval: Interval }),
  },
});

export const resetSyncInterval = operation({
  id: 'resetSyncInterval',
  method: 'DELETE',
  path: '/retriever/interval',
  floor: 'admin',
  errors: [...writing, 'SVC-CFG-001', 'SVC-SRV-007'],
  summary: 'Returns to the configured interval',
  body: {
    schema: object({ 'fingerprint?': digest }),
    examples: {
      now: { summary: 'Removes the override', value: {} },
      shown: { summary: 'Removes the override that was shown', value: { fingerprint: exampleFingerprint } },
    },
  },
  answer: { status: 204, description: 'The override was removed' },
});
