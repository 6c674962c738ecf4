import type { Digest } from '../../base/digest.ts';
import type { ContentStatus, LoweredRecipe } from '../../contract/common.ts';
import type {
  Plan,
  PlannedIngredient,
  PlannedRecipe,
  PlanProblem,
  VolumeCheck,
} from '../../contract/plan.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { formatReference } from '../../oci/reference.ts';
import { findLower } from '../../recipe/find-lower.ts';
import {
  type ExitCode,
  type SvcError,
  selectPrincipal,
  toErrorRecord,
  toExitCode,
} from '../../text/error.ts';
import { assignTags } from './assign-tags.ts';
import type { Presence } from './presence.ts';
import type { VerifiedRecipe } from './resolve-recipe.ts';
import type { Resolution, ResolvedIngredient } from './resolve-retriever.ts';

export interface PlannedWork {
  readonly ingredient: ResolvedIngredient;
  /** The local tag: the version, unless another recipe pins other content under it. */
  readonly tag: string;
  readonly status: ContentStatus;
  /** Content to transfer, each once. */
  readonly missing: readonly Descriptor[];
  /** Whether its source has signatures that the store lacks, for the ingredient or a manifest below. */
  readonly hasNewSignatures: boolean;
  readonly totalBytes: number;
  readonly transferBytes: number;
}

export interface PlannedRecipeWork {
  readonly resolution: Resolution;
  readonly status: ContentStatus;
  /** The higher version of this recipe that is here, where the source offers it no longer. */
  readonly lowerThan?: string | undefined;
  readonly ingredients: readonly PlannedWork[];
  /** Bytes of the recipe and all its ingredients, each content once. */
  readonly totalBytes: number;
  readonly transferBytes: number;
}

export interface ContentPlan {
  readonly recipes: readonly PlannedRecipeWork[];
  /** Content to transfer, each once over all recipes. */
  readonly missing: readonly Descriptor[];
  readonly transferBytes: number;
  readonly largestFileBytes: number;
}

function sumOf(contents: Iterable<Descriptor>): number {
  let sum = 0;
  for (const { size } of contents) sum += size;
  return sum;
}

function toUnique(contents: Iterable<Descriptor>): Map<Digest, Descriptor> {
  const unique = new Map<Digest, Descriptor>();
  for (const content of contents) unique.set(content.digest, content);
  return unique;
}

function toStatus(
  presence: Presence,
  repository: string,
  tag: string,
  digest: Digest,
  isWhole: boolean,
): ContentStatus {
  const known = presence.tag(repository, tag);
  if (known === undefined) return 'new';
  const isSame = known.digest === digest && isWhole && presence.areSignaturesWhole(repository, digest);
  return isSame ? 'up-to-date' : 'outdated';
}

/** Whether the recipe was accepted because of signatures that the store lacks; these are transferred. */
function bringsSignatures(recipe: VerifiedRecipe): boolean {
  return recipe.signaturesFrom === 'source' && recipe.signatures?.evidence.length !== 0;
}

function findLowerOf(recipe: Resolution['recipe'], presence: Presence): string | undefined {
  if (recipe.outcome === 'failed') return undefined;
  const { cookbook, entry, version, alsoRequested = [] } = recipe;
  return findLower(version, [entry.version, ...alsoRequested], presence.storedVersions(cookbook, entry.name));
}

/** The recipes of which the source offers a lower version than the store has. */
export function listLowered(works: readonly PlannedRecipeWork[]): readonly LoweredRecipe[] {
  return works.flatMap(({ lowerThan, resolution: { recipe } }) =>
    lowerThan === undefined || recipe.outcome === 'failed'
      ? []
      : [{ cookbook: recipe.cookbook, name: recipe.entry.name, resolved: recipe.version, here: lowerThan }],
  );
}

/**
 * Compares the needs of the recipes with the content of the store. Pure.
 *
 * @param late ingredients of which a source has new signatures
 * @param isInCookbook whether an ingredient is in a repository of recipes
 */
