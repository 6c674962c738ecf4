import * as api from '../../src/contract/operations/status.ts';
import { showIdentity, showStatus } from '../views/status.ts';
import { type ApiRoute, route } from './api-route.ts';

export const statusRoutes: readonly ApiRoute[] = [
  route(api.getIdentity, ({ identity, authenticator, exchange }) => ({
    json: showIdentity(identity, {
      sessionLeft: authenticator?.sessionLeft(exchange.req.headers.cookie) ?? 0,
    }),
  })),
  route(api.getStatus, async (call) => ({ json: await showStatus(call, call.identity) })),
];
