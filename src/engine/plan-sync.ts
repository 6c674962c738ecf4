import type { Digest } from '../base/digest.ts';
import { type ExitCode, type SvcError, selectPrincipal, toErrorRecord, toExitCode } from '../base/error.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { formatReference } from '../oci/reference.ts';
import type { TagRecord } from '../store/model.ts';
import type { ContentStatus, Plan, PlannedIngredient, PlannedRecipe, Problem, VolumeCheck } from './model.ts';
import type { VerifiedRecipe } from './resolve-recipe.ts';
import type { Resolution, ResolvedIngredient } from './resolve-retriever.ts';
import { selectTags } from './select-tags.ts';

/** What the store has, as far as a plan asks. */
export interface Presence {
  /** A tag that is served; held ones count as absent. */
  tag(repository: string, tag: string): Pick<TagRecord, 'digest'> | undefined;
  /** Whether a whole blob or manifest is there. */
  isPresent(digest: Digest): boolean;
  /** Whether the signatures that the store has known of this subject are all there. */
  areSignaturesWhole(repository: string, subject: Digest): boolean;
  /** Whether the ledger has this recipe as complete. */
  isRecorded(cookbook: string, name: string, version: string, digest: Digest): boolean;
}

export interface PlannedWork {
  readonly ingredient: ResolvedIngredient;
  /** The local tag: the ingredient's version, unless another recipe pins other content under it. */
  readonly tag: string;
  readonly status: ContentStatus;
  /** Content to bring, each once. */
  readonly missing: readonly Descriptor[];
  readonly totalBytes: number;
  readonly transferBytes: number;
}

export interface PlannedRecipeWork {
  readonly resolution: Resolution;
  readonly status: ContentStatus;
  readonly ingredients: readonly PlannedWork[];
  /** Of the recipe and all its ingredients, each byte once. */
  readonly totalBytes: number;
  readonly transferBytes: number;
}

export interface ContentPlan {
  readonly recipes: readonly PlannedRecipeWork[];
  /** Everything to bring, each once over all recipes. */
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

/** Whether signatures that the store lacks made the recipe acceptable: they come along. */
function bringsSignatures(recipe: VerifiedRecipe): boolean {
  return recipe.signaturesFrom === 'source' && recipe.signatures?.evidence.length !== 0;
}

/** Compares what the recipes need with what the store has. Pure. */
export function planContent(resolutions: readonly Resolution[], presence: Presence): ContentPlan {
  const allMissing = new Map<Digest, Descriptor>();
  const tags = selectTags(resolutions.flatMap(({ ingredients }) => ingredients));
  const recipes = resolutions.map((resolution): PlannedRecipeWork => {
    const { recipe } = resolution;
    const own = recipe.outcome === 'verified' ? [recipe.descriptor, recipe.config, recipe.layer] : [];
    const needed = toUnique(own);
    const absentOwn = own.filter(({ digest }) => !presence.isPresent(digest));
    const lacking = toUnique(absentOwn);
    const ingredients = resolution.ingredients.map((ingredient): PlannedWork => {
      const { graph, repository } = ingredient;
      const contents = toUnique(graph ? [...graph.manifests, ...graph.blobs] : []);
      const missing = [...contents.values()].filter(({ digest }) => !presence.isPresent(digest));
      for (const content of contents.values()) needed.set(content.digest, content);
      for (const content of missing) lacking.set(content.digest, content);
      const { digest } = ingredient.ingredient;
      const tag = tags.get(ingredient)!;
      return {
        ingredient,
        tag,
        status: toStatus(presence, repository, tag, digest, graph !== undefined && missing.length === 0),
        missing,
        totalBytes: sumOf(contents.values()),
        transferBytes: sumOf(missing),
      };
    });
    const isUsable = recipe.outcome === 'verified' && resolution.ingredients.every(({ error }) => !error);
    if (isUsable) for (const content of lacking.values()) allMissing.set(content.digest, content);
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
  readonly mode: Plan['mode'];
  readonly source: string;
  readonly zone?: string | undefined;
  /** RFC 3339 UTC. */
  readonly generatedAt: string;
  readonly destination?: string | undefined;
  readonly content: ContentPlan;
  /** What the destination has: by ingredient, and the problems met when asking. */
  readonly destinationStatus: (work: PlannedWork) => ContentStatus | undefined;
  readonly destinationProblems: readonly { readonly subject: string; readonly error: SvcError }[];
  readonly storeBytes: number;
  readonly policy: Plan['policy'];
  readonly prune: Plan['prune'];
  readonly checks: readonly VolumeCheck[];
  /** Refusals of the checks, unless they are only to be reported. */
  readonly refusals: readonly SvcError[];
}

export function toProblem(error: SvcError, subject?: string): Problem {
  return { ...toErrorRecord(error), ...(subject === undefined ? {} : { subject }) };
}

function toPlannedIngredient(work: PlannedWork, input: PlanInput): PlannedIngredient {
  const { ingredient: resolved, status, totalBytes, transferBytes } = work;
  const { ingredient, repository, effective, error } = resolved;
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
    totalBytes,
    transferBytes,
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
    cookbook,
    signature: verdict?.outcome ?? 'not-evaluated',
    ...(trustScope === undefined ? {} : { trustScope }),
    ingredients: work.ingredients.map((ingredient) => toPlannedIngredient(ingredient, input)),
    totalBytes: work.totalBytes,
    transferBytes: work.transferBytes,
    ...(recipe.outcome === 'failed'
      ? { problem: toProblem(recipe.error, `${cookbook}/${entry.name}:${version ?? entry.version}`) }
      : {}),
  };
}

/** The plan as a document, with the exit code that goes with it. Pure. */
export function planSync(input: PlanInput): { readonly plan: Plan; readonly exitCode: ExitCode } {
  const { content, storeBytes } = input;
  const recipes = content.recipes.map((work) => toPlannedRecipe(work, input));
  const problems: Problem[] = [];
  for (const recipe of recipes) {
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
    mode: input.mode,
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
    policy: input.policy,
    prune: input.prune,
    checks: input.checks,
    problems,
  };
  return { plan, exitCode: principal ? toExitCode(principal) : hasChanges ? 5 : 0 };
}
