import { PlanAnswer } from '../../src/contract/plan.ts';
import { boolean, described, object, string } from '../../src/contract/schema.ts';
import { showPlan } from '../views/plan.ts';
import { type ApiRoute, route } from './api-route.ts';
import { exampleRetriever } from './openapi/example-documents.ts';

export const planRoutes: readonly ApiRoute[] = [
  route({
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
    success: {
      status: 200,
      description: 'The plan, and the exit code that the same dry run would have',
      schema: PlanAnswer,
    },
    handler: async (call) => ({
      json: await showPlan(call, {
        ...call.body,
        holder: call.holder,
        signal: call.signal,
      }),
    }),
  }),
];
