import { forEachBounded } from '../../base/concurrency.ts';
import { type Digest, hashBytes } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { ManifestError, manifestLimits, parseManifest } from '../../oci/manifest.ts';
import type { CallOptions, ManifestContent, Prober, Source } from '../../oci/ports.ts';
import { isSvcError, svcError } from '../../text/error.ts';

const asksAtOnce = 8;

/**
 * Reads the classic artifact of a destination, with the layers whose payload is there. A signature without its payload
 * verifies nowhere, and cannot be put again.
 *
 * @param digest of the artifact
 * @param reference `<host>/<path>:<tag>`
 * @returns undefined when it is not there
 * @throws SVC-DST-005 when it is larger than 4 MiB, errors of the destination
 */
export async function readTargetSignatures(
  target: Prober & Source,
  digest: Digest,
  reference: string,
  call: CallOptions,
): Promise<ManifestContent | undefined> {
  let found: ManifestContent | undefined;
  try {
    found = await target.fetchManifest(digest, call);
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-002')) throw error;
    throw svcError('SVC-DST-005', { reference, limit: manifestLimits.bytes });
  }
  if (!found) return undefined;
  const layers = readLayers(found);
  const payloads = new Map(layers.map((layer) => [layer.digest, layer]));
  const absent = new Set<Digest>();
  await forEachBounded([...payloads.values()], asksAtOnce, async (payload) => {
    if (!(await target.hasBlob(payload, call))) absent.add(payload.digest);
  });
  if (absent.size === 0) return found;
  const document = {
    ...(JSON.parse(found.bytes.toString('utf8')) as object),
    layers: layers.filter((layer) => !absent.has(layer.digest)),
  };
  const bytes = Buffer.from(JSON.stringify(document));
  return { bytes, descriptor: { ...found.descriptor, digest: hashBytes(bytes), size: bytes.length } };
}

/** @returns none for an artifact that is not an image */
function readLayers({ bytes, descriptor }: ManifestContent): readonly Descriptor[] {
  try {
    const manifest = parseManifest(bytes, descriptor.mediaType);
    return manifest.kind === 'image' ? manifest.layers : [];
  } catch (error) {
    if (error instanceof ManifestError) return [];
    throw error;
  }
}
