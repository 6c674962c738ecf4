import { selectPage } from '../../../../src/base/page.ts';
import type { RecipeVerdict } from '../../../../src/contract/medium.ts';
import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { media } from '../../../../src/text/words/media.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { type Html, html } from '../../html.ts';
import { copyable, copyButton } from '../../parts/copy.ts';
import { shortDigest } from '../../parts/digest.ts';
import { pager } from '../../parts/pager.ts';
import { type Column, table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';
import { needsLines, needsList } from './deliveries.ts';
import { consequences, type Finding, recipeBadge, sentencesOf, signerOf, sortVerdicts } from './verdict.ts';

const perPage = 50;

const titleOf = ({ name, version }: RecipeVerdict): Html =>
  html`${untrusted(name)} <span class="muted">${untrusted(version)}</span>`;

/** The reason for which a recipe is blocked, and the remedy. */
function reasonOf(call: PageCall, { reason }: RecipeVerdict): Html | string {
  if (reason === undefined) return '';
  const { words } = call;
  const { what, action } = sentencesOf(call, reason);
  const { path } = reason;
  const isNamed = path !== undefined && what.includes(path);
  const file =
    path === undefined ? '' : (isNamed ? copyButton : copyable)(words, path, words.say(media.file));
  return html`<p class="verdict-why">${what} ${file}</p>
<p><strong>${words.say(parts.errorAction)}</strong> ${action}</p>`;
}

function blockedCard(call: PageCall, recipe: RecipeVerdict, findings: readonly Finding[]): Html {
  const { say } = call.words;
  const { reason, files, bytes } = recipe;
  const help =
    reason === undefined
      ? ''
      : html`<a href="/help#${reason.code}">${say(parts.errorHelp, { code: reason.code })}</a>`;
  return html`<li class="card verdict verdict-blocked"><div class="verdict-head"><h3>${titleOf(recipe)}</h3>${recipeBadge(call, recipe)}</div>${reasonOf(call, recipe)}${needsList(call, recipe)}
<p class="verdict-foot">${help}<span class="muted">${say(media.contents, { files, bytes })}</span></p>${consequences(call, recipe, findings)}</li>`;
}

function passedTable(call: PageCall, rows: readonly RecipeVerdict[], isHeld: boolean): Html {
  const { words } = call;
  const { say, format } = words;
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
        cell: (recipe) => recipeBadge(call, recipe, isHeld),
      },
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
 * @param options `findings` on files of blocked recipes; `isHeld`, whether the medium is blocked as a whole
 */
export function recipeVerdicts(
  call: PagedCall,
  recipes: readonly RecipeVerdict[],
  {
    findings = new Map(),
    isHeld = false,
  }: { readonly findings?: ReadonlyMap<RecipeVerdict, readonly Finding[]>; readonly isHeld?: boolean } = {},
): Html | string {
  if (recipes.length === 0) return '';
  const { page } = call.query;
  const { selected, pageOf } = selectPage(sortVerdicts(recipes), { page, pageSize: perPage });
  const [blocked, passed] = [
    selected.filter(({ pushable }) => !pushable),
    selected.filter(({ pushable }) => pushable),
  ];
  const cards =
    blocked.length === 0
      ? ''
      : html`<ul class="blocks">${blocked.map((recipe) => blockedCard(call, recipe, findings.get(recipe) ?? []))}</ul>`;
  return html`${cards}${passed.length === 0 ? '' : passedTable(call, passed, isHeld)}${recipes.length <= perPage ? '' : pager(call, { ...pageOf, pageSize: perPage })}`;
}
