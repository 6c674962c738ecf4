import type { ApiRoute } from './api-route.ts';
import { closed, ref } from './schema.ts';

const path = { type: 'string', minLength: 1, maxLength: 4096, pattern: '^/[^\\u0000]*$' };
const text = { type: 'string', minLength: 1, maxLength: 4096 };

export const filesetPackRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/filesets/pack',
    floor: 'admin',
    summary: 'Packs a folder of the host below files.packRoots as a FileSet',
    audit: 'fileset.pack',
    body: { schema: closed({ source: path, name: text, version: text }), required: true },
    success: {
      status: 201,
      description: 'The packed FileSet, after it was stored',
      schema: ref('PackedFilesetAnswer'),
    },
    handler: async ({ operations, body, identity, exchange, signal }) => {
      const fileset = await operations.packFileset({
        source: String(body.source),
        name: String(body.name),
        version: String(body.version),
        actor: identity.actor,
        origin: exchange.origin,
        correlationId: exchange.correlationId,
        signal,
      });
      return { json: { fileset } };
    },
  },
];
