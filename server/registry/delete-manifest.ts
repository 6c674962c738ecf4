import type { Digest } from '../../src/base/digest.ts';
import { isPacked, recipesOf } from '../../src/catalog/tag-rules.ts';
import { isBundleType } from '../../src/oci/media-types.ts';
import { deleteManifest, deleteTag } from '../../src/store/delete-content.ts';
import { svcError } from '../../src/text/error.ts';
import type { ManifestRoute } from './pull-manifest.ts';
import { type RegistryCall, sendEmpty } from './registry-call.ts';
import { wireError } from './wire-error.ts';

/**
 * Refuses to delete a manifest that a recipe or a local pack reaches in this repository. Also refuses bundle
 * signatures of content that a recipe reaches, since a verification needs them.
 *
 * @throws SVC-POL-002, SVC-POL-005
 */
function requireUnreached(call: RegistryCall, repository: string, digest: Digest): void {
  const { index } = call.store;
  const { subject, artifactType } = index.manifest(digest) ?? {};
  const signed = isBundleType(artifactType) ? subject : undefined;
  const recipes = new Set<string>();
  for (const { tag, digest: root, owners } of index.tags(repository)) {
    const owning = recipesOf(owners);
    if (owning.length === 0 && !isPacked(owners)) continue;
    const reached = index.reach(root);
    if (reached.has(digest) && owning.length === 0)
      throw svcError('SVC-POL-005', { reference: `${repository}:${tag}` });
    if (reached.has(digest) || (signed !== undefined && reached.has(signed)))
      for (const recipe of owning) recipes.add(recipe);
  }
  if (recipes.size > 0) throw svcError('SVC-POL-002', { repository, recipes: [...recipes] });
}

/** @returns the digest of the tag, undefined when there is no such tag. @throws SVC-POL-002, SVC-POL-005 */
function requireFree(call: RegistryCall, repository: string, tag: string): Digest | undefined {
  const { digest, owners = [] } = call.store.index.tag(repository, tag) ?? {};
  const recipes = recipesOf(owners);
  if (recipes.length > 0) throw svcError('SVC-POL-002', { repository, recipes });
  if (isPacked(owners)) throw svcError('SVC-POL-005', { reference: `${repository}:${tag}` });
  return digest;
}

/**
 * Handles DELETE of a tag, or of a manifest with the tags that point at it (distribution specification,
 * Deleting tags and manifests). A tag of a recipe is removed only with the recipe; a local pack is removed
 * only by an administrator.
 *
 * @throws SVC-POL-002, SVC-POL-005
 */
export async function removeManifest(call: RegistryCall, route: ManifestRoute): Promise<void> {
  const { store } = call;
  const { repository } = route;
  let digest = 'tag' in route ? undefined : route.digest;
  // called in the step that records the deletion, so that the tested state is the deleted one
  const require = (): void => {
    if ('tag' in route) digest = requireFree(call, repository, route.tag);
    else requireUnreached(call, repository, route.digest);
  };
  const deleted =
    'tag' in route
      ? await deleteTag(store, repository, route.tag, { require })
      : await deleteManifest(store, repository, route.digest, { require });
  if (deleted === undefined) throw wireError(404, 'MANIFEST_UNKNOWN', 'manifest unknown to registry');
  call.report.audit({
    actor: call.identity.actor,
    action: 'content.delete',
    target: 'tag' in route ? `${repository}:${route.tag}` : `${repository}@${route.digest}`,
    outcome: 'success',
    origin: call.exchange.origin,
    details: { digest },
  });
  call.onChange(call.identity.actor, call.exchange.origin);
  sendEmpty(call, 202);
}
