import type { Plan, PlannedRecipe, PlanProblem } from '../../../../src/contract/plan.ts';
import type { ErrorCode } from '../../../../src/text/errors/registry.ts';

/** A recipe that a run would skip, with the codes of the reasons. */
export interface BlockedRecipe {
  readonly name: string;
  readonly version: string;
  readonly codes: readonly ErrorCode[];
}

/** The effect of a run by this plan, in a few numbers. */
export interface Headline {
  /** `none`: the recipes are not known; `no-room`: nothing is transferred, because a volume is too small. */
  readonly kind: 'none' | 'no-room' | 'blocked' | 'partly' | 'changes' | 'current';
  readonly total: number;
  /** Recipes that something is transferred or promoted for. */
  readonly changed: number;
  readonly current: number;
  readonly blocked: readonly BlockedRecipe[];
}

/** Everything that prevents a recipe from being carried. */
export function problemsOf({ problem, ingredients }: PlannedRecipe): readonly PlanProblem[] {
  return [...(problem === undefined ? [] : [problem]), ...ingredients.flatMap((each) => each.problem ?? [])];
}

function isChanged({ transferBytes, signatures, ingredients }: PlannedRecipe): boolean {
  return (
    transferBytes > 0 ||
    signatures !== undefined ||
    ingredients.some(
      ({ status, signatures: late, destinationStatus = 'up-to-date' }) =>
        status !== 'up-to-date' || destinationStatus !== 'up-to-date' || late !== undefined,
    )
  );
}

/** Sums up a plan: recipes to transfer, recipes up to date, and blocked recipes. */
export function toHeadline({ recipes, problems }: Pick<Plan, 'recipes' | 'problems'>): Headline {
  const blocked = recipes.flatMap((recipe): BlockedRecipe[] => {
    const codes = [...new Set(problemsOf(recipe).map(({ code }) => code))];
    const { name, resolved, requested } = recipe;
    return codes.length === 0 ? [] : [{ name, version: resolved ?? requested, codes }];
  });
  const passing = recipes.filter((recipe) => problemsOf(recipe).length === 0);
  const changed = passing.filter(isChanged).length;
  const counts = { total: recipes.length, changed, current: passing.length - changed, blocked };
  const isFull = problems.some(({ code }) => code === 'SVC-STO-004' || code === 'SVC-STO-005');
  if (recipes.length === 0) return { kind: problems.length === 0 ? 'current' : 'none', ...counts };
  if (isFull) return { kind: 'no-room', ...counts };
  if (passing.length === 0) return { kind: 'blocked', ...counts };
  if (blocked.length > 0) return { kind: 'partly', ...counts };
  return { kind: changed > 0 ? 'changes' : 'current', ...counts };
}
