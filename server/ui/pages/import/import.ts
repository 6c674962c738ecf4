import { importArtifact, inspectArtifact } from '../../../../src/contract/operations/imports.ts';
import { imports } from '../../../../src/text/words/imports.ts';
import { fieldOf } from '../../read-form.ts';
import { toPath } from '../../to-href.ts';
import { action, type UiRoute } from '../../ui-route.ts';
import { showImport, toImportPage } from './show.ts';

export const importPages: readonly UiRoute[] = [
  { method: 'GET', path: '/import', floor: 'operator', title: imports.title, page: showImport },
  action(inspectArtifact, {
    path: '/import/inspect',
    faulty: { 'SVC-REG-001': 'reference', 'SVC-REG-005': 'reference' },
    page: '/import',
    done: ({ fields }, answer) => {
      const reference = fieldOf(fields, 'reference') ?? '';
      return { keep: { show: (call) => toImportPage(call, reference, answer), of: answer } };
    },
  }),
  action(importArtifact, {
    path: '/import',
    page: '/import',
    replacesShown: true,
    done: (_call, answer) => {
      const { task } = answer as { readonly task: { readonly id: string } };
      return { location: toPath('/tasks/{id}', { id: task.id }) };
    },
  }),
];
