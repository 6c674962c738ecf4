import { svcError } from '../../src/base/error.ts';
import type { ApiRoute } from './api-route.ts';
import { boolean, closed, ref, string } from './schema.ts';

const largestDocument = 4_194_304;

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
    handler: async ({ operations, body, identity, signal }) => {
      const document = body.document as string | undefined;
      if (document !== undefined && Buffer.byteLength(document) > largestDocument) {
        throw svcError('SVC-VAL-002', { limit: largestDocument, file: 'document' });
      }
      const skipDestination = body.skipDestination as boolean | undefined;
      return {
        json: await operations.plan({
          signal,
          actor: identity.actor,
          ...(document === undefined ? {} : { document }),
          ...(skipDestination === undefined ? {} : { skipDestination }),
        }),
      };
    },
  },
];
