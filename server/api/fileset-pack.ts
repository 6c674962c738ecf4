import { PackedFilesetAnswer } from '../../src/contract/fileset.ts';
import { filesetName, tagText } from '../../src/contract/patterns.ts';
import { described, object } from '../../src/contract/schema.ts';
import type { ApiRoute } from './api-route.ts';
import { changing } from './openapi/error-codes.ts';

const path = { type: 'string', minLength: 1, maxLength: 4096, pattern: '^/[^\\u0000]*$' };

export const filesetPackRoutes: readonly ApiRoute[] = [
  {
    id: 'packFileset',
    method: 'POST',
    path: '/filesets/pack',
    floor: 'admin',
    errors: [...changing, 'SVC-FIL-001', 'SVC-FIL-002', 'SVC-FIL-003', 'SVC-POL-002', 'SVC-POL-004'],
    summary: 'Packs a folder of the host below files.packRoots as a FileSet',
    audit: 'fileset.pack',
    body: {
      schema: object({
        source: described('Absolute path of the folder on the host', path),
        name: filesetName,
        version: tagText,
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
        source: String(body.source),
        name: String(body.name),
        version: String(body.version),
        replaces: shown,
        actor: identity.actor,
        origin: exchange.origin,
        correlationId: exchange.correlationId,
        signal,
      });
      return { json: { fileset } };
    },
  },
];
