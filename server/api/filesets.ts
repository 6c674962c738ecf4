import * as api from '../../src/contract/operations/filesets.ts';
import { listFilesets } from '../views/filesets.ts';
import { type ApiRoute, route } from './api-route.ts';

export const filesetRoutes: readonly ApiRoute[] = [
  route(api.listFilesets, async (call) => ({ json: await listFilesets(call) })),
];
