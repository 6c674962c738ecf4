import { sync } from '../../../../src/base/words/sync.ts';
import type { PlanAnswer } from '../../../../src/engine/sync/model.ts';
import type { PrunePreview } from '../../../../src/operation/prune-preview.ts';
import { toPath } from '../../to-href.ts';
import type { UiRoute } from '../../ui-route.ts';
import { showPrune } from './prune.ts';
import { showSync } from './show.ts';

export const syncPages: readonly UiRoute[] = [
  {
    method: 'GET',
    path: '/recipes/sync',
    floor: 'operator',
    title: sync.title,
    page: (call) => showSync(call),
  },
  {
    method: 'POST',
    path: '/recipes/sync/plan',
    floor: 'operator',
    page: '/recipes/sync',
    mirror: 'POST /plan',
    done: (call, answer) => ({ show: showSync(call, (answer as PlanAnswer).plan) }),
  },
  {
    method: 'POST',
    path: '/recipes/sync/prune',
    floor: 'operator',
    page: '/recipes/sync',
    mirror: 'GET /sync/prune-preview',
    done: (call, answer) => ({ show: showPrune(call, answer as PrunePreview) }),
  },
  {
    method: 'POST',
    path: '/recipes/sync',
    floor: 'operator',
    page: '/recipes/sync',
    mirror: 'POST /sync',
    done: (_call, answer) => {
      const { task } = answer as { readonly task: { readonly id: string } };
      return { location: toPath('/tasks/{id}', { id: task.id }) };
    },
  },
];
