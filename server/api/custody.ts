import * as api from '../../src/contract/operations/custody.ts';
import { showCustody } from '../../src/view/custody.ts';
import { type ApiRoute, route } from './api-route.ts';

export const custodyRoutes: readonly ApiRoute[] = [
  route(api.listCustody, async ({ instance, query }) => ({
    json: await showCustody(instance.context.config, query),
  })),
];
