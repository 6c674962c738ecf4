import * as api from '../../src/contract/operations/layouts.ts';
import type { ObjectOf } from '../../src/contract/schema.ts';
import { type ApiRoute, route } from './api-route.ts';
import { auditedRefusal, toRequester } from './audited.ts';

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
    json: await call.operations.previewLayoutExport(call.instance, {
      ...toRequest(call.body),
      output: call.body.output,
    }),
  })),
  route(
    api.exportLayout,
    async (call) => {
      const { output } = call.body;
      const request = { ...toRequest(call.body), output, ...toRequester(call) };
      const task = await auditedRefusal(call, 'layout.export', output, () =>
        call.operations.submitLayoutExport(call.instance, request),
      );
      return { json: { task } };
    },
    { audit: 'layout.export' },
  ),
  route(api.planLayoutImport, async (call) => ({
    json: await call.operations.previewLayoutImport(call.instance, call.body),
  })),
  route(
    api.importLayout,
    async (call) => {
      const task = await auditedRefusal(call, 'layout.import', call.body.input, () =>
        call.operations.submitLayoutImport(call.instance, { ...call.body, ...toRequester(call) }),
      );
      return { json: { task } };
    },
    { audit: 'layout.import' },
  ),
];
