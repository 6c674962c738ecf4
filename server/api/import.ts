import * as api from '../../src/contract/operations/imports.ts';
import { withoutCredentials } from '../../src/oci/reference.ts';
import { showInspection } from '../views/inspection.ts';
import { type ApiRoute, route } from './api-route.ts';
import { audited, toTaskDetails } from './audited.ts';

/** Maximum number of digests in an audit record. */
const maxAuditedDigests = 100;

export const importRoutes: readonly ApiRoute[] = [
  route(api.inspectArtifact, async (call) => ({
    json: await showInspection(call, {
      reference: call.query.reference,
      holder: call.holder,
      signal: call.signal,
    }),
  })),
  route(
    api.importArtifact,
    async (call) => {
      const { body, identity, exchange, operations } = call;
      const { reference: asked, platforms, vendorDependencies = false } = body;
      const task = await audited(
        call,
        'import.create',
        withoutCredentials(asked),
        () =>
          operations.submitImport({
            reference: asked,
            platforms,
            vendorDependencies,
            replaces: call.shown,
            actor: identity.actor,
            rank: call.holder.rank,
            origin: exchange.origin,
            requestId: exchange.correlationId,
          }),
        { vendorDependencies, digests: platforms.slice(0, maxAuditedDigests).map((chosen) => chosen.digest) },
        toTaskDetails,
      );
      return { json: { task } };
    },
    { audit: 'import.create' },
  ),
];
