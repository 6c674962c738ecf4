import type { Digest } from '../../base/digest.ts';
import type { Once } from '../../base/once.ts';
import { readJudgedGraph } from '../../engine/copy/judge-graph.ts';
import { GraphMemory } from '../../engine/copy/read-child.ts';
import { type ReadManifest, readManifest } from '../../engine/copy/read-manifest.ts';
import { requireDeclared } from '../../engine/copy/require-declared.ts';
import { selectTag } from '../../engine/sync/resolve-recipe.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { effectiveArtifactType } from '../../oci/manifest.ts';
import { isBundleType } from '../../oci/media-types.ts';
import type { Platform } from '../../oci/platform.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference } from '../../oci/reference.ts';
import type { Ingredient } from '../../recipe/model.ts';
import type { RemoteRegistry, RemoteRepository } from '../../remote/model.ts';
import { isSvcError } from '../../text/error.ts';

/** Sources for resolving the references of a recipe. Each list of tags is read once. */
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
  /** The present target of the tag; absent when the registry does not have it. */
  readonly tagged: Digest | undefined;
  /** `<host>/<path>:<tag>` */
  readonly reference: string;
}

/**
 * Resolves an ingredient: its constraint to a tag, its tag to a digest. The manifest is read once, by its digest, and
 * hashed: the registry serves the pinned content under this digest, as a zone will request it. Requires that the
 * content is of the declared kind, has the platforms, and is within the limits of every other reader. Images below an
 * index are not read.
 *
 * @param pinned digest that is kept; the tag may name another one by now
 * @param platforms to be there, empty: any
 * @throws SVC-REG-005…009, SVC-SIG-002, SVC-SIG-003, errors of the client
 */
export async function findIngredient(
  { registry, tagLists, signal }: PinSources,
  ingredient: Ingredient,
  { pinned, platforms }: { readonly pinned?: Digest | undefined; readonly platforms: readonly Platform[] },
): Promise<FoundIngredient> {
  const call: CallOptions = { signal };
  const { ref } = ingredient;
  const remote = registry.repository(ref);
  const { version } = await selectTag(ingredient, remote, formatReference(ref), tagLists, call);
  const reference = formatReference({ ...ref, tag: version });
  const tagged = await remote.resolve(version, call);
  const read =
    pinned === undefined
      ? await readTagged(remote, { version, tagged, reference }, call)
      : await readManifest(remote, { mediaType: '', digest: pinned, size: 0 }, reference, call);
  const { manifest, content } = read;
  const { digest } = content.descriptor;
  const isSignature = manifest.subject !== undefined && isBundleType(effectiveArtifactType(manifest));
  const signatures = isSignature ? [digest] : [];
  requireDeclared({ root: content.descriptor, manifest, signatures }, ingredient, reference);
  const memory = new GraphMemory();
  memory.hold(digest, read);
  await readJudgedGraph(remote, digest, { ...call, reference, platforms, memory, reads: 'indexes' });
  return {
    ...read,
    remote,
    version,
    digest,
    tagged: pinned === undefined ? digest : tagged?.digest,
    reference,
  };
}

interface TaggedManifest {
  readonly version: string;
  /** The target of the tag according to the registry. */
  readonly tagged: Descriptor | undefined;
  readonly reference: string;
}

/**
 * Reads the manifest of a tag by its digest in the registry, as clients do; the answer for the tag itself is
 * irrelevant. Limits on pulls count only reads. A tag that moved while its former manifest was removed is resolved once
 * more.
 *
 * @throws SVC-REG-005 when there is no such tag, or nothing under its digest; SVC-REG-009, SVC-SIG-002, errors of the client
 */
async function readTagged(
  remote: RemoteRepository,
  { version, tagged, reference }: TaggedManifest,
  call: CallOptions,
): Promise<ReadManifest> {
  if (tagged === undefined) throw remote.toNotFound(version);
  try {
    return await readManifest(remote, tagged, reference, call);
  } catch (error) {
    if (!isSvcError(error, 'SVC-REG-005')) throw error;
    const again = await remote.resolve(version, call);
    if (again === undefined || again.digest === tagged.digest) throw error;
    return readManifest(remote, again, reference, call);
  }
}
