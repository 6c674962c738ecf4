import { selectPage } from '../../../../src/base/page.ts';
import type { RecipeVerdict } from '../../../../src/contract/medium.ts';
import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { inZone } from '../../../../src/text/words/delivering/in-zone.ts';
import { media } from '../../../../src/text/words/media.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { splitBlocked } from '../../../../src/view/zone/blocked.ts';
import { compareWithZone } from '../../../../src/view/zone/compare.ts';
import type { Waits } from '../../../../src/view/zone/waits.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { shortDigest } from '../../parts/digest.ts';
import { pager } from '../../parts/pager.ts';
import { type Column, table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';
import { needsLines, needsList } from './deliveries.ts';
import { consequences } from './finding-lines.ts';
import type { HeldBack } from './imported.ts';
import { problemCard } from './problem-card.ts';
import { type Finding, recipeBadge, sentencesOf, signerOf, sortVerdicts } from './verdict.ts';

const perPage = 50;

const titleOf = ({ name, version }: RecipeVerdict): Html =>
  html`${untrusted(name)} <span class="muted">${untrusted(version)}</span>`;

/** The state in the zone of a recipe that passed, in words. */
const standings = {
  same: inZone.hasSame,
  older: inZone.hasOlder,
  newer: inZone.hasNewer,
  new: inZone.hasNone,
} as const;

/** @param isCopy whether the zone has the recipe, and lacks nothing of it */
function blockedCard(
  call: PageCall,
  recipe: RecipeVerdict,
  {
    findings,
    isCopy,
    isTold,
  }: { readonly findings: readonly Finding[]; readonly isCopy: boolean; readonly isTold: boolean },
): Html {
  const { say } = call.words;
  const { name, version, reason, files, bytes } = recipe;
  return problemCard(call, {
    title: titleOf(recipe),
    state: isCopy ? badge('warn', say(overview.damagedCopy)) : recipeBadge(call, recipe),
    ...(isCopy ? { isMild: true, lead: say(inZone.alreadyHere, { name, version }) } : {}),
    code: reason?.code,
    message: reason && sentencesOf(call, reason),
    isTold,
    path: reason?.path,
    consequence: html`<p>${say(isCopy ? inZone.copyStaysOut : media.recipeStaysOut)}</p>${consequences(call, recipe, findings)}`,
    extent: say(media.checkedBefore, { files, bytes }),
    rest: needsList(call, recipe),
  });
}

function passedTable(
  call: PageCall,
  rows: readonly RecipeVerdict[],
  {
    isHeld,
    held,
    waits,
  }: {
    readonly isHeld: boolean;
    readonly held: Pick<HeldBack, 'has'>;
    readonly waits: Waits | undefined;
  },
): Html {
  const { words } = call;
  const { say, format } = words;
  const isHeldNow = (recipe: RecipeVerdict): boolean =>
    held.has(recipe) && (waits === undefined || compareWithZone(recipe, waits).standing !== 'same');
  const needs: Column<RecipeVerdict> = {
    label: say(deliveries.needs),
    cell: (recipe) => needsLines(call, recipe),
  };
  const scope: Column<RecipeVerdict> = {
    label: say(media.trustScope),
    cell: ({ trustScope = '' }) => untrusted(trustScope),
  };
  const [{ cookbook: first } = { cookbook: '' }] = rows;
  const isOne = rows.every(({ cookbook }) => cookbook === first);
  const cookbook: Column<RecipeVerdict> = {
    label: say(media.cookbook),
    cell: (recipe) => code(recipe.cookbook),
  };
  return table<RecipeVerdict>({
    caption: isOne ? say(media.passedOf, { cookbook: first }) : say(media.passedRecipes),
    hideCaption: !isOne,
    empty: '',
    rows,
    columns: [
      { label: say(media.recipe), isHeader: true, cell: titleOf },
      {
        label: say(media.verdict),
        isState: true,
        isWhole: true,
        cell: (recipe) => recipeBadge(call, recipe, isHeld || isHeldNow(recipe)),
      },
      ...(waits === undefined
        ? []
        : [
            {
              label: say(inZone.inZone),
              isWhole: true,
              cell: (recipe: RecipeVerdict) => {
                const { standing, version } = compareWithZone(recipe, waits);
                return untrusted(say(standings[standing], { version }));
              },
            },
          ]),
      ...(rows.some((recipe) => (recipe.needs ?? []).length > 0) ? [needs] : []),
      { label: say(media.manifest), isNumber: true, cell: ({ files }) => format.number(files) },
      { label: say(media.size), isNumber: true, cell: ({ bytes }) => format.size(bytes) },
      { label: say(media.signedBy), cell: (recipe) => signerOf(call, recipe, true) },
      ...(rows.some(({ trustScope }) => trustScope !== undefined) ? [scope] : []),
      ...(isOne ? [] : [cookbook]),
      { label: say(media.digest), cell: ({ digest }) => shortDigest(words, digest, say(media.digest)) },
    ],
  });
}

/** The call of a page with a part of a list. */
export type PagedCall = PageCall<{ readonly page?: number | undefined }>;

/**
 * A card for each blocked recipe, then a table of those that passed.
 *
 * @param options `findings` on files of blocked recipes; `isHeld`, whether the medium is blocked as a whole; `held`, those
 *   that the last import held back; `waits`, the recipes of the zone, where they are known; `told`, recipes whose remedy the page has said already
 */
export function recipeVerdicts(
  call: PagedCall,
  recipes: readonly RecipeVerdict[],
  {
    findings = new Map(),
    isHeld = false,
    held = new Map(),
    waits,
    told = new Set(),
  }: {
    readonly findings?: ReadonlyMap<RecipeVerdict, readonly Finding[]>;
    readonly isHeld?: boolean;
    readonly held?: HeldBack;
    readonly waits?: Waits | undefined;
    readonly told?: ReadonlySet<RecipeVerdict>;
  } = {},
): Html | string {
  if (recipes.length === 0) return '';
  const { page } = call.query;
  const copies = new Set(splitBlocked(recipes, waits).copies);
  const { selected, pageOf } = selectPage(sortVerdicts(recipes), { page, pageSize: perPage });
  const [blocked, passed] = [
    selected.filter(({ pushable }) => !pushable),
    selected.filter(({ pushable }) => pushable),
  ];
  const cards =
    blocked.length === 0
      ? ''
      : html`<ul class="blocks">${blocked.map((recipe) => blockedCard(call, recipe, { findings: findings.get(recipe) ?? [], isCopy: copies.has(recipe), isTold: told.has(recipe) }))}</ul>`;
  return html`${cards}${passed.length === 0 ? '' : passedTable(call, passed, { isHeld, held, waits })}${recipes.length <= perPage ? '' : pager(call, { ...pageOf, pageSize: perPage })}`;
}
