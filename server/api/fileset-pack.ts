import { PackedFilesetAnswer } from '../../src/contract/fileset.ts';
import { filesetName, hostPath, tagText } from '../../src/contract/patterns.ts';
import { described, object, refusedAs } from '../../src/contract/schema.ts';
import { type ApiRoute, route } from './api-route.ts';
import { changing } from './openapi/error-codes.ts';

export const filesetPackRoutes: readonly ApiRoute[] = [
  route({
    id: 'packFileset',
    method: 'POST',
    path: '/filesets/pack',
    floor: 'admin',
    errors: [...changing, 'SVC-FIL-001', 'SVC-FIL-002', 'SVC-FIL-003', 'SVC-POL-002', 'SVC-POL-004'],
    summary: 'Packs a folder of the host below files.packRoots as a FileSet',
    audit: 'fileset.pack',
    body: {
      schema: object({
        source: described('Absolute path of the folder on the host', hostPath),
        name: refusedAs('SVC-FIL-001', filesetName),
        version: refusedAs('SVC-FIL-001', tagText),
      }),
      required: true,
      examples: {
        folder: {
          summary: 'Packs a folder as version 2026.07',
          value: { source: '/srv/packages/debian', name: 'debian', version: '2026.07' },
        },
      },
    },
    success: {
      status: 201,
      description: 'The packed FileSet, after it was stored',
      schema: PackedFilesetAnswer,
    },
    handler: async ({ operations, body, identity, exchange, signal, shown }) => {
      const fileset = await operations.packFileset({
        ...body,
        replaces: shown,
        actor: identity.actor,
        origin: exchange.origin,
        correlationId: exchange.correlationId,
        signal,
      });
      return { json: { fileset } };
    },
  }),
];
