import * as api from '../../src/contract/operations/zones.ts';
import { listZones, showZone } from '../views/zones.ts';
import { type ApiRoute, route } from './api-route.ts';

export const zoneRoutes: readonly ApiRoute[] = [
  route(api.listZones, async (call) => ({ json: await listZones(call, call.query) })),
  route(api.getZone, async (call) => ({ json: await showZone(call, call.path.zone) })),
];
