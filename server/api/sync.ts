import { showPrunePreview } from '../views/plan.ts';
import type { ApiRoute } from './api-route.ts';
import { audited, toTaskDetails } from './audited.ts';
import { boolean, closed, ref } from './schema.ts';

export const syncRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/sync',
    floor: 'operator',
    summary: 'Triggers a synchronization',
    audit: 'sync.create',
    body: { schema: closed({ 'prune?': boolean }) },
    success: {
      status: 201,
      description: 'The created task, and the tags its prune would remove unless the request sets prune',
      schema: ref('SyncAnswer'),
    },
    handler: async (call) => {
      const prune = call.body.prune as boolean | undefined;
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
    method: 'GET',
    path: '/sync/prune-preview',
    floor: 'operator',
    summary: 'Previews a prune',
    success: { status: 200, description: 'The projected removal', schema: ref('PrunePreview') },
    handler: async (call) => ({ json: await showPrunePreview(call) }),
  },
];
