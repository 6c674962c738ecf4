import type { Descriptor } from './descriptor.ts';
import { isBundleType, isIndexType, mediaTypes, toPlainType } from './media-types.ts';

/**
 * Announced kind of a referrer, according to an entry of a list:
 *
 * - `signature`: a bundle, or nothing in particular, since older registries and indexes leave the type out or name that of
 *   the config
 * - `other`: an index, or an artifact of a known format without our signatures
 * - `unclear`: every other type
 *
 * A hint, which decides the order and number of requests: nothing verifies it, and only the manifest shows the kind.
 */
export type Announced = 'signature' | 'unclear' | 'other';

/** Types of configs. Registries that do not know `artifactType` list them as the type of an artifact. */
const configTypes: ReadonlySet<string> = new Set([
  '',
  mediaTypes.ociEmpty,
  mediaTypes.ociConfig,
  mediaTypes.dockerConfig,
]);

/** SBOMs, statements of builds and scans, signatures of the Notary Project, and content. */
const otherForms: readonly RegExp[] = [
  /spdx|cyclonedx|syft|sbom/,
  /[/.]in-toto|slsa|openvex|sarif|[/.](?:vex|csaf)\b/,
  /^application\/vnd\.(?:cncf\.notary|cncf\.helm|goharbor|docker\.attestation|security\.vulnerability)\./,
];

/** @param entry as it was received: members of any type */
export function announcedAs({
  artifactType,
  mediaType,
}: {
  readonly artifactType?: unknown;
  readonly mediaType?: unknown;
}): Announced {
  const type = typeof artifactType === 'string' ? toPlainType(artifactType) : '';
  if (isBundleType(type)) return 'signature';
  if (typeof mediaType === 'string' && isIndexType(toPlainType(mediaType))) return 'other';
  if (configTypes.has(type)) return 'signature';
  return otherForms.some((form) => form.test(type)) ? 'other' : 'unclear';
}

const order: readonly Announced[] = ['signature', 'unclear', 'other'];

/**
 * Merges two entries for one manifest, of which one may be wrong.
 *
 * @returns the one that announces rather a signature; of equal ones the earlier
 */
export function mergeEntries(earlier: Descriptor, later: Descriptor): Descriptor {
  const rank = (entry: Descriptor): number =>
    isBundleType(entry.artifactType) ? -1 : order.indexOf(announcedAs(entry));
  return rank(later) < rank(earlier) ? later : earlier;
}
