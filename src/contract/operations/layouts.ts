import { layoutFormat } from '../common.ts';
import { LayoutImportPlan, LayoutPlan } from '../layout.ts';
import { operation } from '../operation.ts';
import { hostPath } from '../patterns.ts';
import { boolean, described, digest, list, object, refusedAs, text } from '../schema.ts';
import { TaskAnswer } from '../task.ts';
import { queueing, reading, showing } from './error-codes.ts';
import { taskSteps } from './next-steps.ts';

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
/** Members of a request that select content of the store, and how to write it. */
export const selection = {
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

export const planLayoutExport = operation({
  id: 'planLayoutExport',
  method: 'POST',
  path: '/oci-layout/plan',
  floor: 'admin',
  errors: [
    ...showing,
    'SVC-FIL-003',
    'SVC-FIL-005',
    'SVC-LAY-003',
    'SVC-STO-002',
    'SVC-STO-004',
    'SVC-STO-005',
  ],
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
  answer: { status: 200, description: 'The plan', schema: LayoutPlan },
});

export const exportLayout = operation({
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
  answer: { status: 201, description: 'The created task', schema: TaskAnswer, next: taskSteps },
});

export const planLayoutImport = operation({
  id: 'planLayoutImport',
  method: 'POST',
  path: '/oci-layout/import-plan',
  floor: 'admin',
  errors: importing,
  summary: 'Plans an import, entry by entry; verifies no content',
  body: { schema: object(source), required: true, examples: sourceExamples },
  answer: { status: 200, description: 'The plan', schema: LayoutImportPlan },
});

export const importLayout = operation({
  id: 'importLayout',
  method: 'POST',
  path: '/oci-layout/import',
  floor: 'admin',
  errors: [...queueing, ...importing, 'SVC-SRV-007'],
  summary: 'Imports an OCI image layout from the host of the instance',
  body: { schema: object({ ...source, 'fingerprint?': digest }), required: true, examples: sourceExamples },
  answer: { status: 201, description: 'The created task', schema: TaskAnswer, next: taskSteps },
});
