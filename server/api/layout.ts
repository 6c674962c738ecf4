import * as api from '../../src/contract/operations/layouts.ts';
import type { ObjectOf } from '../../src/contract/schema.ts';
import { showLayoutImportPlan, showLayoutPlan } from '../views/layout-plan.ts';
import { type ApiRoute, route } from './api-route.ts';
import { auditedRefusal } from './audited.ts';

/** Gives absent members their defaults. */
function toRequest({
  format = 'tar',
  recipes = [],
  repositories = [],
  overwrite = false,
}: ObjectOf<typeof api.selection>) {
  return { format, recipes, repositories, overwrite };
}

export const layoutRoutes: readonly ApiRoute[] = [
  route(api.planLayoutExport, async (call) => ({
    json: await showLayoutPlan(call, {
      ...toRequest(call.body),
      output: call.body.output,
    }),
  })),
  route(
    api.exportLayout,
    async (call) => {
      const { output } = call.body;
      const request = {
        ...toRequest(call.body),
        output,
        actor: call.identity.actor,
        origin: call.exchange.origin,
        requestId: call.exchange.correlationId,
      };
      const task = await auditedRefusal(call, 'layout.export', output, () =>
        call.operations.layout.submitExport(request),
      );
      return { json: { task } };
    },
    { audit: 'layout.export' },
  ),
  route(api.planLayoutImport, async (call) => ({
    json: await showLayoutImportPlan(call, call.body),
  })),
  route(
    api.importLayout,
    async (call) => {
      const task = await auditedRefusal(call, 'layout.import', call.body.input, () =>
        call.operations.layout.submitImport({
          ...call.body,
          actor: call.identity.actor,
          origin: call.exchange.origin,
          requestId: call.exchange.correlationId,
        }),
      );
      return { json: { task } };
    },
    { audit: 'layout.import' },
  ),
];
