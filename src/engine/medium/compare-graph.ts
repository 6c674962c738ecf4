import type { Digest } from '../../base/digest.ts';
import { formatPlatform } from '../../oci/platform.ts';
import { formatReference } from '../../oci/reference.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { localRepository } from '../../recipe/relocation.ts';
import type { RecipeRecord } from '../../store/model.ts';

/** Where the recipe graph of a medium says something else than the documents whose signature verifies. */
export interface GraphDifference {
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/** A medium may have been made with a base prefix that only its maker knows: the relocated path must end the name. */
function isRelocated(repository: string, relocated: string): boolean {
  return repository === relocated || repository.endsWith(`/${relocated}`);
}

/**
 * Compares one line of the recipe ledger with the verified document that it stands for. The ledger is not signed:
 * where both differ, somebody changed it.
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
    check('documentDigest', documentDigest, record.documentDigest) ??
    check('ingredients', String(recipe.ingredients.length), String(record.ingredients.length));
  if (head) return head;
  for (const [i, ingredient] of recipe.ingredients.entries()) {
    const recorded = record.ingredients[i]!;
    const member = (name: string) => `ingredients/${ingredient.name}/${name}`;
    const relocated = localRepository(ingredient.ref);
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
      (isRelocated(recorded.repository, relocated)
        ? undefined
        : { path: `${at}/${member('repository')}`, expected: relocated, actual: recorded.repository });
    if (difference) return difference;
  }
  return undefined;
}

/** Compares the recipes that the manifest's header lists with those of the ledger, as sets. */
export function compareHeader(
  listed: readonly { readonly name: string; readonly version: string; readonly digest: string }[],
  records: readonly RecipeRecord[],
): GraphDifference | undefined {
  const toKey = (entry: { name: string; version: string; digest: string }) =>
    `${entry.name}@${entry.version} ${entry.digest}`;
  const inHeader = new Set(listed.map(toKey));
  const inLedger = new Set(records.map(toKey));
  for (const key of inLedger) {
    if (!inHeader.has(key)) return { path: 'media.jsonl', expected: key, actual: 'not listed' };
  }
  for (const key of inHeader) {
    if (!inLedger.has(key)) return { path: 'media.jsonl', expected: 'not listed', actual: key };
  }
  return undefined;
}
