import { isDigest } from '../base/digest.ts';
import { isJsonObject } from '../base/json/json-object.ts';
import type { SyncOutcome } from '../contract/common.ts';
import type { RecipeIngredientRecord } from '../contract/recipe.ts';
import { type ContentKind, contentKinds } from '../oci/kind.ts';
import { isMediumId, isSize, type MediumChange } from './content-records.ts';
import { type RecipeRecord, type SyncRecord, syncResults } from './model.ts';

export type RecipeChange =
  | MediumChange
  | ({ readonly op: 'recipe' } & RecipeRecord)
  | { readonly op: 'forget'; readonly cookbook: string; readonly name: string; readonly version: string }
  | ({ readonly op: 'sync' } & SyncRecord);

type Json = Readonly<Record<string, unknown>>;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 1024;
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || isText(value);
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 40 && Number.isFinite(Date.parse(value));
}

function isIngredient(value: unknown): value is RecipeIngredientRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { name, kind, ref, repository, tag, digest, platforms } = value as Json;
  return (
    isText(name) &&
    contentKinds.includes(kind as ContentKind) &&
    isText(ref) &&
    isText(repository) &&
    isText(tag) &&
    isDigest(digest) &&
    (platforms === undefined || (Array.isArray(platforms) && platforms.every(isText)))
  );
}

function isRecipe(r: Json): boolean {
  return (
    [r.name, r.version, r.cookbook, r.repository, r.tag, r.runId, r.zone].every(isText) &&
    isDigest(r.digest) &&
    isDigest(r.documentDigest) &&
    isTime(r.resolvedAt) &&
    typeof r.verified === 'boolean' &&
    isOptionalText(r.keyFingerprint) &&
    isOptionalText(r.trustScope) &&
    Array.isArray(r.ingredients) &&
    r.ingredients.every(isIngredient)
  );
}

/**
 * Reads a record of the recipe ledger, which on a medium is hostile input.
 *
 * @returns undefined when the value is not a record
 */
export function parseRecipeChange(value: unknown): RecipeChange | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const record = value as Json;
  const isValid =
    record.op === 'medium'
      ? isMediumId(record.id) && isSize(record.format)
      : record.op === 'recipe'
        ? isRecipe(record)
        : record.op === 'forget'
          ? isText(record.cookbook) && isText(record.name) && isText(record.version)
          : record.op === 'sync' &&
            isText(record.zone) &&
            isText(record.runId) &&
            isTime(record.resolvedAt) &&
            (record.outcome === undefined || syncResults.includes(record.outcome as SyncOutcome));
  return isValid ? (value as RecipeChange) : undefined;
}

function keyOf(recipe: Pick<RecipeRecord, 'cookbook' | 'name' | 'version'>): string {
  return `${recipe.cookbook}\n${recipe.name}\n${recipe.version}`;
}

/** Serializes a recipe record without its last run, for comparison. */
function substance({ runId: _, resolvedAt: _at, zone: _zone, ...rest }: RecipeRecord): string {
  return JSON.stringify(rest, (_key, value: unknown) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** The live records of the recipe ledger, and the last recorded sync. */
export class RecipeBook {
  readonly #recipes = new Map<string, RecipeRecord>();
  #list: readonly RecipeRecord[] | undefined;
  lastSync: SyncRecord | undefined;

  /** The same list until a recipe changes. */
  get recipes(): readonly RecipeRecord[] {
    this.#list ??= [...this.#recipes.values()];
    return this.#list;
  }

  apply(change: RecipeChange): void {
    if (change.op === 'recipe' || change.op === 'forget') this.#list = undefined;
    if (change.op === 'recipe') {
      const { op: _, ...recipe } = change;
      this.#recipes.set(keyOf(recipe), recipe);
    } else if (change.op === 'forget') {
      this.#recipes.delete(keyOf(change));
    } else if (change.op === 'sync') {
      const { op: _, ...sync } = change;
      this.lastSync = sync;
    }
  }

  /** Returns the records that make this the live set: only the run when no recipe has changed. */
  plan(sync: SyncRecord, recipes: readonly RecipeRecord[]): RecipeChange[] {
    const changes: RecipeChange[] = [];
    const kept = new Set<string>();
    for (const recipe of recipes) {
      const key = keyOf(recipe);
      kept.add(key);
      const known = this.#recipes.get(key);
      if (known === undefined || substance(known) !== substance(recipe))
        changes.push({ op: 'recipe', ...recipe });
    }
    for (const [key, { cookbook, name, version }] of this.#recipes)
      if (!kept.has(key)) changes.push({ op: 'forget', cookbook, name, version });
    return [...changes, { op: 'sync', ...sync }];
  }

  *snapshot(): Generator<RecipeChange> {
    for (const recipe of this.#recipes.values()) yield { op: 'recipe', ...recipe };
    if (this.lastSync) yield { op: 'sync', ...this.lastSync };
  }

  clear(): void {
    this.#recipes.clear();
    this.#list = undefined;
    this.lastSync = undefined;
  }
}
