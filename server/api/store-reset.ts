import type { ApiRoute } from './api-route.ts';
import { closed, ref, string } from './schema.ts';

export const storeResetRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/store/reset',
    floor: 'admin',
    summary: 'Empties the store; asks for the exact word RESET',
    audit: 'store.reset',
    body: { schema: closed({ confirmation: string }), required: true },
    success: { status: 200, description: 'What is gone', schema: ref('ResetResult') },
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
