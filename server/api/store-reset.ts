import { constant, described, digest, object, refusedAs } from '../../src/contract/schema.ts';
import { ResetPreview, ResetResult } from '../../src/contract/store.ts';
import { toResetAttempt } from '../../src/operation/reset-store.ts';
import { showResetPreview } from '../views/store-reset.ts';
import { type ApiRoute, route } from './api-route.ts';
import { changing, reading } from './openapi/error-codes.ts';

const confirmation = refusedAs('SVC-STO-006', described('The word RESET, as it is', constant('RESET')));

export const storeResetRoutes: readonly ApiRoute[] = [
  route({
    id: 'previewReset',
    method: 'GET',
    path: '/store/reset-preview',
    floor: 'admin',
    errors: reading,
    summary: 'Previews the emptying of the store',
    success: { status: 200, description: 'What would be removed', schema: ResetPreview },
    handler: (call) => ({ json: showResetPreview(call) }),
  }),
  route({
    id: 'resetStore',
    method: 'POST',
    path: '/store/reset',
    floor: 'admin',
    errors: [...changing, 'SVC-STO-006', 'SVC-TSK-003', 'SVC-MED-031', 'SVC-SRV-007'],
    summary: 'Empties the store; requires the exact word RESET',
    audit: 'store.reset',
    describeAttempt: ({ store }, { via }) => toResetAttempt(store, via === 'disabled'),
    body: {
      schema: object({ confirmation, 'fingerprint?': digest }),
      required: true,
      examples: { reset: { summary: 'Empties the store', value: { confirmation: 'RESET' } } },
    },
    success: { status: 200, description: 'The deleted content', schema: ResetResult },
    handler: async ({ operations, body, identity, exchange }) => ({
      json: await operations.resetStore({
        ...body,
        actor: identity.actor,
        origin: exchange.origin,
        correlationId: exchange.correlationId,
        unauthenticated: identity.via === 'disabled',
      }),
    }),
  }),
];
