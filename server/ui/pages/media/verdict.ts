import type { MediumReport, RecipeVerdict } from '../../../../src/contract/medium.ts';
import type { MediumDelivery } from '../../../../src/contract/status.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { errorKinds } from '../../../../src/text/errors/codes.ts';
import type { ErrorCode, ParamValue } from '../../../../src/text/errors/registry.ts';
import { renderError } from '../../../../src/text/message.ts';
import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { inZone } from '../../../../src/text/words/delivering/in-zone.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { media } from '../../../../src/text/words/media.ts';
import type { Sentence, Words } from '../../../../src/text/words/words.ts';
import { sayImported, sayStanding, selectAwaited } from '../../../../src/view/medium-standing.ts';
import { type Html, html } from '../../html.ts';
import { badge, stamp } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { shortHex } from '../../parts/digest.ts';
import { errorLine } from '../../parts/error.ts';
import { untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';

type Verdict = MediumReport['verdict'];
export type Finding = MediumReport['findings'][number];

const verdictWords: Readonly<Record<Verdict, Sentence>> = {
  pushable: media.pushable,
  partial: media.partial,
  blocked: media.blocked,
};
/** The look of a verdict. */
const verdictKinds = { pushable: 'ok', partial: 'warn', blocked: 'bad' } as const;

/** The sentences of a code of the report, in the language of the page. */
export function sentencesOf(
  { words }: Pick<PageCall, 'words'>,
  { code, params }: { readonly code: ErrorCode; readonly params: Readonly<Record<string, ParamValue>> },
): ReturnType<typeof renderError> {
  return renderError(
    fromErrorRecord({ code, class: errorKinds[code].class, params }),
    words.language,
    isolate,
  );
}

/** The reason for which a recipe is blocked, with the way to its help. */
export function reasonLine(
  { words }: PageCall,
  { code, params }: Pick<NonNullable<RecipeVerdict['reason']>, 'code' | 'params'>,
): Html {
  return errorLine(words, { code, class: errorKinds[code].class, params });
}

/** The title of a list of guards: once all of them are waived, nothing blocks the medium any more. */
export function blocksTitle(blocks: MediumReport['blocks']): Sentence {
  return blocks.every(({ waived }) => waived) ? media.guards : media.blocks;
}

type Judged = Pick<MediumReport, 'verdict' | 'recipes' | 'blocks'>;

/** Whether a medium passed only because a guard was waived. */
export const isWaived = ({ verdict, blocks }: Pick<Judged, 'verdict' | 'blocks'>): boolean =>
  verdict === 'pushable' && blocks.some(({ waived }) => waived);

/**
 * The verdict on a medium as word and look. One that passed and whose recipes need other parts waits for them, and one that
 * passed with a waiver says so.
 */
export function verdictState({ say }: Words, { verdict, recipes, blocks }: Judged) {
  const parts = awaitedParts(recipes);
  if (verdict === 'pushable' && parts.length > 0)
    return { kind: 'warn', text: say(media.waits, { parts }) } as const;
  return isWaived({ verdict, blocks })
    ? ({ kind: 'warn', text: say(media.passedWaived) } as const)
    : ({ kind: verdictKinds[verdict], text: say(verdictWords[verdict]) } as const);
}

export function verdictBadge({ words }: PageCall, report: Judged): Html {
  const { kind, text } = verdictState(words, report);
  return stamp(kind, text);
}

/** The verdict on a recipe. @param isHeld whether the medium is blocked as a whole */
export function recipeBadge({ words: { say } }: PageCall, recipe: RecipeVerdict, isHeld = false): Html {
  if (!recipe.pushable) return badge('bad', say(media.recipeBlocked));
  if (isHeld) return badge('warn', say(media.recipeHeld));
  const parts = awaitedParts([recipe]);
  return parts.length > 0
    ? badge('warn', say(media.recipeWaits, { parts }))
    : badge('ok', say(media.recipePushable));
}

/** Whether a medium is blocked as a whole. */
export const isHeldBack = ({ blocks }: Pick<MediumReport, 'blocks'>): boolean =>
  blocks.some(({ waived }) => !waived);

/**
 * Why a report has no recipes. The medium has none, which is a block of its own; or it was blocked before a look at them,
 * and may have some.
 */
export function noRecipesLine(
  { words: { say } }: PageCall,
  { blocks }: Pick<MediumReport, 'blocks'>,
): string {
  const isUnread = blocks.length > 0 && blocks.every(({ code }) => code !== 'SVC-MED-025');
  return say(isUnread ? media.recipesUnread : media.noRecipes);
}

/** Why a medium whose recipes passed is blocked as a whole, in few words. */
const blockedBy: Partial<Readonly<Record<ErrorCode, Sentence>>> = {
  'SVC-MED-006': media.blockedZone,
  'SVC-MED-007': media.blockedStale,
};

/** How many recipes passed, and how many are blocked; of a medium that is blocked as a whole, that nothing can be imported. */
export function verdictLine(call: PageCall, report: Pick<MediumReport, 'blocks' | 'recipes'>): string {
  const { say } = call.words;
  const { recipes } = report;
  const passed = recipes.filter(({ pushable }) => pushable).length;
  const blocked = recipes.length - passed;
  if (recipes.length === 0) return noRecipesLine(call, report);
  const block = report.blocks.find(({ waived }) => !waived);
  if (block !== undefined)
    return say(blockedBy[block.code] ?? media.blockedWhole, { found: String(block.params.found) });
  return [
    ...(passed > 0 ? [say(media.pushableCount, { count: passed })] : []),
    ...(blocked > 0 ? [say(media.blockedCount, { count: blocked })] : []),
  ].join(', ');
}

/**
 * The parts that recipes which passed need, and that the zone has not received, of a medium that is a part of a delivery; the
 * import of another one.
 *
 * @param brings the recipes that an import would bring, where they are known
 * @returns undefined where they need nothing from elsewhere, and nothing was imported
 */
export function standingLine(
  { words }: PageCall,
  { recipes, freshness }: Pick<MediumReport, 'recipes' | 'freshness'>,
  delivery: MediumDelivery | undefined,
  brings: { readonly same: number; readonly waiting: number; readonly parts: readonly number[] } | undefined,
): string | undefined {
  if (!delivery?.imported && freshness?.importedAt !== undefined) return sayImported(words, freshness);
  const isWhole = !recipes.some(({ pushable, needs = [] }) => pushable && needs.length > 0);
  if (isWhole && !delivery?.imported) return undefined;
  const isOpen = delivery?.complete !== true && delivery?.overtakenBy === undefined;
  if (isOpen && brings !== undefined && brings.waiting > 0 && brings.same > 0)
    return words.say(inZone.restWaits, { count: brings.same, ...brings });
  return sayStanding(words, { awaits: awaitedParts(recipes), delivery });
}

/** Which part of its delivery a medium is, and the parts that are still to come; empty of a medium that is no part. */
export function partLine(
  { words: { say } }: PageCall,
  { medium }: Pick<MediumReport, 'medium'>,
  received: MediumDelivery | undefined,
): string {
  if (medium?.delivery === undefined) return '';
  const { part, parts } = medium.delivery;
  const needed = received?.needed ?? Array.from({ length: parts }, (_, i) => i + 1);
  const others = needed.filter((each) => each !== part);
  return say(deliveries.toCome, { part, parts, others: others.length === 0 ? undefined : others });
}

/** The parts of the delivery that recipes which passed need, in ascending order. */
export const awaitedParts = (recipes: readonly RecipeVerdict[]): readonly number[] =>
  [
    ...new Set(recipes.flatMap(({ pushable, needs = [] }) => (pushable ? needs.flatMap(partsOfNeed) : []))),
  ].sort((a, b) => a - b);

type Need = NonNullable<RecipeVerdict['needs']>[number];

const partsOfNeed = ({ from, part, parts = part === undefined ? [] : [part] }: Need): readonly number[] =>
  from === 'base' ? [] : parts;

/** A verdict without needs that other disks have met, before the verification or since. */
export function withoutMetNeed(recipe: RecipeVerdict, delivery: MediumDelivery | undefined): RecipeVerdict {
  const { needs, ...verdict } = recipe;
  if (delivery === undefined || needs === undefined) return recipe;
  const toOpen = ({ part: _, ...need }: Need, parts: readonly number[]): readonly Need[] =>
    delivery.complete || (need.from === 'part' && parts.length === 0) ? [] : [{ ...need, parts }];
  return {
    ...verdict,
    needs: needs.flatMap((need) => toOpen(need, selectAwaited(partsOfNeed(need), delivery))),
  };
}

/** The report without needs that other disks have met. */
export const withoutMetNeeds = (
  report: MediumReport,
  delivery: MediumDelivery | undefined,
): MediumReport => ({
  ...report,
  recipes: report.recipes.map((recipe) => withoutMetNeed(recipe, delivery)),
});

/** The signer of a recipe: the name of the key, and its fingerprint, in full or short as in lists. */
export function signerOf(
  { words, instance }: PageCall,
  recipe: RecipeVerdict,
  isShort = false,
): Html | string {
  const { keyFingerprint } = recipe;
  if (keyFingerprint === undefined) return recipe.pushable ? words.say(media.unsigned) : '';
  const root = instance.context.policy.roots.find(({ fingerprint }) => fingerprint === keyFingerprint);
  return html`${root === undefined ? '' : html`${untrusted(root.name)} `}${isShort ? shortHex(words, keyFingerprint, words.say(media.signedBy)) : copyable(words, keyFingerprint, words.say(media.signedBy))}`;
}

/** The blocked ones first, then by name. */
export function sortVerdicts(recipes: readonly RecipeVerdict[]): readonly RecipeVerdict[] {
  return [...recipes].sort(
    (a, b) => Number(a.pushable) - Number(b.pushable) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}
