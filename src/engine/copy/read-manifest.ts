import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { type Manifest, ManifestError, manifestLimits } from '../../oci/manifest.ts';
import { parseManifestInTurns } from '../../oci/parse-in-turns.ts';
import type { CallOptions, ManifestContent, ManifestFetcher } from '../../oci/ports.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

export interface ReadManifest {
  readonly content: ManifestContent;
  readonly manifest: Manifest;
}

/** Requires that a manifest is small enough to be read. @throws SVC-REG-009 */
export function requireReadable({ size }: Pick<Descriptor, 'size'>, reference: string): void {
  if (size > manifestLimits.bytes)
    throw svcError('SVC-REG-009', {
      reference,
      detail: rule(
        ['a manifest of {size} bytes is too large', fr`un manifeste de {size} octets est trop grand`],
        { size },
      ),
    });
}

/**
 * Reads, verifies and parses a manifest. The bytes returned are the bytes verified.
 *
 * @param wanted the manifest, or a descriptor with which it is fetched; size 0: unknown
 * @param reference names it in errors
 * @throws SVC-REG-005 when the source does not have it, SVC-SIG-002 for another digest or size, SVC-REG-009
 *   when it is larger than 4 MiB or not a manifest, SVC-REG-007 for a page in its place
 */
export async function readManifest(
  source: ManifestFetcher,
  wanted: ManifestContent | Descriptor,
  reference: string,
  options?: CallOptions,
): Promise<ReadManifest> {
  const descriptor = 'bytes' in wanted ? wanted.descriptor : wanted;
  const { digest, size } = descriptor;
  requireReadable(descriptor, reference);
  const content = 'bytes' in wanted ? wanted : await source.fetchManifest(digest, options);
  if (!content) throw svcError('SVC-REG-005', { reference: `${reference} (${digest})` });
  const actual = hashBytes(content.bytes, digestAlgorithm(digest));
  if (actual !== digest) throw svcError('SVC-SIG-002', { reference, expected: digest, actual });
  // a size of 0 means that the size is unknown
  const { length } = content.bytes;
  if (size !== 0 && size !== length)
    throw svcError('SVC-SIG-002', {
      reference,
      expected: rule(['{digest} of {size} bytes', fr`{digest} de {size} octets`], { digest, size }),
      actual: rule(['{length} bytes', fr`{length} octets`], { length }),
    });
  try {
    const announced = content.descriptor.mediaType || descriptor.mediaType || undefined;
    const manifest = await parseManifestInTurns(content.bytes, announced);
    return {
      content: {
        bytes: content.bytes,
        descriptor: {
          ...content.descriptor,
          digest,
          size: content.bytes.length,
          mediaType: manifest.mediaType,
        },
      },
      manifest,
    };
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw toManifestError(error, reference, digest);
  }
}

/** Converts a fault of a manifest. A page in its place is a fault of the transfer; anything else stays unchanged. */
export function toManifestError(error: ManifestError, reference: string, digest?: Digest): SvcError {
  const detail =
    digest === undefined
      ? error.rule
      : rule(
          [
            '{digest} is not a valid manifest: {broken}',
            fr`{digest} n’est pas un manifeste valide : {broken}`,
          ],
          {
            digest,
            broken: error.rule,
          },
        );
  return svcError(error.isPage ? 'SVC-REG-007' : 'SVC-REG-009', { reference, detail }, { cause: error });
}
