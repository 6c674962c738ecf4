import { field, operation } from '../operation.ts';
import { PlanAnswer } from '../plan.ts';
import { PrunePreview } from '../recipe.ts';
import { boolean, described, digest, object, string } from '../schema.ts';
import { SyncAnswer } from '../task.ts';
import { contacting, queueing, reading } from './error-codes.ts';
import { exampleRetriever } from './example-documents.ts';
import { taskSteps } from './next-steps.ts';

export const startSync = operation({
  id: 'startSync',
  method: 'POST',
  path: '/sync',
  floor: 'operator',
  errors: [
    ...queueing,
    ...contacting,
    ...reading,
    'SVC-CFG-001',
    'SVC-FIL-005',
    'SVC-POL-004',
    'SVC-SIG-001',
    'SVC-SRV-007',
  ],
  summary: 'Triggers a synchronization',
  headers: {
    Prefer: field(
      string,
      'With `wait=<seconds>` (RFC 7240), the answer waits for the preview of the prune, 10 seconds at most; otherwise 2 seconds, and 100 ms with a `fingerprint`',
      'wait=5',
    ),
  },
  body: {
    schema: object({
      'prune?': described(
        'Whether this run prunes; default: the setting of the instance, where mirror mode prunes nothing without a preview',
        boolean,
      ),
      'fingerprint?': digest,
    }),
    examples: {
      default: { summary: 'Synchronizes with the settings of the instance', value: {} },
      withoutPrune: { summary: 'Synchronizes and removes no tags', value: { prune: false } },
    },
  },
  answer: {
    status: 201,
    description: 'The created task, and the tags its prune would remove unless the request sets prune',
    schema: SyncAnswer,
    next: taskSteps,
  },
});

export const previewPrune = operation({
  id: 'previewPrune',
  method: 'GET',
  path: '/sync/prune-preview',
  floor: 'operator',
  errors: [...contacting, ...reading, 'SVC-CFG-001', 'SVC-FIL-005', 'SVC-POL-004', 'SVC-SIG-001'],
  summary: 'Previews a prune',
  answer: { status: 200, description: 'The projected removal', schema: PrunePreview },
});

export const planSync = operation({
  id: 'planSync',
  method: 'POST',
  path: '/plan',
  floor: 'operator',
  errors: [],
  summary: 'Plans a synchronization without side effects',
  body: {
    schema: object({
      'document?': described(
        'Retriever document (YAML), at most 4 MiB, to plan with instead of the configured one',
        string,
      ),
      'skipDestination?': boolean,
    }),
    limit: 16_777_216,
    examples: {
      configured: { summary: 'Plans with the configured Retriever', value: {} },
      document: {
        summary: 'Plans with another Retriever document, without looking at the destination',
        value: { document: exampleRetriever, skipDestination: true },
      },
    },
  },
  answer: {
    status: 200,
    description: 'The plan, and the exit code that the same dry run would have',
    schema: PlanAnswer,
  },
});
