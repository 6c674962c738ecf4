import type { ApiRoute } from './api-route.ts';
import { closed, ref, type Schema } from './schema.ts';

/** The operation checks the text and has its own error code; `checkValue` does not read `const`. */
const confirmation: Schema = { type: 'string', const: 'RESET' };

export const storeResetRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/store/reset',
    floor: 'admin',
    summary: 'Empties the store; requires the exact word RESET',
    audit: 'store.reset',
    body: { schema: closed({ confirmation }), required: true },
    success: { status: 200, description: 'The deleted content', schema: ref('ResetResult') },
    handler: async ({ operations, body, identity, exchange }) => ({
      json: await operations.resetStore({
        confirmation: String(body.confirmation),
        actor: identity.actor,
        origin: exchange.origin,
        correlationId: exchange.correlationId,
        unauthenticated: identity.via === 'disabled',
      }),
    }),
  },
];
