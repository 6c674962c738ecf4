import * as api from '../../src/contract/operations/filesets.ts';
import { type ApiRoute, route } from './api-route.ts';

export const filesetPackRoutes: readonly ApiRoute[] = [
  route(
    api.packFileset,
    async ({ instance, operations, body, identity, exchange, signal, shown }) => {
      const fileset = await operations.packBelowRoots(instance, {
        ...body,
        replaces: shown,
        actor: identity.actor,
        origin: exchange.origin,
        correlationId: exchange.correlationId,
        signal,
      });
      return { json: { fileset } };
    },
    { audit: 'fileset.pack' },
  ),
];
