import type { RecipeRecord, StoreIndex, SyncRecord } from '../../catalog/model.ts';
import { formatPlatform } from '../../oci/platform.ts';
import { formatReference } from '../../oci/reference.ts';
import type { PlannedRecipeWork } from './plan-sync.ts';

/** Creates the ledger record of a complete recipe from its signed document. */
export function toRecipeRecord(work: PlannedRecipeWork, run: SyncRecord): RecipeRecord | undefined {
  const { recipe, ingredients } = work.resolution;
  if (recipe.outcome === 'failed') return undefined;
  const { verdict } = recipe;
  return {
    name: recipe.entry.name,
    version: recipe.version,
    cookbook: recipe.cookbook,
    repository: recipe.repository,
    tag: recipe.version,
    digest: recipe.digest,
    documentDigest: recipe.layer.digest,
    runId: run.runId,
    zone: run.zone,
    resolvedAt: run.resolvedAt,
    verified: verdict.outcome === 'verified',
    ...(verdict.outcome === 'verified' ? { keyFingerprint: verdict.keyFingerprint } : {}),
    ...(verdict.trustScope === undefined ? {} : { trustScope: verdict.trustScope }),
    ingredients: ingredients.map(({ ingredient, repository }) => ({
      name: ingredient.name,
      kind: ingredient.kind,
      ref: formatReference(ingredient.ref),
      repository,
      tag: ingredient.version,
      digest: ingredient.digest,
      ...(ingredient.platforms.length > 0 ? { platforms: ingredient.platforms.map(formatPlatform) } : {}),
    })),
  };
}

function toIdentity({ cookbook, name, version }: RecipeRecord): string {
  return `${cookbook}/${name}:${version}`;
}

/** The content of a record without the run that wrote it, for comparison. */
function toSubstance({ runId: _, resolvedAt: __, ...rest }: RecipeRecord): string {
  return JSON.stringify(rest, (_key, value) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/**
 * Selects the live records of the recipe ledger after a run: those of its complete recipes, and of earlier runs with
 * all manifests present. An unchanged record keeps the run that wrote it.
 *
 * @param drops whether this run removes a recipe that is not among its complete ones
 */
export function selectRecords(
  complete: readonly RecipeRecord[],
  known: readonly RecipeRecord[],
  index: Pick<StoreIndex, 'isManifestIn'>,
  drops: (record: RecipeRecord) => boolean,
): readonly RecipeRecord[] {
  const before = new Map(known.map((record) => [toIdentity(record), record]));
  const records = complete.map((record) => {
    const earlier = before.get(toIdentity(record));
    return earlier && toSubstance(earlier) === toSubstance(record) ? earlier : record;
  });
  const current = new Set(records.map(toIdentity));
  const isWhole = (record: RecipeRecord) =>
    index.isManifestIn(record.repository, record.digest) &&
    record.ingredients.every(({ repository, digest }) => index.isManifestIn(repository, digest));
  const stays = (record: RecipeRecord) =>
    !current.has(toIdentity(record)) && !drops(record) && isWhole(record);
  return [...records, ...known.filter(stays)];
}
