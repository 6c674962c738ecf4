import { showLayoutImportPlan, showLayoutPlan } from '../views/layout-plan.ts';
import type { ApiRoute } from './api-route.ts';
import { auditedRefusal } from './audited.ts';
import { boolean, closed, list, oneOf, ref, type Schema } from './schema.ts';

const path: Schema = { type: 'string', minLength: 1, maxLength: 4096, pattern: '^/[^\\u0000]*$' };
const repository: Schema = {
  type: 'string',
  pattern: '^[a-z0-9]+(?:[._/-]+[a-z0-9]+)*(?::[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?$',
};
const name: Schema = { type: 'string', minLength: 1, maxLength: 512 };
const selection = {
  'format?': oneOf('tar', 'directory'),
  'recipes?': list(name),
  'repositories?': list(name),
  'overwrite?': boolean,
};

/** Converts a validated request body; absent members get their defaults. */
const source = { input: path, 'repository?': repository };

function toRequest(body: Readonly<Record<string, unknown>>) {
  return {
    format: body.format === 'directory' ? 'directory' : 'tar',
    recipes: (body.recipes ?? []) as readonly string[],
    repositories: (body.repositories ?? []) as readonly string[],
    overwrite: body.overwrite === true,
  } as const;
}

export const layoutRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/oci-layout/plan',
    floor: 'admin',
    summary: 'Plans an export; with an output path, also checks whether it is writable',
    body: { schema: closed({ 'output?': path, ...selection }) },
    success: { status: 200, description: 'The plan', schema: ref('LayoutPlan') },
    handler: async (call) => ({
      json: await showLayoutPlan(call, {
        ...toRequest(call.body),
        output: call.body.output as string | undefined,
      }),
    }),
  },
  {
    method: 'POST',
    path: '/oci-layout/export',
    floor: 'admin',
    summary: 'Exports the store, or a part of it, as an OCI image layout on the host of the instance',
    audit: 'layout.export',
    body: { schema: closed({ output: path, ...selection }), required: true },
    success: { status: 201, description: 'The created task', schema: ref('TaskAnswer') },
    handler: async (call) => {
      const output = String(call.body.output);
      const request = {
        ...toRequest(call.body),
        output,
        actor: call.identity.actor,
        origin: call.exchange.origin,
      };
      const task = await auditedRefusal(call, 'layout.export', output, () =>
        call.operations.layout.submitExport(request),
      );
      return { json: { task } };
    },
  },
  {
    method: 'POST',
    path: '/oci-layout/import-plan',
    floor: 'admin',
    summary: 'Plans an import, entry by entry; verifies no content',
    body: { schema: closed(source), required: true },
    success: { status: 200, description: 'The plan', schema: ref('LayoutImportPlan') },
    handler: async (call) => ({
      json: await showLayoutImportPlan(call, {
        input: String(call.body.input),
        repository: call.body.repository as string | undefined,
      }),
    }),
  },
  {
    method: 'POST',
    path: '/oci-layout/import',
    floor: 'admin',
    summary: 'Imports an OCI image layout from the host of the instance',
    audit: 'layout.import',
    body: { schema: closed(source), required: true },
    success: { status: 201, description: 'The created task', schema: ref('TaskAnswer') },
    handler: async (call) => {
      const input = String(call.body.input);
      const repository = call.body.repository as string | undefined;
      const task = await auditedRefusal(call, 'layout.import', input, () =>
        call.operations.layout.submitImport({
          input,
          repository,
          actor: call.identity.actor,
          origin: call.exchange.origin,
        }),
      );
      return { json: { task } };
    },
  },
];
