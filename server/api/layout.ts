import { layoutFormat } from '../../src/contract/common.ts';
import { LayoutImportPlan, LayoutPlan } from '../../src/contract/layout.ts';
import { hostPath } from '../../src/contract/patterns.ts';
import {
  boolean,
  described,
  digest,
  list,
  type ObjectOf,
  object,
  refusedAs,
  text,
} from '../../src/contract/schema.ts';
import { TaskAnswer } from '../../src/contract/task.ts';
import { showLayoutImportPlan, showLayoutPlan } from '../views/layout-plan.ts';
import { type ApiRoute, route } from './api-route.ts';
import { auditedRefusal } from './audited.ts';
import { taskSteps } from './next-steps.ts';
import { queueing, reading, showing } from './openapi/error-codes.ts';

const repository = refusedAs(
  'SVC-REG-001',
  text({ pattern: '^[a-z0-9]+(?:[._/-]+[a-z0-9]+)*(?::[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?$' }),
);
const name = text({ minLength: 1, maxLength: 512 });

const sourceExamples = {
  layout: {
    summary: 'Imports under the references of the layout',
    value: { input: '/srv/transfer/app.tar' },
  },
  repository: {
    summary: 'Imports under another name',
    value: { input: '/srv/transfer/app.tar', repository: 'team/imported:1.4.2' },
  },
};
const selection = {
  'format?': { ...layoutFormat, default: 'tar' },
  'recipes?': described('Names of recipes, each with its content; default: everything', list(name)),
  'repositories?': described('Repositories, or `repository:tag`; default: everything', list(name)),
  'overwrite?': boolean,
};

/** Codes of an import and of its plan. */
const importing = [
  ...reading,
  'SVC-FIL-003',
  'SVC-FIL-005',
  'SVC-LAY-001',
  'SVC-LAY-002',
  'SVC-MED-030',
  'SVC-REG-001',
  'SVC-REG-005',
  'SVC-REG-007',
  'SVC-REG-009',
] as const;

const source = {
  input: hostPath,
  'repository?': described('Repository, with a tag where the layout has one entry', repository),
};

/** Gives absent members their defaults. */
function toRequest({
  format = 'tar',
  recipes = [],
  repositories = [],
  overwrite = false,
}: ObjectOf<typeof selection>) {
  return { format, recipes, repositories, overwrite };
}

export const layoutRoutes: readonly ApiRoute[] = [
  route({
    id: 'planLayoutExport',
    method: 'POST',
    path: '/oci-layout/plan',
    floor: 'admin',
    errors: [...showing, 'SVC-FIL-003', 'SVC-FIL-005', 'SVC-LAY-003', 'SVC-STO-004', 'SVC-STO-005'],
    summary: 'Plans an export; with an output path, also checks whether it is writable',
    body: {
      schema: object({ 'output?': hostPath, ...selection }),
      examples: {
        everything: { summary: 'Plans an export of the store', value: {} },
        repository: {
          summary: 'Plans an export of one repository, and checks the output path',
          value: { output: '/srv/transfer/app.tar', repositories: ['team/app'] },
        },
      },
    },
    success: { status: 200, description: 'The plan', schema: LayoutPlan },
    handler: async (call) => ({
      json: await showLayoutPlan(call, {
        ...toRequest(call.body),
        output: call.body.output,
      }),
    }),
  }),
  route({
    id: 'exportLayout',
    method: 'POST',
    path: '/oci-layout/export',
    floor: 'admin',
    errors: [
      ...queueing,
      'SVC-FIL-003',
      'SVC-FIL-005',
      'SVC-LAY-003',
      'SVC-MED-030',
      'SVC-MED-032',
      'SVC-STO-001',
    ],
    summary: 'Exports the store, or a part of it, as an OCI image layout on the host of the instance',
    audit: 'layout.export',
    body: {
      schema: object({ output: hostPath, ...selection }),
      required: true,
      examples: {
        archive: {
          summary: 'Exports one repository as an archive',
          value: {
            output: '/srv/transfer/app.tar',
            format: 'tar',
            repositories: ['team/app'],
            overwrite: true,
          },
        },
      },
    },
    success: { status: 201, description: 'The created task', schema: TaskAnswer, next: taskSteps },
    handler: async (call) => {
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
  }),
  route({
    id: 'planLayoutImport',
    method: 'POST',
    path: '/oci-layout/import-plan',
    floor: 'admin',
    errors: importing,
    summary: 'Plans an import, entry by entry; verifies no content',
    body: { schema: object(source), required: true, examples: sourceExamples },
    success: { status: 200, description: 'The plan', schema: LayoutImportPlan },
    handler: async (call) => ({
      json: await showLayoutImportPlan(call, call.body),
    }),
  }),
  route({
    id: 'importLayout',
    method: 'POST',
    path: '/oci-layout/import',
    floor: 'admin',
    errors: [...queueing, ...importing, 'SVC-SRV-007'],
    summary: 'Imports an OCI image layout from the host of the instance',
    audit: 'layout.import',
    body: { schema: object({ ...source, 'fingerprint?': digest }), required: true, examples: sourceExamples },
    success: { status: 201, description: 'The created task', schema: TaskAnswer, next: taskSteps },
    handler: async (call) => {
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
  }),
];