export function planContent(
  resolutions: readonly Resolution[],
  presence: Presence,
  late: ReadonlySet<ResolvedIngredient> = new Set(),
  isInCookbook: (ingredient: ResolvedIngredient) => boolean = () => false,
): ContentPlan {
  const allMissing = new Map<Digest, Descriptor>();
  const tags = assignTags(resolutions, presence, isInCookbook);
  const recipes = resolutions.map((resolution): PlannedRecipeWork => {
    const { recipe } = resolution;
    const own = recipe.outcome === 'verified' ? [recipe.descriptor, recipe.config, recipe.layer] : [];
    const needed = toUnique(own);
    const absentOwn = own.filter((one) => !presence.isPresent(one));
    const lacking = toUnique(absentOwn);
    const ingredients = resolution.ingredients.map((ingredient): PlannedWork => {
      const { graph, repository } = ingredient;
      const contents = toUnique(graph ? [...graph.manifests, ...graph.blobs] : []);
      const missing = [...contents.values()].filter((one) => !presence.isPresent(one));
      for (const content of contents.values()) needed.set(content.digest, content);
      for (const content of missing) lacking.set(content.digest, content);
      const { digest } = ingredient.ingredient;
      const tag = tags.get(ingredient)!;
      const isWhole =
        graph !== undefined &&
        missing.length === 0 &&
        !late.has(ingredient) &&
        graph.manifests.every((manifest) => presence.areSignaturesWhole(repository, manifest.digest));
      return {
        ingredient,
        tag,
        status: toStatus(presence, repository, tag, digest, isWhole),
        hasNewSignatures: late.has(ingredient),
        missing,
        totalBytes: sumOf(contents.values()),
        transferBytes: sumOf(missing),
      };
    });
    const isUsable = recipe.outcome === 'verified' && resolution.ingredients.every(({ error }) => !error);
    if (isUsable)
      for (const content of lacking.values()) {
        // where manifests declare different sizes, space is planned for the largest
        const known = allMissing.get(content.digest);
        if (known === undefined || known.size < content.size) allMissing.set(content.digest, content);
      }
    const status: ContentStatus =
      recipe.outcome === 'failed'
        ? 'new'
        : toStatus(
            presence,
            recipe.repository,
            recipe.version,
            recipe.digest,
            absentOwn.length === 0 &&
              !bringsSignatures(recipe) &&
              presence.isRecorded(recipe.cookbook, recipe.entry.name, recipe.version, recipe.digest),
          );
    return {
      resolution,
      status,
      lowerThan: findLowerOf(recipe, presence),
      ingredients,
      totalBytes: sumOf(needed.values()),
      transferBytes: sumOf(lacking.values()),
    };
  });
  const missing = [...allMissing.values()];
  return {
    recipes,
    missing,
    transferBytes: sumOf(missing),
    largestFileBytes: missing.reduce((most, { size }) => Math.max(most, size), 0),
  };
}

export interface PlanInput {
  readonly mode: Plan['mode'] | undefined;
  readonly source: string;
  readonly zone?: string | undefined;
  /** RFC 3339 in UTC. */
  readonly generatedAt: string;
  readonly destination?: string | undefined;
  readonly content: ContentPlan;
  /** Status of an ingredient at the destination; undefined where it could not be queried. */
  readonly destinationStatus: (work: PlannedWork) => ContentStatus | undefined;
  readonly destinationProblems: readonly { readonly subject: string; readonly error: SvcError }[];
  readonly promotion: Plan['promotion'] | undefined;
  readonly storeBytes: number;
  readonly policy: Plan['policy'];
  readonly prune: Plan['prune'];
  readonly checks: readonly VolumeCheck[];
  /** Refusals of the volume checks; empty where they are only reported. */
  readonly refusals: readonly SvcError[];
}

/** Converts an error to a problem of the plan. @param subject recipe or ingredient with the error */
export function toProblem(error: SvcError, subject?: string): PlanProblem {
  return { ...toErrorRecord(error), ...(subject === undefined ? {} : { subject }) };
}

function toPlannedIngredient(work: PlannedWork, input: PlanInput): PlannedIngredient {
  const { ingredient: resolved, status, totalBytes, transferBytes } = work;
  const { ingredient, repository, effective, error, graph } = resolved;
  const destinationStatus = input.destinationStatus(work);
  return {
    name: ingredient.name,
    kind: ingredient.kind,
    ref: formatReference(ingredient.ref),
    ...(effective === undefined ? {} : { effective }),
    repository,
    version: ingredient.version,
    digest: ingredient.digest,
    status,
    ...(destinationStatus === undefined ? {} : { destinationStatus }),
    ...(work.hasNewSignatures ? { signatures: 'new' as const } : {}),
    totalBytes,
    transferBytes,
    ...(graph?.absentLayers ? { absentLayers: graph.absentLayers } : {}),
    ...(error ? { problem: toProblem(error, resolved.reference) } : {}),
  };
}

