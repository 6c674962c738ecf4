import type { Digest } from '../../../../src/base/digest.ts';
import type { RecipeRecord, StoreIndex } from '../../../../src/catalog/model.ts';
import type { MediumReport, RecipeVerdict } from '../../../../src/contract/medium.ts';
import { toBlobDigest } from '../../../../src/engine/medium/inventory.ts';
import { signatureTag } from '../../../../src/oci/reference.ts';

type Finding = MediumReport['findings'][number];
type Index = Pick<StoreIndex, 'recipes' | 'reach' | 'referrers' | 'tag'>;

export interface FoldedFindings {
  /** Findings on files of a blocked recipe, which follow from the reason why it is blocked. */
  readonly ofRecipe: ReadonlyMap<RecipeVerdict, readonly Finding[]>;
  readonly others: readonly Finding[];
}

const isOf = (record: RecipeRecord, { name, version, cookbook, digest }: RecipeVerdict): boolean =>
  record.name === name &&
  record.version === version &&
  record.cookbook === cookbook &&
  record.digest === digest;

/** Whether a finding is the reason of a recipe, which the recipe says. */
const isReason = (reason: RecipeVerdict['reason'], { code, path }: Finding): boolean =>
  reason?.code === code && reason.path === path;

/** Files of a recipe as the ledger of the medium claims them, with those of signatures. */
function* listClaimed(index: Index, record: RecipeRecord): Generator<Digest> {
  yield record.documentDigest;
  for (const { repository, digest } of [record, ...record.ingredients]) {
    const tag = signatureTag(digest);
    const signature = tag === undefined ? undefined : index.tag(repository, tag)?.digest;
    const attached = index.referrers(repository, digest).map((each) => each.digest);
    for (const root of [digest, ...attached, ...(signature === undefined ? [] : [signature])])
      yield* index.reach(root);
  }
}

/**
 * Separates the findings that follow from a blocked recipe. The unsigned ledger of the medium assigns files to recipes,
 * so it orders the page and decides nothing. A file of several blocked recipes stands under the first.
 */
export function foldFindings(
  index: Index,
  { recipes, findings }: Pick<MediumReport, 'recipes' | 'findings'>,
): FoldedFindings {
  const owners = new Map<Digest, RecipeVerdict>();
  for (const verdict of findings.length === 0 ? [] : recipes.filter(({ pushable }) => !pushable)) {
    const record = index.recipes().find((each) => isOf(each, verdict));
    if (record === undefined) continue;
    for (const digest of listClaimed(index, record)) if (!owners.has(digest)) owners.set(digest, verdict);
  }
  const ofRecipe = new Map<RecipeVerdict, Finding[]>();
  const others: Finding[] = [];
  for (const finding of findings) {
    const digest = toBlobDigest(finding.path);
    const owner = digest === undefined ? undefined : owners.get(digest);
    if (owner === undefined) {
      if (!recipes.some(({ reason }) => isReason(reason, finding))) others.push(finding);
    } else {
      const list = ofRecipe.get(owner) ?? [];
      ofRecipe.set(owner, list);
      list.push(finding);
    }
  }
  return { ofRecipe, others };
}
