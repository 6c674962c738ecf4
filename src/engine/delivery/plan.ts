import type { Digest } from '../../base/digest.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import { type Contents, sumContents } from '../copy/sum-contents.ts';
import type { RecipeClosure } from './close.ts';

/** What the zone is believed to have. */
export interface DeliveryBase {
  /** Contents of its recipes, by the digest of the manifest of each; undefined where the sender does not know them. */
  readonly roots: ReadonlyMap<Digest, Contents | undefined>;
  /** Further blobs of the zone, which it lists itself. */
  readonly inventory?: ReadonlySet<Digest>;
}

/** Bytes of one recipe. Content that several recipes share is counted for each. */
export interface PlannedRecipe {
  readonly record: RecipeRecord;
  readonly totalBytes: number;
  /** Bytes that the delivery brings. */
  readonly writeBytes: number;
  /** Bytes that the zone has. */
  readonly absentBytes: number;
  /** Blobs that the delivery brings for it, with sizes in bytes. */
  readonly blobs: Contents;
}

/** What a delivery brings, before it is distributed over media. */
export interface DeliveryContent {
  /** In the order of the wanted recipes. */
  readonly recipes: readonly PlannedRecipe[];
  /** What every medium of the delivery has. */
  readonly always: Contents;
  /** Blobs that one of the media has. */
  readonly blobs: Contents;
  /** Blobs that none of the media has, because the zone has them. */
  readonly absent: Contents;
  /** Recipes of the zone whose content is not known here: for them, too much is carried and never too little. */
  readonly unknownRoots: readonly Digest[];
}

/** Selects the recipes with content on a part, in whole blobs or in segments. */
export function selectOnPart<Recipe extends Pick<PlannedRecipe, 'blobs'>>(
  recipes: readonly Recipe[],
  {
    blobs,
    segments,
  }: { readonly blobs: Contents; readonly segments: readonly { readonly digest: Digest }[] },
): readonly Recipe[] {
  const cut = new Set(segments.map(({ digest }) => digest));
  return recipes.filter((one) =>
    [...one.blobs.keys()].some((digest) => blobs.has(digest) || cut.has(digest)),
  );
}

/** All content that the zone is known to have. */
export function listKnown(base: DeliveryBase | undefined): ReadonlySet<Digest> {
  const known = new Set<Digest>(base?.inventory);
  for (const contents of base?.roots.values() ?? [])
    for (const digest of contents?.keys() ?? []) known.add(digest);
  return known;
}

/**
 * Plans the content of a delivery: all that the wanted recipes need, without the blobs that the zone has. Pure.
 *
 * @param base undefined: the zone has nothing
 */
export function planDelivery(
  wanted: readonly RecipeClosure[],
  base: DeliveryBase | undefined,
): DeliveryContent {
  const known = listKnown(base);
  const always = new Map(wanted.flatMap((closure) => [...closure.always]));
  const blobs = new Map<Digest, number>();
  const absent = new Map<Digest, number>();
  const recipes = wanted.map(({ record, always: own, blobs: all }): PlannedRecipe => {
    const brought = new Map<Digest, number>();
    for (const [digest, size] of all) {
      if (always.has(digest)) continue;
      if (known.has(digest)) absent.set(digest, size);
      else {
        brought.set(digest, size);
        blobs.set(digest, size);
      }
    }
    const totalBytes = sumContents([own, all]);
    const absentBytes = sumContents([all], new Set([...always.keys(), ...brought.keys()]));
    return { record, totalBytes, writeBytes: totalBytes - absentBytes, absentBytes, blobs: brought };
  });
  const unknownRoots = [...(base?.roots ?? [])].flatMap(([digest, contents]) =>
    contents === undefined ? [digest] : [],
  );
  return { recipes, always, blobs, absent, unknownRoots };
}
