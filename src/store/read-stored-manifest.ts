import { type Digest, digestAlgorithm, hashBytes } from '../base/digest.ts';
import { readWhole } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { blobPath } from '../oci/layout.ts';
import { manifestLimits } from '../oci/manifest.ts';
import type { ManifestContent } from '../oci/ports.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { RuleError, rule } from '../text/rule.ts';
import type { Store } from './model.ts';

/**
 * Reads the bytes of a manifest from the cache, or from disk with a check of the digest.
 *
 * @param planned descriptor of held content: the records of a manifest go with its last tag
 * @returns undefined when the manifest is not in the store
 * @throws SVC-STO-001; SVC-SIG-002 when the bytes do not match the digest, and then the manifest counts as
 *   absent
 */
export async function readStoredManifest(
  { core }: Pick<Store, 'core'>,
  digest: Digest,
  planned?: Descriptor,
): Promise<ManifestContent | undefined> {
  const { graph, cache, files } = core;
  const content = graph.get(digest);
  const facts = content?.facts ?? planned;
  if (!content?.present || facts === undefined) return undefined;
  const descriptor = {
    mediaType: facts.mediaType,
    digest,
    size: content.size,
    ...(facts.artifactType === undefined ? {} : { artifactType: facts.artifactType }),
  };
  const known = cache.get(digest);
  if (known) return { descriptor, bytes: known };
  const { file, size } = await files.open(content);
  let bytes: Buffer;
  try {
    // a manifest file of a foreign store may have any size
    if (size > manifestLimits.bytes)
      throw new RuleError(
        rule(['larger than {bytes} bytes', fr`plus de {bytes} octets`], { bytes: manifestLimits.bytes }),
      );
    bytes = await readWhole(file, size);
  } catch (error) {
    throw toReadError(error, blobPath(digest));
  } finally {
    await file.close();
  }
  const actual = hashBytes(bytes, digestAlgorithm(digest));
  if (actual !== digest) {
    files.distrust(content);
    throw svcError('SVC-SIG-002', { reference: blobPath(digest), expected: digest, actual });
  }
  cache.set(digest, bytes);
  return { descriptor, bytes };
}
