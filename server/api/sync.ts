import { showPrunePreview } from '../views/plan.ts';
import type { ApiRoute } from './api-route.ts';
import { audited, toTaskDetails } from './audited.ts';
import { taskSteps } from './next-steps.ts';
import { contacting, queueing, reading } from './openapi/error-codes.ts';
import { boolean, described, digest, object, ref } from './schema.ts';

export const syncRoutes: readonly ApiRoute[] = [
  {
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
    audit: 'sync.create',
    body: {
      schema: object({
        'prune?': described('Whether this run prunes; default: the setting of the instance', boolean),
        'fingerprint?': digest,
      }),
      examples: {
        default: { summary: 'Synchronizes with the settings of the instance', value: {} },
        withoutPrune: { summary: 'Synchronizes and removes no tags', value: { prune: false } },
      },
    },
    success: {
      status: 201,
      description: 'The created task, and the tags its prune would remove unless the request sets prune',
      schema: ref('SyncAnswer'),
      next: taskSteps,
    },
    handler: async (call) => {
      const prune = call.body.prune as boolean | undefined;
      const fingerprint = call.body.fingerprint as string | undefined;
      const prunePreview = prune === undefined ? await call.operations.projectPrune() : undefined;
      const task = await audited(
        call,
        'sync.create',
        call.operations.retriever().source,
        () =>
          call.operations.submitSync({
            actor: call.identity.actor,
            origin: call.exchange.origin,
            ...(prune === undefined ? {} : { prune }),
            fingerprint,
          }),
        {},
        (created) => ({
          ...toTaskDetails(created),
          ...(created.prune === undefined ? {} : { prune: created.prune }),
        }),
      );
      return { json: { task, ...(prunePreview === undefined ? {} : { prunePreview }) } };
    },
  },
  {
    id: 'previewPrune',
    method: 'GET',
    path: '/sync/prune-preview',
    floor: 'operator',
    errors: [...contacting, ...reading, 'SVC-CFG-001', 'SVC-FIL-005', 'SVC-POL-004', 'SVC-SIG-001'],
    summary: 'Previews a prune',
    success: { status: 200, description: 'The projected removal', schema: ref('PrunePreview') },
    handler: async (call) => ({ json: await showPrunePreview(call) }),
  },
];
