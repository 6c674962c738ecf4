import type { Plan } from '../../src/contract/plan.ts';
import type { Task } from '../../src/contract/task.ts';
import { selectRunRecipes } from '../../src/view/runs.ts';
import type { ViewParts } from './parts.ts';

/** The differences between a confirmed plan and the recipes of the run that it started: each `<name>@<version>`. */
export interface PlanComparison {
  /** When the plan was made, RFC 3339. */
  readonly madeAt: string;
  readonly onlyPlanned: readonly string[];
  readonly onlyTaken: readonly string[];
}

interface Confirmed {
  readonly madeAt: string;
  readonly recipes: ReadonlySet<string>;
}

/** Plans that are remembered, the newest: a comparison is of use while its run is looked at. */
const most = 64;
const confirmed = new WeakMap<ViewParts['instance'], Map<string, Confirmed>>();

/** Remembers, until the instance stops, the plan from whose page a run was started. */
export function rememberPlan(
  { instance }: Pick<ViewParts, 'instance'>,
  task: string,
  { generatedAt, recipes }: Pick<Plan, 'generatedAt' | 'recipes'>,
): void {
  const plans = confirmed.get(instance) ?? new Map<string, Confirmed>();
  confirmed.set(instance, plans);
  const names = recipes.map(({ name, resolved, requested }) => `${name}@${resolved ?? requested}`);
  plans.set(task, { madeAt: generatedAt, recipes: new Set(names) });
  for (const old of [...plans.keys()].slice(0, Math.max(0, plans.size - most))) plans.delete(old);
}

/** Compares a run with the plan from which it was started; undefined without one, and before the run knows its recipes. */
export function compareWithPlan(
  { instance }: Pick<ViewParts, 'instance'>,
  task: Pick<Task, 'id' | 'items' | 'resolutions'>,
): PlanComparison | undefined {
  const plan = confirmed.get(instance)?.get(task.id);
  if (plan === undefined) return undefined;
  const taken = new Set(selectRunRecipes(task).map(({ name, version }) => `${name}@${version}`));
  if (taken.size === 0) return undefined;
  return {
    madeAt: plan.madeAt,
    onlyPlanned: [...plan.recipes].filter((each) => !taken.has(each)),
    onlyTaken: [...taken].filter((each) => !plan.recipes.has(each)),
  };
}
