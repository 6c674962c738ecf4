import { isSvcError, svcError } from '../../base/error.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { type ImageManifest, manifestLimits } from '../../oci/manifest.ts';
import type { Platform } from '../../oci/platform.ts';
import type { CallOptions, Prober, Source } from '../../oci/ports.ts';
import { attestedChild } from '../../oci/select-children.ts';
import { type ReadManifest, readManifest } from './read-manifest.ts';
import { readOwnPlatform } from './read-own-platform.ts';

/** A walk through the children of an index that do not name their platform. */
export interface ChildSearch extends CallOptions {
  readonly source: Source & Partial<Pick<Prober, 'hasManifest'>>;
  /** Names the root in errors. */
  readonly reference: string;
  /** Number of manifests that may still be read. */
  left: number;
}

/** Whether a descriptor names a platform. Attestations have the operating system `unknown`. */
export function isNamed({ platform }: Descriptor): boolean {
  return platform !== undefined && platform.os !== 'unknown';
}

/** Whether a child is a nested index, or an image whose platform only its configuration names. */
export function namesNoPlatform(child: Descriptor): boolean {
  return !isNamed(child) && attestedChild(child) === undefined;
}

/**
 * Reads a child that does not name its platform; undefined where the source does not have it, as in a sparse
 * index.
 *
 * @throws SVC-REG-009 when the search exceeds the limit of manifests; errors of reading a manifest
 */
export async function readChild(search: ChildSearch, child: Descriptor): Promise<ReadManifest | undefined> {
  const { source, reference } = search;
  search.left -= 1;
  if (search.left < 0)
    throw svcError('SVC-REG-009', {
      reference,
      detail: `reaches more than ${manifestLimits.children} manifests`,
    });
  if (source.hasManifest && !(await source.hasManifest(child.digest, search))) return undefined;
  return readManifest(source, child, reference, search).catch(ignoreAbsence);
}

/** The platform in the configuration of a child; undefined where none is named, or it is absent. */
export async function readChildPlatform(
  search: ChildSearch,
  manifest: ImageManifest,
): Promise<Platform | undefined> {
  return readOwnPlatform(search.source, manifest, search.reference, search).catch(ignoreAbsence);
}

function ignoreAbsence(error: unknown): undefined {
  if (!isSvcError(error, 'SVC-REG-005')) throw error;
}
