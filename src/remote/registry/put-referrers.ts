import type { Serial } from '../../base/concurrency.ts';
import { type Digest, hashBytes } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { readListEntries } from '../../oci/list-entries.ts';
import { ManifestError, manifestLimits } from '../../oci/manifest.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import type { CallOptions, ManifestContent } from '../../oci/ports.ts';
import { fallbackTag } from '../../oci/reference.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { writeUntilKept } from '../write-until-kept.ts';
import { fetchManifest } from './manifests.ts';
import { putManifest } from './put-manifest.ts';
import { type RepositoryScope, toName } from './scope.ts';

/**
 * Reads the fallback index to be extended, at most 4 MiB.
 *
 * @throws SVC-DST-005 for one that is larger or that is not an index
 */
async function readForMerge(
  scope: RepositoryScope,
  tag: string,
  options?: CallOptions,
): Promise<ManifestContent | undefined> {
  const reference = toName(scope, tag);
  try {
    const held = await fetchManifest(scope, tag, options);
    if (held) readListEntries(held.bytes);
    return held;
  } catch (error) {
    if (isSvcError(error, 'SVC-VAL-002'))
      throw svcError('SVC-DST-005', { reference, limit: manifestLimits.bytes });
    if (error instanceof ManifestError) throw svcError('SVC-DST-005', { reference, rule: error.rule });
    throw error;
  }
}

/**
 * The fallback index with referrers added; undefined when it contains all. Its other members are kept.
 *
 * @throws SVC-DST-005 when it has no room for them
 */
export function toMergedReferrers(
  held: ManifestContent | undefined,
  referrers: readonly Descriptor[],
  reference: string,
): ManifestContent | undefined {
  const present = held === undefined ? [] : readListEntries(held.bytes).manifests;
  const digests = new Set(present.map(({ digest }) => digest));
  const added = referrers.filter(({ digest }) => !digests.has(digest));
  if (added.length === 0) return undefined;
  const document: Record<string, unknown> =
    held === undefined
      ? { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [] }
      : (JSON.parse(held.bytes.toString('utf8')) as Record<string, unknown>);
  const most = manifestLimits.children;
  const manifests = [...((document.manifests as unknown[] | null | undefined) ?? []), ...added];
  if (manifests.length > most)
    throw svcError('SVC-DST-005', {
      reference,
      rule: rule(['more than {most} entries', fr`plus de {most} entrées`], { most }),
    });
  document.manifests = manifests;
  const bytes = Buffer.from(JSON.stringify(document));
  if (bytes.length > manifestLimits.bytes)
    throw svcError('SVC-DST-005', { reference, limit: manifestLimits.bytes });
  return {
    descriptor: { mediaType: mediaTypes.ociIndex, digest: hashBytes(bytes), size: bytes.length },
    bytes,
  };
}

/**
 * Adds referrers to the fallback index (distribution specification, Referrers Tag Schema). There is no
 * conditional write: the index is read again after each write, at once and later, until it contains all.
 *
 * @param merging serializes the writes of this process
 * @throws SVC-REG-007 when other clients overwrite it repeatedly, SVC-DST-005 when it has no room, errors of the client
 */
export async function putReferrerFallback(
  scope: RepositoryScope,
  subject: Digest,
  referrers: readonly Descriptor[],
  merging: Serial,
  options?: CallOptions,
): Promise<void> {
  const tag = fallbackTag(subject);
  const reference = toName(scope, tag);
  const merge = async (): Promise<boolean> => {
    const merged = toMergedReferrers(await readForMerge(scope, tag, options), referrers, reference);
    if (merged !== undefined) await putManifest(scope, tag, merged, options);
    return merged !== undefined;
  };
  if (!(await writeUntilKept(() => merging.run(merge), options?.signal)))
    throw svcError('SVC-REG-007', {
      reference,
      detail: rule([
        'another client keeps overwriting the referrers index',
        fr`un autre client remplace sans cesse l’index des référents`,
      ]),
    });
}
