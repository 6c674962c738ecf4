import type { Digest } from '../../base/digest.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import { formatPlatform } from '../../oci/platform.ts';
import { formatReference, parseRepositoryReference } from '../../oci/reference.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { localRepository, recipeRepository } from '../../recipe/relocation.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';

/** A difference between the recipe graph of a medium and the verified documents. */
export interface GraphDifference {
  readonly path: string;
  readonly expected: Rule | string;
  readonly actual: Rule | string;
}

export const notListed = rule(['not listed', fr`non listé`]);

/** The prefix of a local name before its relocated path; undefined when it does not end with that path. */
function prefixOf(repository: string, relocated: string): string | undefined {
  if (repository === relocated) return '';
  return repository.endsWith(`/${relocated}`) ? repository.slice(0, -relocated.length) : undefined;
}

/** The local name of a recipe without prefix; undefined when its cookbook is not a valid repository. */
function toRelocatedRecipe(record: RecipeRecord): string | undefined {
  try {
    return localRepository(recipeRepository(parseRepositoryReference(record.cookbook), record.name));
  } catch {
    return undefined;
  }
}

/**
 * Compares one record of the recipe ledger with the verified document it describes. The ledger is not signed: a
 * difference means that it was changed. A medium may have a base prefix that only its maker knows. It must be the same
 * for all names of a recipe.
 */
export function compareRecord(
  record: RecipeRecord,
  recipe: CookedRecipe,
  documentDigest: Digest,
): GraphDifference | undefined {
  const at = `recipes/${record.name}@${record.version}`;
  const check = (member: string, expected: string, actual: string): GraphDifference | undefined =>
    expected === actual ? undefined : { path: `${at}/${member}`, expected, actual };
  const head =
    check('name', recipe.metadata.name, record.name) ??
    check('version', recipe.metadata.version, record.version) ??
    check('tag', recipe.metadata.version, record.tag) ??
    check('documentDigest', documentDigest, record.documentDigest);
  if (head) return head;
  const relocated = toRelocatedRecipe(record);
  if (relocated === undefined)
    return {
      path: `${at}/cookbook`,
      expected: rule(['a repository', fr`un dépôt`]),
      actual: record.cookbook,
    };
  const prefix = prefixOf(record.repository, relocated);
  if (prefix === undefined) return check('repository', relocated, record.repository);
  const count = check('ingredients', String(recipe.ingredients.length), String(record.ingredients.length));
  if (count) return count;
  for (const [i, ingredient] of recipe.ingredients.entries()) {
    const recorded = record.ingredients[i]!;
    const member = (name: string) => `ingredients/${ingredient.name}/${name}`;
    const difference =
      check(member('name'), ingredient.name, recorded.name) ??
      check(member('kind'), ingredient.kind, recorded.kind) ??
      check(member('ref'), formatReference(ingredient.ref), recorded.ref) ??
      check(member('tag'), ingredient.version, recorded.tag) ??
      check(member('digest'), ingredient.digest, recorded.digest) ??
      check(
        member('platforms'),
        ingredient.platforms.map(formatPlatform).join(','),
        (recorded.platforms ?? []).join(','),
      ) ??
      check(member('repository'), prefix + localRepository(ingredient.ref), recorded.repository);
    if (difference) return difference;
  }
  return undefined;
}

type ListedRecipe = Pick<RecipeRecord, 'name' | 'version' | 'repository' | 'digest'>;

/** Compares the recipes that the manifest's header lists with those of the ledger, as sets. */
export function compareHeader(
  listed: readonly ListedRecipe[],
  records: readonly ListedRecipe[],
): GraphDifference | undefined {
  const toKey = ({ name, version, repository, digest }: ListedRecipe) =>
    `${name}@${version} ${repository}@${digest}`;
  const inHeader = new Set(listed.map(toKey));
  const inLedger = new Set(records.map(toKey));
  for (const key of inLedger) {
    if (!inHeader.has(key)) return { path: 'media.jsonl', expected: key, actual: notListed };
  }
  for (const key of inHeader) {
    if (!inLedger.has(key)) return { path: 'media.jsonl', expected: notListed, actual: key };
  }
  return undefined;
}
