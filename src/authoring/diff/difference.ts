import type { Digest } from '../../base/digest.ts';
import type { ChangedIngredient, MemberDifference, ReTaggedReference } from '../../contract/authoring.ts';
import { compareMembers, type WrittenIngredient } from '../../recipe/compare-members.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import type { ErrorRecord } from '../../text/error.ts';

type Written = WrittenIngredient<CookedRecipe['ingredients'][number]>;

export interface DiffedIngredient extends Written {
  /** Platforms that are carried; those of the recipe where the content could not be read. */
  readonly platforms: readonly string[];
  /** Absent where the content could not be read. */
  readonly bytes?: number;
}

export interface DiffedRecipe {
  readonly name: string;
  readonly version: string;
  readonly documentDigest: Digest;
  /** Digest of the published manifest; absent for a file. */
  readonly digest?: Digest;
}

/** Lists of a comparison, each of which is bounded. */
export type DiffList = 'metadata' | 'added' | 'removed' | 'changed' | 'retagged' | 'problems';

export interface RecipeDiff extends Readonly<Partial<Record<`${DiffList}More`, number>>> {
  readonly old: DiffedRecipe;
  readonly new: DiffedRecipe;
  /** Members of the metadata that differ: name, version, description, labels, annotations. */
  readonly metadata: readonly MemberDifference[];
  readonly added: readonly DiffedIngredient[];
  readonly removed: readonly DiffedIngredient[];
  readonly changed: readonly ChangedIngredient[];
  /** Of several ingredients with one reference the first gets the tag, so that their order matters. */
  readonly retagged: readonly ReTaggedReference[];
  /** Absent where content could not be read. */
  readonly totals?: {
    readonly oldBytes: number;
    readonly newBytes: number;
    /** Bytes of the new recipe for a place that has all of the old one. */
    readonly transferBytes: number;
  };
  readonly problems: readonly {
    readonly recipe: 'old' | 'new';
    readonly name: string;
    readonly error: ErrorRecord;
  }[];
}

/** Whether two recipes say something different. Their documents may still differ in comments, order and layout. */
export const isDifferent = ({ metadata, added, removed, changed, retagged }: RecipeDiff): boolean =>
  [metadata, added, removed, changed, retagged].some((list) => list.length > 0);

/** Lists the tags whose other content no changed ingredient shows. */
function listUnseenTags({ retagged, changed }: RecipeDiff): readonly ReTaggedReference[] {
  return retagged.filter(
    ({ from, to }) => !changed.some((one) => one.from.digest === from && one.to.digest === to),
  );
}

/** Members with a place of their own in a report: its head, or a column of its table of ingredients. */
const shownApart: ReadonlySet<string> = new Set(['name', 'version', 'digest', 'platforms']);

/** A member that differs, of an ingredient or of the recipe itself. */
export interface OtherMember extends MemberDifference {
  readonly ingredient?: string;
}

/**
 * Lists the members that a report shows beside name, version, digest and carried platforms, so that it hides no
 * difference. Ingredients of only one recipe are listed with all their members.
 */
export function listOtherMembers(diff: RecipeDiff): readonly OtherMember[] {
  const { metadata, added, removed, changed } = diff;
  const isOther = ({ path }: MemberDifference): boolean => !shownApart.has(path);
  const toWhole = ({ bytes: _, ...written }: DiffedIngredient) => written;
  const ofIngredient = (ingredient: string, members: readonly MemberDifference[]) =>
    members.map((member) => ({ ingredient, ...member }));
  return [
    ...metadata.filter(isOther).map((member) => ({ ...member, path: `metadata.${member.path}` })),
    ...added.flatMap((one) => ofIngredient(one.name, compareMembers({}, toWhole(one)).filter(isOther))),
    ...removed.flatMap((one) => ofIngredient(one.name, compareMembers(toWhole(one), {}).filter(isOther))),
    ...changed.flatMap(({ name, members, platformsAdded, platformsRemoved }) => {
      // a recipe may name the platforms that another one carries without naming them
      const isCarried = platformsAdded.length + platformsRemoved.length > 0;
      return ofIngredient(
        name,
        members.filter((member) => isOther(member) || (member.path === 'platforms' && !isCarried)),
      );
    }),
    ...listUnseenTags(diff).map(({ reference, from, to }) => ({ path: reference, from, to })),
  ];
}
