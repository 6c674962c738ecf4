import { listFilesets } from '../views/filesets.ts';
import type { ApiRoute } from './api-route.ts';
import { ref } from './schema.ts';

export const filesetRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/filesets',
    floor: 'viewer',
    summary: 'FileSets of the store, served or not',
    success: { status: 200, description: 'The FileSets', schema: ref('FilesetList') },
    handler: async (call) => ({ json: await listFilesets(call) }),
  },
];
