import type { Digest } from '../../src/base/digest.ts';
import { svcError } from '../../src/base/error.ts';
import type { ManifestRoute } from './pull-manifest.ts';
import { owningRecipes } from './push-manifest.ts';
import { type RegistryCall, sendEmpty } from './registry-call.ts';
import { wireError } from './wire-error.ts';

/** Recipes whose tags in this repository reach a manifest. */
function recipesReaching(call: RegistryCall, repository: string, digest: Digest): readonly string[] {
  const { index } = call.store;
  const names = new Set<string>();
  for (const tag of index.tags(repository)) {
    const recipes = owningRecipes(tag);
    if (recipes.length === 0) continue;
    if (tag.digest === digest || index.reach(tag.digest).has(digest)) {
      for (const recipe of recipes) names.add(recipe);
    }
  }
  return [...names];
}

/**
 * DELETE of a tag, or of a manifest with the tags that point at it (distribution specification, Deleting tags and
 * manifests). What a recipe brought goes only with the recipe.
 *
 * @throws SVC-POL-002
 */
export async function deleteManifest(call: RegistryCall, route: ManifestRoute): Promise<void> {
  const { store } = call;
  const { repository } = route;
  const unknown = () => wireError(404, 'MANIFEST_UNKNOWN', 'manifest unknown to registry');
  let reference: string;
  if ('tag' in route) {
    reference = route.tag;
    const record = store.index.tag(repository, route.tag);
    if (record === undefined) throw unknown();
    const recipes = owningRecipes(record);
    if (recipes.length > 0) throw svcError('SVC-POL-002', { repository, recipes });
    if ((await store.deleteTag(repository, route.tag)) === undefined) throw unknown();
  } else {
    reference = route.digest;
    if (!store.index.isManifestIn(repository, route.digest)) throw unknown();
    const recipes = recipesReaching(call, repository, route.digest);
    if (recipes.length > 0) throw svcError('SVC-POL-002', { repository, recipes });
    if ((await store.deleteManifest(repository, route.digest)) === undefined) throw unknown();
  }
  call.report.audit({
    actor: call.identity.actor,
    action: 'content.delete',
    target: 'tag' in route ? `${repository}:${reference}` : `${repository}@${reference}`,
    outcome: 'success',
    origin: call.exchange.origin,
  });
  call.onChange();
  sendEmpty(call, 202);
}