function toPlannedRecipe(work: PlannedRecipeWork, input: PlanInput): PlannedRecipe {
  const { recipe } = work.resolution;
  const { entry, cookbook, version, digest, verdict } = recipe;
  const trustScope = verdict?.trustScope;
  return {
    name: entry.name,
    requested: entry.version,
    ...(version === undefined ? {} : { resolved: version }),
    ...(digest === undefined ? {} : { digest }),
    ...(work.lowerThan === undefined ? {} : { lowerThan: work.lowerThan }),
    cookbook,
    signature: verdict?.outcome ?? 'not-evaluated',
    ...(recipe.outcome === 'verified' && recipe.hasNewSignatures ? { signatures: 'new' as const } : {}),
    ...(trustScope === undefined ? {} : { trustScope }),
    ingredients: work.ingredients.map((ingredient) => toPlannedIngredient(ingredient, input)),
    totalBytes: work.totalBytes,
    transferBytes: work.transferBytes,
    ...(recipe.outcome === 'failed'
      ? { problem: toProblem(recipe.error, `${cookbook}/${entry.name}:${version ?? entry.version}`) }
      : {}),
  };
}

/** Creates the plan document and its exit code. Pure. */
export function planSync(input: PlanInput): { readonly plan: Plan; readonly exitCode: ExitCode } {
  const { content, storeBytes } = input;
  const resolved = content.recipes.map((work) => toPlannedRecipe(work, input));
  // one row for each entry, also where several resolve to one recipe
  const recipes = resolved.flatMap((row, i) => {
    const { alsoRequested = [] } = content.recipes[i]!.resolution.recipe;
    return [row, ...alsoRequested.map((requested) => ({ ...row, requested }))];
  });
  const problems: PlanProblem[] = [];
  for (const recipe of resolved) {
    if (recipe.problem) problems.push(recipe.problem);
    for (const { problem } of recipe.ingredients) if (problem) problems.push(problem);
  }
  for (const { subject, error } of input.destinationProblems) problems.push(toProblem(error, subject));
  for (const error of input.refusals) problems.push(toProblem(error));

  const works = content.recipes.flatMap(({ ingredients }) => ingredients);
  const count = (status: ContentStatus) => works.filter((work) => work.status === status).length;
  const totalContents = toUnique(
    content.recipes.flatMap(({ resolution: { recipe, ingredients } }) => [
      ...(recipe.outcome === 'verified' ? [recipe.descriptor, recipe.config, recipe.layer] : []),
      ...ingredients.flatMap(({ graph }) => (graph ? [...graph.manifests, ...graph.blobs] : [])),
    ]),
  );
  const hasChanges =
    content.recipes.some(({ status }) => status !== 'up-to-date') ||
    works.some(({ status }) => status !== 'up-to-date') ||
    recipes.some(({ ingredients }) =>
      ingredients.some(({ destinationStatus }) => (destinationStatus ?? 'up-to-date') !== 'up-to-date'),
    ) ||
    input.prune.items.length > 0;
  const principal = selectPrincipal(problems);
  const outcomes = {
    verification: 'verification-failed',
    policy: 'policy-refused',
    failure: 'failed',
  } as const;
  const plan: Plan = {
    ...(input.mode === undefined ? {} : { mode: input.mode }),
    source: input.source,
    ...(input.zone === undefined ? {} : { zone: input.zone }),
    generatedAt: input.generatedAt,
    ...(input.destination === undefined ? {} : { destination: input.destination }),
    outcome: principal ? outcomes[principal.class] : hasChanges ? 'changes-planned' : 'up-to-date',
    recipes,
    totals: {
      recipes: recipes.length,
      ingredients: works.length,
      new: count('new'),
      outdated: count('outdated'),
      upToDate: count('up-to-date'),
      totalBytes: sumOf(totalContents.values()),
      transferBytes: content.transferBytes,
      largestFileBytes: content.largestFileBytes,
      storeBytes,
      projectedStoreBytes: storeBytes + content.transferBytes,
    },
    ...(input.promotion === undefined ? {} : { promotion: input.promotion }),
    policy: input.policy,
    prune: input.prune,
    checks: input.checks,
    problems,
  };
  return { plan, exitCode: principal ? toExitCode(principal) : hasChanges ? 5 : 0 };
}
