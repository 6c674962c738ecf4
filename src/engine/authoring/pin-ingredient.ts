import type { Digest } from '../../base/digest.ts';
import type { Once } from '../../base/once.ts';
import { effectiveArtifactType } from '../../oci/manifest.ts';
import { isBundleType } from '../../oci/media-types.ts';
import type { Platform } from '../../oci/platform.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference } from '../../oci/reference.ts';
import type { Ingredient } from '../../recipe/model.ts';
import type { RemoteRegistry, RemoteRepository } from '../../remote/model.ts';
import { chooseChildren } from '../copy/choose-children.ts';
import { requireOwnPlatform } from '../copy/read-graph.ts';
import { type ReadManifest, readManifest } from '../copy/read-manifest.ts';
import { requireDeclared } from '../copy/require-declared.ts';
import { selectTag } from '../sync/resolve-recipe.ts';

/** What the references of a recipe are resolved with. Each list of tags is read once. */
export interface PinSources extends CallOptions {
  readonly registry: RemoteRegistry;
  readonly tagLists: Once<string, readonly string[]>;
}

/** The manifest to which an ingredient leads today. */
export interface FoundIngredient extends ReadManifest {
  readonly remote: RemoteRepository;
  /** Exact tag. */
  readonly version: string;
  readonly digest: Digest;
  /** `<host>/<path>:<tag>` */
  readonly reference: string;
}

/**
 * Resolves an ingredient: its constraint to a tag, its tag to a digest. The manifest is then read by that digest and
 * hashed, so that what is pinned is content that the registry serves; it is the only manifest that is read. Requires
 * that the content is of the declared kind and has the platforms.
 *
 * @param pinned digest that is kept: the tag is not asked for
 * @param platforms to be there, empty: any
 * @throws SVC-REG-005…008, SVC-SIG-002, SVC-SIG-003, errors of the client
 */
export async function findIngredient(
  { registry, tagLists, signal }: PinSources,
  ingredient: Ingredient,
  { pinned, platforms }: { readonly pinned?: Digest | undefined; readonly platforms: readonly Platform[] },
): Promise<FoundIngredient> {
  const call: CallOptions = signal ? { signal } : {};
  const { ref } = ingredient;
  const remote = registry.repository(ref);
  const { version } = await selectTag(ingredient, remote, formatReference(ref), tagLists, call);
  const reference = formatReference({ ...ref, tag: version });
  const descriptor =
    pinned === undefined ? await remote.resolve(version, call) : { mediaType: '', digest: pinned, size: 0 };
  if (!descriptor) throw remote.toNotFound(version);
  const read = await readManifest(remote, descriptor, reference, call);
  const { manifest, content } = read;
  const isSignature = manifest.subject !== undefined && isBundleType(effectiveArtifactType(manifest));
  const signatures = isSignature ? [descriptor.digest] : [];
  requireDeclared({ root: content.descriptor, manifest, signatures }, ingredient, reference);
  const asked = { ...call, reference, platforms };
  if (manifest.kind === 'image') await requireOwnPlatform(remote, manifest, asked);
  else if (platforms.length > 0) await chooseChildren(remote, manifest, asked);
  return { ...read, remote, version, digest: descriptor.digest, reference };
}
