import * as api from '../../src/contract/operations/imports.ts';
import { withoutCredentials } from '../../src/oci/reference.ts';
import { showInspection } from '../views/inspection.ts';
import { type ApiRoute, route } from './api-route.ts';
import { audited, toRequester, toTaskDetails } from './audited.ts';

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
      const { body, instance, operations } = call;
      const { reference: asked, platforms, vendorDependencies = false } = body;
      const task = await audited(
        call,
        'import.create',
        withoutCredentials(asked),
        () =>
          operations.submitImport(instance, {
            reference: asked,
            platforms,
            vendorDependencies,
            replaces: call.shown,
            ...toRequester(call),
          }),
        { vendorDependencies, digests: platforms.slice(0, maxAuditedDigests).map((chosen) => chosen.digest) },
        toTaskDetails,
      );
      return { json: { task } };
    },
    { audit: 'import.create' },
  ),
];
