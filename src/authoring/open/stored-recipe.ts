import { toUnknownName } from '../../catalog/unknown-name.ts';
import { localSigned } from '../../engine/copy/local-source.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { parseReference } from '../../oci/reference.ts';
import { localRepository } from '../../recipe/relocation.ts';
import { openRepository } from '../../store/open-repository.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import type { ViewParts } from '../../view/parts.ts';
import { listVersions } from '../../view/recipes.ts';
import { type OpenedRecipe, readPublished } from './open-recipe.ts';

/**
 * Opens a recipe of a store, whose ingredients are then read from the store.
 *
 * @throws SVC-REG-005 with the nearest name when the store has no such version; SVC-MED-030 or SVC-MED-032 while the gate
 *   is closed; errors of reading
 */
export async function openStoredRecipe(
  view: Pick<ViewParts, 'store' | 'instance' | 'gate'>,
  { policy, basePrefix }: { readonly policy: TrustPolicy; readonly basePrefix: string | undefined },
  { name, version }: { readonly name: string; readonly version: string },
  call: CallOptions = {},
): Promise<OpenedRecipe> {
  const { store } = view;
  const versions = await listVersions(view, name);
  const found = versions.find((each) => each.version === version);
  if (found === undefined)
    throw toUnknownName(
      `${name}@${version}`,
      versions.map((each) => `${name}@${each.version}`),
    );
  const nominal = parseReference(`${found.cookbook}/${name}:${version}`);
  const read = await readPublished(localSigned(store, found.repository), found.digest, nominal, policy, call);
  return {
    ...read,
    named: `${name}@${version}`,
    readsFrom: 'store',
    open: (ref) =>
      openRepository(store, localRepository(ref, basePrefix), { owner: { provenance: 'recipe' } }),
  };
}
