import { selectNearest } from '../base/nearest.ts';
import type { Config } from '../config/model.ts';

/** A zone that may be mistyped. */
export interface UnknownZone {
  /** The zone that the store was resolved for. */
  readonly own: string;
  /** The known name that was most likely meant. */
  readonly nearest: string | undefined;
}

/**
 * Judges the zone of a delivery. A store may serve several zones: those of `zones`, and peers.
 *
 * @param own the zone that the store was resolved for
 * @returns undefined for a known zone, and where nothing says which zone the store is for
 */
export function findUnknownZone(
  zone: string,
  own: string | undefined,
  { zones, peers }: Pick<Config, 'zones' | 'peers'>,
): UnknownZone | undefined {
  const known = new Set([own, ...[...zones, ...peers].map(({ name }) => name)]);
  if (own === undefined || known.has(zone)) return undefined;
  return {
    own,
    nearest: selectNearest(
      zone,
      [...known].filter((name) => name !== undefined),
    ),
  };
}
