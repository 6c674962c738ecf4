import { requireAbsolute } from '../../../../src/base/require-absolute.ts';
import type { LayoutImportPlan } from '../../../../src/contract/layout.ts';
import {
  exportLayout,
  importLayout,
  planLayoutExport,
  planLayoutImport,
} from '../../../../src/contract/operations/layouts.ts';
import type { TaskAnswer } from '../../../../src/contract/task.ts';
import { parseImportTarget } from '../../../../src/oci/import-target.ts';
import { layout } from '../../../../src/text/words/layout.ts';
import { attr, type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { fillForm } from '../../parts/fill-form.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { checkbox, form, selectField, submit, textArea, textField } from '../../parts/form.ts';
import { terminal } from '../../parts/terminal.ts';
import { toPath } from '../../to-href.ts';
import {
  action,
  type Outcome,
  type Page,
  type PageCall,
  type PageRoute,
  type Section,
  type UiRoute,
} from '../../ui-route.ts';
import { exportFormId, exportPlanBlock, exportVerdict, importPlanBlock } from './layout-plans.ts';

/** Two buttons of one form: the first one, which the key Enter presses, only plans. */
function planOrExport({ words: { say } }: PageCall, plan: string, isPlanned: boolean): Html {
  return html`<div class="buttons"><button class="button ${isPlanned ? 'button-plain' : 'button-primary'}" type="submit" ${attr('formaction', plan)} data-working="${say(layout.planning)}">${say(layout.plan)}</button><button class="button button-plain" type="submit">${say(layout.startExport)}</button></div><p class="hint">${say(layout.planHint)}</p>`;
}

function exportForm(call: PageCall, isPlanned: boolean): Html {
  const { say } = call.words;
  const formats = [
    ['tar', say(layout.tar)],
    ['directory', say(layout.directory)],
  ] as const;
  return form(
    '/admin/oci-layout/export',
    html`${textField(call, { name: 'output', label: say(layout.output), hint: say(layout.pathHint), required: true })}
${selectField(call, { name: 'format', label: say(layout.format), value: 'tar', options: formats })}
${textArea(call, { name: 'recipes', label: say(layout.recipes), hint: say(layout.recipesHint), rows: 3 })}
${textArea(call, { name: 'repositories', label: say(layout.repositories), hint: say(layout.repositoriesHint), rows: 3 })}
${checkbox(call, { name: 'overwrite', label: say(layout.overwrite) })}
${planOrExport(call, '/admin/oci-layout/plan', isPlanned)}`,
    { id: exportFormId },
  );
}

function importForm(call: PageCall): Html {
  const { say } = call.words;
  return form(
    '/admin/oci-layout/import-plan',
    html`${textField(call, { name: 'input', label: say(layout.input), hint: say(layout.pathHint), required: true })}
${textField(call, { name: 'repository', label: say(layout.repository), hint: say(layout.repositoryHint) })}
${submit(say(layout.plan), { working: say(layout.planning) })}<p class="hint">${say(layout.importHint)}</p>`,
  );
}

/**
 * The page with a plan at its top, once one was asked for.
 *
 * @param source the plan of an import that can be started
 */
function toPage(call: PageCall, plans: readonly Section[], source?: LayoutImportPlan): Page {
  const { words } = call;
  const { say } = words;
  const { input = '/srv/in.tar', fingerprint } = source ?? {};
  const repository = (source && call.field('repository')) || undefined;
  return {
    title: say(layout.title),
    lead: say(layout.lead),
    sections: [
      ...plans,
      {
        id: 'export',
        html: html`<h2>${say(layout.export)}</h2>${exportForm(
          call,
          plans.some(({ id }) => id === 'verdict'),
        )}`,
      },
      { id: 'import', html: html`<h2>${say(layout.import)}</h2>${importForm(call)}` },
      {
        id: 'terminal',
        html: terminal(words, [
          'svc export /srv/out.tar --dry-run',
          curlCommand(call, 'POST', '/oci-layout/plan', '{}'),
          curlCommand(call, 'POST', '/oci-layout/export', '{"output":"/srv/out.tar"}'),
          curlCommand(call, 'POST', '/oci-layout/import-plan', JSON.stringify({ input })),
          curlCommand(call, 'POST', '/oci-layout/import', JSON.stringify({ input, repository, fingerprint })),
        ]),
      },
    ],
  };
}

/** The page with the plan of an import at its top, and the button that starts that import. */
function showImportPlan(call: PageCall, plan: LayoutImportPlan): Page {
  const { say } = call.words;
  const hidden = (name: string, value: string): Html =>
    html`<input type="hidden" name="${name}" value="${value}">`;
  const repository = call.field('repository');
  const start = form(
    '/admin/oci-layout/import',
    html`${fingerprintField(plan.fingerprint)}${hidden('input', plan.input)}${repository === '' ? '' : hidden('repository', repository)}
${submit(say(layout.startImport), { kind: plan.entries.some(({ replaced }) => replaced) ? 'danger' : 'primary' })}`,
  );
  return toPage(call, [{ id: 'plan', html: html`${importPlanBlock(call, plan)}${start}` }], plan);
}

const layoutPage: PageRoute = {
  method: 'GET',
  path: '/admin/oci-layout',
  floor: 'admin',
  title: layout.title,
  page: (call) => toPage(call, []),
};

const toTask = (_call: unknown, { task }: TaskAnswer): Outcome => {
  return { location: toPath('/tasks/{id}', { id: task.id }) };
};

const ofOutput = {
  faulty: {
    'SVC-FIL-003': 'output',
    'SVC-FIL-005': 'output',
    'SVC-LAY-003': 'output',
    'SVC-REG-001': 'repositories',
  },
  checks: () => ({ output: (path: string) => requireAbsolute(path, 'output') }),
} as const;
const ofInput = {
  faulty: {
    'SVC-FIL-003': 'input',
    'SVC-FIL-005': 'input',
    'SVC-LAY-001': 'input',
    'SVC-LAY-002': 'input',
    'SVC-REG-001': 'repository',
  },
  checks: () => ({
    input: (path: string) => requireAbsolute(path, 'input'),
    repository: parseImportTarget,
  }),
} as const;

const shared = { method: 'POST', floor: 'admin', page: '/admin/oci-layout' } as const;

export const layoutPages: readonly UiRoute[] = [
  layoutPage,
  action(planLayoutExport, {
    ...shared,
    path: '/admin/oci-layout/plan',
    ...ofOutput,
    done: ({ fields }, answer) => {
      const show = (later: PageCall): Page => {
        const filled = fillForm(later, layoutPage, fields);
        return toPage(filled, [
          { id: 'verdict', html: exportVerdict(filled, answer) },
          { id: 'plan', html: exportPlanBlock(filled, answer) },
        ]);
      };
      return { keep: { show, of: answer } };
    },
  }),
  action(exportLayout, { ...shared, path: '/admin/oci-layout/export', ...ofOutput, done: toTask }),
  action(planLayoutImport, {
    ...shared,
    path: '/admin/oci-layout/import-plan',
    ...ofInput,
    done: ({ fields }, answer) => {
      const show = (later: PageCall): Page => showImportPlan(fillForm(later, layoutPage, fields), answer);
      return { keep: { show, of: answer } };
    },
  }),
  action(importLayout, {
    ...shared,
    path: '/admin/oci-layout/import',
    ...ofInput,
    needsPreview: true,
    showAnew: async (call) => {
      const asked = { input: call.field('input'), repository: call.field('repository') || undefined };
      return showImportPlan(call, await call.operations.previewLayoutImport(call.instance, asked));
    },
    done: toTask,
  }),
];
