import type { MemberDifference, RecipeDiff, ReTaggedReference } from '../../contract/authoring.ts';
import { compareMembers } from '../../recipe/compare-members.ts';

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
  const toWhole = ({ bytes: _, ...written }: RecipeDiff['added'][number]) => written;
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
