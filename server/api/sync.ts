import type { ApiRoute } from './api-route.ts';
import { audited } from './audited.ts';
import { boolean, closed, ref } from './schema.ts';

export const syncRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/sync',
    floor: 'operator',
    summary: 'Triggers a synchronization',
    body: { schema: closed({ 'prune?': boolean }) },
    success: { status: 201, description: 'The created task', schema: ref('TaskAnswer') },
    handler: async (call) => {
      const prune = call.body.prune as boolean | undefined;
      const task = await audited(
        call,
        'sync.create',
        undefined,
        () =>
          call.operations.submitSync({
            actor: call.identity.actor,
            ...(prune === undefined ? {} : { prune }),
          }),
        prune === undefined ? {} : { prune },
      );
      return { json: { task } };
    },
  },
  {
    method: 'GET',
    path: '/sync/prune-preview',
    floor: 'operator',
    summary: 'What a prune would remove now',
    success: { status: 200, description: 'The projected removal', schema: ref('PrunePreview') },
    handler: async ({ operations }) => ({ json: await operations.prunePreview() }),
  },
];
