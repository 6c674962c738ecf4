import * as api from '../../src/contract/operations/filesets.ts';
import { sendFilesetFile } from '../files/send-fileset-file.ts';
import { listFilesetFiles, filesetPatience as patience } from '../views/fileset-files.ts';
import { listFilesets } from '../views/filesets.ts';
import { type ApiRoute, route } from './api-route.ts';

export const filesetRoutes: readonly ApiRoute[] = [
  route(api.listFilesets, async (call) => ({ json: await listFilesets(call, call.query) })),
];

/** A path in a FileSet may look like that of another route: these come first. */
export const filesetFileRoutes: readonly ApiRoute[] = [
  route(api.getFilesetFile, async (call) => {
    await sendFilesetFile(call, call.path, call.query.platform);
    return { sent: true };
  }),
  route(api.listFilesetFiles, async (call) => {
    const { repo: repository, tag } = call.path;
    const { platform } = call.query;
    return { json: await listFilesetFiles(call, { repository, tag, platform, patience }, call.query) };
  }),
];
