import * as api from '../../src/contract/operations/store.ts';
import { openCustody } from '../../src/operation/custody/open-custody.ts';
import { toResetAttempt } from '../../src/operation/reset-store.ts';
import { showResetPreview } from '../views/store-reset.ts';
import { type ApiRoute, route } from './api-route.ts';

export const storeResetRoutes: readonly ApiRoute[] = [
  route(api.previewReset, (call) => ({ json: showResetPreview(call) })),
  route(
    api.resetStore,
    async ({ instance, operations, body, identity, exchange }) => ({
      json: await operations.resetStore(
        {
          ...instance,
          report: instance.context.report,
          custody: openCustody(instance.context.config, instance.context.policy),
        },
        {
          ...body,
          actor: identity.actor,
          origin: exchange.origin,
          correlationId: exchange.correlationId,
          unauthenticated: identity.via === 'disabled',
        },
      ),
    }),
    {
      audit: 'store.reset',
      describeAttempt: ({ store }, { via }) => toResetAttempt(store, via === 'disabled'),
    },
  ),
];
