import { toServedReference } from '../open/served-reference.ts';
import { type Finding, ingredientPath, type PureRule } from './model.ts';

/** Of two ingredients with one reference only the first gets the tag; the other is reached by its digest. */
export const sameReference: PureRule = function* ({ ingredients }): Generator<Finding> {
  const first = new Map<string, { readonly name: string; readonly digest?: string | undefined }>();
  for (const [position, { name, ref, version, digest }] of ingredients.entries()) {
    const reference = toServedReference({ ref, tag: version });
    const other = first.get(reference);
    if (other === undefined) first.set(reference, { name, digest });
    else if (digest === undefined || digest !== other.digest)
      yield {
        rule: 'same-reference',
        severity: 'warning',
        path: ingredientPath(position, 'version'),
        params: { name, other: other.name, reference },
      };
  }
};
