import type { MediumClaims } from '../../contract/medium.ts';
import type { Status } from '../../contract/status.ts';
import { type FreshnessRecord, findImport } from '../../engine/medium/freshness.ts';
import { isSvcError } from '../../text/error.ts';
import { openArrivals } from '../../zone/arrivals.ts';

/** The import of a medium; the record of a part of a delivery names no run. */
export interface OwnImport extends NonNullable<Status['lastImport']> {
  readonly resolvedAt: string;
  /** Whether all recipes of the medium landed, and its delivery was complete. */
  readonly whole?: boolean;
}

/**
 * Finds the import of a medium by the two records of its zone: that of media whose recipes landed, and that of the parts of
 * deliveries, whose recipes may wait for others.
 *
 * @param medium.resolvedAt absent for a medium that was not verified: any of its imports is meant then
 * @param verified the peer whose passport vouches for the medium, or none. Default: it was not verified
 */
export async function findOwnImport(
  { stateRoot, zone, record }: OfZone,
  medium: Pick<MediumClaims, 'mediaId'> & { readonly resolvedAt?: string | undefined },
  verified?: { readonly peer: string | undefined },
): Promise<OwnImport | undefined> {
  const { mediaId } = medium;
  const whole = findImport(record, medium);
  if (whole !== undefined) return whole;
  const part = (await listArrivedParts({ stateRoot, zone })).find(
    (one) => one.mediaId === mediaId && (verified === undefined || one.peer === verified.peer),
  );
  return part;
}

interface OfZone {
  readonly stateRoot: string | undefined;
  readonly zone: string;
  readonly record: FreshnessRecord | undefined;
}

/** Lists the parts of deliveries that arrived in a zone, the last one first; none where a record cannot be read. */
export async function listArrivedParts({
  stateRoot,
  zone,
}: Pick<OfZone, 'stateRoot' | 'zone'>): Promise<
  readonly (OwnImport & { readonly peer: string | undefined })[]
> {
  if (stateRoot === undefined) return [];
  try {
    return (await openArrivals(stateRoot).list())
      .filter((one) => one.zone === zone)
      .flatMap(({ landed, peer, resolvedAt }) =>
        landed.map(({ mediaId, importedAt }) => ({ mediaId, importedAt, resolvedAt, peer })),
      )
      .sort((a, b) => (a.importedAt < b.importedAt ? 1 : -1));
  } catch (error) {
    // the page of the medium reports a record that cannot be read
    if (isSvcError(error)) return [];
    throw error;
  }
}
