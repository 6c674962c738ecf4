import { type Digest, digestAlgorithm, hashBytes } from '../../../src/base/digest.ts';
import type { Artifact } from '../content/content.ts';
import type { HttpRepository } from '../content/push-artifact.ts';

const accept = ['application/vnd.oci.image.index.v1+json', 'application/vnd.oci.image.manifest.v1+json'].join(
  ', ',
);

/**
 * Pulls an artifact back from a repository, digest by digest.
 *
 * @returns the digests that the repository has, sorted; absent ones are left out
 * @throws when something arrives altered, or the answer is neither 200 nor 404
 */
export async function listHeldAt(at: HttpRepository, artifact: Artifact): Promise<readonly Digest[]> {
  const held = new Set<Digest>();
  const pull = async (kind: 'manifests' | 'blobs', digest: Digest): Promise<void> => {
    const bytes = await pullBytes(at, kind, digest);
    if (bytes === undefined) return;
    if (hashBytes(bytes, digestAlgorithm(digest)) !== digest)
      throw new Error(`${at.repository}@${digest} arrived altered`);
    held.add(digest);
  };
  const walk = async ({ manifest, blobs, children }: Artifact): Promise<void> => {
    await pull('manifests', manifest.descriptor.digest);
    for (const { descriptor } of blobs) await pull('blobs', descriptor.digest);
    for (const child of children) await walk(child.artifact);
  };
  await walk(artifact);
  return [...held].sort();
}

/** The bytes of a manifest or blob; undefined when it is not there. */
export async function pullBytes(
  { registry, repository, authorization }: HttpRepository,
  kind: 'manifests' | 'blobs',
  reference: string,
): Promise<Buffer | undefined> {
  const response = await fetch(`${registry}/v2/${repository}/${kind}/${reference}`, {
    headers: { accept, ...(authorization === undefined ? {} : { authorization }) },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${repository} ${reference}: ${response.status} ${bytes.toString()}`);
  return bytes;
}
