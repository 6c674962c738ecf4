import { planSync, previewPrune, startSync } from '../../../../src/contract/operations/sync.ts';
import type { Plan } from '../../../../src/contract/plan.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import { rememberPlan } from '../../../views/confirmed-plan.ts';
import { showPrunePreview } from '../../../views/plan.ts';
import { describeRetriever } from '../../../views/retriever.ts';
import { resultField } from '../../kept-result.ts';
import { fieldOf } from '../../read-form.ts';
import { toPath } from '../../to-href.ts';
import { type ActionCall, action, type UiRoute } from '../../ui-route.ts';
import { previewStart, showPrune } from './prune.ts';
import { showSync } from './show.ts';

/** Whether the synchronization that a form asks for prunes: because it says so, or by the configuration. */
function isPruning({ fields, instance }: ActionCall): boolean {
  const chosen = fieldOf(fields, 'prune') ?? '';
  return chosen === '' ? describeRetriever({ instance }).prune : chosen === 'true';
}

/** The plan from whose page a run is started. */
function confirmedPlan({ fields, results, holder }: ActionCall): Plan | undefined {
  const shown = results.look(holder, fieldOf(fields, resultField) ?? '')?.of;
  const isPlan = typeof shown === 'object' && shown !== null && 'recipes' in shown && 'generatedAt' in shown;
  return isPlan ? (shown as Plan) : undefined;
}

export const syncPages: readonly UiRoute[] = [
  {
    method: 'GET',
    path: '/recipes/sync',
    floor: 'operator',
    title: sync.title,
    page: (call) => showSync(call),
  },
  action(planSync, {
    path: '/recipes/sync/plan',
    page: '/recipes/sync',
    done: (_call, answer) => {
      const { plan } = answer;
      return { keep: { show: (call) => showSync(call, plan), of: plan } };
    },
  }),
  action(previewPrune, {
    path: '/recipes/sync/prune',
    page: '/recipes/sync',
    done: (_call, answer) => ({
      keep: { show: (call) => showPrune(call, answer), of: answer },
    }),
  }),
  action(startSync, {
    path: '/recipes/sync',
    page: '/recipes/sync',
    needsPreview: isPruning,
    preview: previewStart,
    showAnew: async (call) => showPrune(call, await showPrunePreview(call)),
    done: (call, answer) => {
      const { task } = answer as { readonly task: { readonly id: string } };
      const plan = confirmedPlan(call);
      if (plan !== undefined) rememberPlan(call, task.id, plan);
      return { location: toPath('/tasks/{id}', { id: task.id }) };
    },
  }),
];
