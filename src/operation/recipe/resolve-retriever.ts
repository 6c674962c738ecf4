import { systemClock } from '../../base/clock.ts';
import type { Digest } from '../../base/digest.ts';
import type { PlannedRecipe, PlanProblem } from '../../contract/plan.ts';
import { HeldContent } from '../../engine/copy/held-content.ts';
import { toProblem } from '../../engine/sync/plan-sync.ts';
import { readRetriever, toShownSource } from '../../engine/sync/read-retriever.ts';
import type { ResolvedRecipe } from '../../engine/sync/resolve-recipe.ts';
import { resolveRecipes, type SharedRecipes } from '../../engine/sync/resolve-retriever.ts';
import { type ExitCode, selectPrincipal, toExitCode } from '../../text/error.ts';
import type { Context } from '../context.ts';

/** The recipe that an entry of a Retriever picks. */
export interface PickedRecipe {
  readonly name: string;
  /** Version or constraint of the entry. */
  readonly requested: string;
  readonly cookbook: string;
  /** Repository that was contacted, where it is not the nominal one. */
  readonly effective?: string;
  readonly version?: string;
  readonly digest?: Digest;
  readonly signature: PlannedRecipe['signature'];
  /** Name of the trust root that signed it. */
  readonly root?: string;
  readonly keyFingerprint?: string;
  readonly trustScope?: string;
  /** Number of ingredients; absent when the document was not read. */
  readonly ingredients?: number;
  readonly problem?: PlanProblem;
}

export interface ResolvedRetriever {
  readonly source: string;
  /** Name of the Retriever. */
  readonly zone: string;
  /** Entry by entry, in the order of the document. */
  readonly recipes: readonly PickedRecipe[];
  readonly exit_code: ExitCode;
}

/**
 * Resolves a Retriever as a sync would at this moment, without a store. Versions, signatures and documents of its
 * recipes are read at their sources; ingredients are not. Writes nothing.
 *
 * @param input `source`: an absolute path, an https URL or an oci reference; `shared`: entries that other Retrievers resolve too
 * @throws the errors of `readRetriever`; errors of single entries are part of the result
 */
export async function resolveRetriever(
  context: Pick<Context, 'config' | 'registry' | 'transport' | 'credentials' | 'policy' | 'report'>,
  {
    source,
    shared,
    signal,
  }: {
    readonly source: string;
    readonly shared?: SharedRecipes | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ResolvedRetriever> {
  const { config, registry, policy, report } = context;
  const retriever = await readRetriever(source, { ...context, retries: config.sync.retries, signal });
  const { basePrefix } = config.storage;
  const resolved = await resolveRecipes(retriever, {
    registry,
    policy,
    report,
    basePrefix,
    held: new HeldContent(),
    shared,
    now: systemClock.wall,
    signal,
  });
  const rows = resolved.flatMap((recipe) => {
    const row = toPicked(recipe);
    return [row, ...(recipe.alsoRequested ?? []).map((requested) => ({ ...row, requested }))];
  });
  // entries that pick the same recipe were merged
  const order = retriever.recipes.map(({ name, version }) => `${name} ${version}`);
  const at = ({ name, requested }: PickedRecipe): number => order.indexOf(`${name} ${requested}`);
  const recipes = rows.toSorted((a, b) => at(a) - at(b));
  const principal = selectPrincipal(recipes.flatMap(({ problem }) => problem ?? []));
  return {
    source: toShownSource(source),
    zone: retriever.metadata.name,
    recipes,
    exit_code: principal ? toExitCode(principal) : 0,
  };
}

function toPicked(recipe: ResolvedRecipe): PickedRecipe {
  const { entry, cookbook, effective, version, digest, verdict } = recipe;
  return {
    name: entry.name,
    requested: entry.version,
    cookbook,
    effective,
    version,
    digest,
    signature: verdict?.outcome ?? 'not-evaluated',
    ...(verdict?.outcome === 'verified'
      ? { root: verdict.root, keyFingerprint: verdict.keyFingerprint }
      : {}),
    ...(verdict?.trustScope === undefined ? {} : { trustScope: verdict.trustScope }),
    ...(recipe.outcome === 'verified' ? { ingredients: recipe.document.ingredients.length } : {}),
    ...(recipe.outcome === 'failed'
      ? { problem: toProblem(recipe.error, `${cookbook}/${entry.name}:${version ?? entry.version}`) }
      : {}),
  };
}
