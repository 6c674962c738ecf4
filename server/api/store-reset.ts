import { digest, object, type Schema } from '../../src/contract/schema.ts';
import { ResetPreview, ResetResult } from '../../src/contract/store.ts';
import { toResetAttempt } from '../../src/operation/reset-store.ts';
import { showResetPreview } from '../views/store-reset.ts';
import type { ApiRoute } from './api-route.ts';
import { changing, reading } from './openapi/error-codes.ts';

/** The operation checks the text and has its own error code; `checkValue` does not read `const`. */
const confirmation: Schema = { type: 'string', const: 'RESET', description: 'The word RESET, as it is' };

export const storeResetRoutes: readonly ApiRoute[] = [
  {
    id: 'previewReset',
    method: 'GET',
    path: '/store/reset-preview',
    floor: 'admin',
    errors: reading,
    summary: 'Previews the emptying of the store',
    success: { status: 200, description: 'What would be removed', schema: ResetPreview },
    handler: (call) => ({ json: showResetPreview(call) }),
  },
  {
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
        confirmation: String(body.confirmation),
        fingerprint: body.fingerprint as string | undefined,
        actor: identity.actor,
        origin: exchange.origin,
        correlationId: exchange.correlationId,
        unauthenticated: identity.via === 'disabled',
      }),
    }),
  },
];
