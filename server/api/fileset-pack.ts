import type { ApiRoute } from './api-route.ts';
import { closed, ref } from './schema.ts';

const text = { type: 'string', minLength: 1, maxLength: 4096 };

export const filesetPackRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/filesets/pack',
    floor: 'admin',
    summary: 'Packs a folder of the machine below files.packRoots as a FileSet',
    body: { schema: closed({ source: text, name: text, version: text }), required: true },
    success: {
      status: 201,
      description: 'What was packed; the answer comes when it is stored',
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
