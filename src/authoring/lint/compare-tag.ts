import type { Digest } from '../../base/digest.ts';
import type { Ingredient } from '../../recipe/model.ts';
import { type Finding, ingredientPath } from './model.ts';

/** The content of a registry under the tag of an ingredient today. */
interface TagToday {
  /** `<host>/<path>:<tag>` */
  readonly reference: string;
  /** Absent: the registry does not have the tag. */
  readonly digest?: Digest | undefined;
}

/** Compares the digest of an ingredient with the one that its tag names today. Tags move: a difference is a warning. */
export function compareTag(
  { name, digest: pinned }: Pick<Ingredient, 'name' | 'digest'>,
  position: number,
  { reference, digest: actual }: TagToday,
): Finding | undefined {
  if (actual === undefined)
    return {
      rule: 'tag-gone',
      severity: pinned === undefined ? 'error' : 'warning',
      path: ingredientPath(position, 'version'),
      params: { name, reference },
    };
  if (pinned === undefined || pinned === actual) return undefined;
  return {
    rule: 'tag-moved',
    severity: 'warning',
    path: ingredientPath(position, 'digest'),
    params: { name, reference, actual, pinned },
  };
}
