import { FilesetList } from '../../src/contract/fileset.ts';
import { listFilesets } from '../views/filesets.ts';
import { type ApiRoute, route } from './api-route.ts';
import { reading } from './openapi/error-codes.ts';

export const filesetRoutes: readonly ApiRoute[] = [
  route({
    id: 'listFilesets',
    method: 'GET',
    path: '/filesets',
    floor: 'viewer',
    errors: reading,
    summary: 'FileSets of the store, served or not',
    success: { status: 200, description: 'The FileSets', schema: FilesetList },
    handler: async (call) => ({ json: await listFilesets(call) }),
  }),
];
