import type { RecipeVerdict } from '../../contract/medium.ts';
import { errorKinds } from '../../text/errors/codes.ts';
import type { WantedRecipe } from '../runs.ts';
import type { Waits } from './waits.ts';

/** Codes of a file that the disk lost, or that was damaged on it. */
const damaged = /^SVC-MED-01[0-4]$/;

/**
 * Divides the recipes that a medium withholds. Of a recipe with the same digest that a delivery brought into the zone, only the
 * copy on this medium is damaged, and the zone lacks nothing. One that a rule refuses is no copy: the rule counts in the zone too.
 */
export function splitBlocked<T extends Pick<RecipeVerdict, 'digest' | 'reason'>>(
  blocked: readonly T[],
  waits: Waits | undefined,
): { readonly lacking: readonly T[]; readonly copies: readonly T[] } {
  const lost = new Set(waits?.owed.map(({ name, version }) => `${name}@${version}`));
  const here = new Set(
    waits?.arrived.flatMap(({ name, version, digest }) => (lost.has(`${name}@${version}`) ? [] : [digest])),
  );
  const isCopy = ({ digest, reason }: T): boolean => here.has(digest) && damaged.test(reason?.code ?? '');
  return { lacking: blocked.filter((each) => !isCopy(each)), copies: blocked.filter(isCopy) };
}

type Withheld = Pick<RecipeVerdict, 'name' | 'version' | 'reason'>;

const toKey = ({ name, version }: Pick<Withheld, 'name' | 'version'>): string => `${name}@${version}`;

/** Adds the recipes that a medium withholds, and that the zone lacks, to the wanted ones: the medium lists them for this zone. */
export function addWithheld(
  wanted: readonly WantedRecipe[],
  lacking: readonly Withheld[],
): readonly WantedRecipe[] {
  const withheld = new Map(lacking.map((each) => [toKey(each), each]));
  const isMissing = new Set(wanted.filter(({ standing }) => standing !== 'here').map(toKey));
  return [
    ...wanted.filter((each) => each.standing !== 'here' || !withheld.has(toKey(each))),
    ...[...withheld.values()]
      .filter((each) => !isMissing.has(toKey(each)))
      .map(
        ({ name, version, reason }): WantedRecipe => ({
          ...{ name, version, status: 'failed', standing: 'missing', isAside: true, isWithheld: true },
          error: reason && { ...reason, class: errorKinds[reason.code].class },
        }),
      ),
  ];
}

/**
 * The recipes of a list as a page shows them beside the medium that is here: with those that it withholds, and with damaged copies
 * of recipes that the zone has.
 */
export function besideMedium(
  wanted: readonly WantedRecipe[],
  { lacking, copies }: { readonly lacking: readonly Withheld[]; readonly copies: readonly Withheld[] },
): readonly WantedRecipe[] {
  const damaged = new Set(copies.map(toKey));
  const all = addWithheld(wanted, lacking);
  if (damaged.size === 0) return all;
  return all.map((each) =>
    each.standing === 'here' && damaged.has(toKey(each)) ? { ...each, isCopyDamaged: true } : each,
  );
}
