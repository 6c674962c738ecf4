import { Identity, Status } from '../../src/contract/status.ts';
import { showIdentity, showStatus } from '../views/status.ts';
import { type ApiRoute, route } from './api-route.ts';

export const statusRoutes: readonly ApiRoute[] = [
  route({
    id: 'getIdentity',
    method: 'GET',
    path: '/whoami',
    floor: 'viewer',
    errors: [],
    summary: 'Account or token of the request, its role, and when its session ends',
    success: { status: 200, description: 'The identity', schema: Identity },
    handler: ({ identity, authenticator, exchange }) => ({
      json: showIdentity(identity, {
        sessionLeft: authenticator?.sessionLeft(exchange.req.headers.cookie) ?? 0,
      }),
    }),
  }),
  route({
    id: 'getStatus',
    method: 'GET',
    path: '/status',
    floor: 'viewer',
    errors: [],
    polled: true,
    summary: 'State of the instance: version, mode, gate, occupancy, tasks, notices',
    success: { status: 200, description: 'The state', schema: Status },
    handler: async (call) => ({ json: await showStatus(call, call.identity) }),
  }),
];
