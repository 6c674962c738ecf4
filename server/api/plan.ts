import * as api from '../../src/contract/operations/sync.ts';
import { showPlan } from '../views/plan.ts';
import { type ApiRoute, route } from './api-route.ts';

export const planRoutes: readonly ApiRoute[] = [
  route(api.planSync, async (call) => ({
    json: await showPlan(call, {
      ...call.body,
      holder: call.holder,
      signal: call.signal,
    }),
  })),
];
