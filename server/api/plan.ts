import { showPlan } from '../views/plan.ts';
import type { ApiRoute } from './api-route.ts';
import { boolean, closed, ref, string } from './schema.ts';

export const planRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/plan',
    floor: 'operator',
    summary: 'Plans a synchronization without side effects',
    body: {
      schema: closed({ 'document?': string, 'skipDestination?': boolean }),
      limit: 16_777_216,
    },
    success: {
      status: 200,
      description: 'The plan, and the exit code that the same dry run would have',
      schema: ref('PlanAnswer'),
    },
    handler: async (call) => ({
      json: await showPlan(call, {
        document: call.body.document as string | undefined,
        skipDestination: call.body.skipDestination as boolean | undefined,
        actor: call.identity.actor,
        signal: call.signal,
      }),
    }),
  },
];
