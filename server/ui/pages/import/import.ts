import type { Inspection } from '../../../../src/contract/content.ts';
import { imports } from '../../../../src/text/words/imports.ts';
import { fieldOf } from '../../read-form.ts';
import { toPath } from '../../to-href.ts';
import type { UiRoute } from '../../ui-route.ts';
import { showImport, toImportPage } from './show.ts';

export const importPages: readonly UiRoute[] = [
  { method: 'GET', path: '/import', floor: 'operator', title: imports.title, page: showImport },
  {
    method: 'POST',
    path: '/import/inspect',
    floor: 'operator',
    page: '/import',
    mirror: 'GET /import/inspect',
    done: ({ fields }, answer) => {
      const reference = fieldOf(fields, 'reference') ?? '';
      return { keep: { show: (call) => toImportPage(call, reference, answer as Inspection), of: answer } };
    },
  },
  {
    method: 'POST',
    path: '/import',
    floor: 'operator',
    page: '/import',
    mirror: 'POST /import',
    replacesShown: true,
    done: (_call, answer) => {
      const { task } = answer as { readonly task: { readonly id: string } };
      return { location: toPath('/tasks/{id}', { id: task.id }) };
    },
  },
];
