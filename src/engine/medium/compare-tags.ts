import type { StoreIndex } from '../../catalog/model.ts';
import { isAliasOf } from '../../catalog/re-point.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { ClearedRecipe } from './judge-recipe.ts';

/**
 * Lists the content of verified recipes that the content ledger names neither by its tag nor by an alias. The ledger
 * was then altered, or written by another program.
 *
 * @param path of the content ledger on the medium
 * @returns SVC-MED-022 for each tag
 */
export function* compareTags(
  cleared: readonly ClearedRecipe[],
  index: Pick<StoreIndex, 'tagsOf'>,
  path: string,
): Generator<SvcError> {
  const seen = new Set<string>();
  for (const { record } of cleared)
    for (const { repository, tag, digest } of [record, ...record.ingredients]) {
      const name = `${repository}:${tag}`;
      if (seen.has(`${name}@${digest}`)) continue;
      seen.add(`${name}@${digest}`);
      const isNamed = index
        .tagsOf(digest)
        .some((one) => one.repository === repository && (one.tag === tag || isAliasOf(one.tag, tag, digest)));
      if (!isNamed)
        yield svcError('SVC-MED-022', {
          path,
          detail: rule(['{name} does not name {digest}', fr`{name} ne nomme pas {digest}`], { name, digest }),
        });
    }
}
