import type { Digest } from '../../base/digest.ts';
import { compareVersions } from '../../recipe/constraint.ts';
import type { Waits } from './waits.ts';

/** How a recipe of a medium stands to the zone, by the records of imports: `same` is in the zone, and `new` is not in any version. */
export interface ZoneStanding {
  readonly standing: 'same' | 'older' | 'newer' | 'new';
  /** The highest version in the zone, where that is another one. */
  readonly version?: string;
}

/** Compares a recipe of a medium with the imports of the zone. The registry is not asked. Pure. */
export function compareWithZone(
  { name, version, digest }: { readonly name: string; readonly version: string; readonly digest: Digest },
  { arrived, owed, highest = {} }: Pick<Waits, 'arrived' | 'owed' | 'highest'>,
): ZoneStanding {
  const isLost = owed.some((each) => each.name === name && each.version === version);
  const own = arrived.filter((each) => each.name === name);
  if (!isLost && own.some((each) => each.digest === digest)) return { standing: 'same' };
  // imports of media without a delivery are known by the version only
  const landed = Object.hasOwn(highest, name) ? [highest[name]!] : [];
  const [top] = [...landed, ...own.map((each) => each.version)]
    .filter((each) => !isLost || each !== version)
    .sort((a, b) => compareVersions(b, a));
  if (top === undefined) return { standing: 'new' };
  const order = compareVersions(top, version);
  const isKnown = own.some((each) => each.version === version);
  if (order === 0 && !isKnown) return { standing: 'same' };
  return { standing: order > 0 ? 'newer' : 'older', version: top };
}
