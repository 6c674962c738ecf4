import { canonicalHost, formatReference } from '../../oci/reference.ts';
import type { Ingredient } from '../../recipe/model.ts';

/** Writes the reference of an ingredient as zones know it: a host that has several names has one of them there. */
export function toServedReference({ ref, tag }: Pick<Ingredient, 'ref'> & { readonly tag?: string }): string {
  return formatReference({ ...ref, host: canonicalHost(ref.host), ...(tag === undefined ? {} : { tag }) });
}
