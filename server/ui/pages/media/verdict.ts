import { catalogue, type ErrorCode, type ParamValue } from '../../../../src/base/catalogue.ts';
import { fromErrorRecord } from '../../../../src/base/error.ts';
import { renderError } from '../../../../src/base/message.ts';
import { selectPage } from '../../../../src/base/page.ts';
import { media } from '../../../../src/base/words/media.ts';
import { parts } from '../../../../src/base/words/parts.ts';
import type { Sentence } from '../../../../src/base/words/words.ts';
import type { MediumReport, RecipeVerdict } from '../../../../src/catalog/medium-verdict.ts';
import { type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { pager } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';

const perPage = 50;
/** Findings that a page lists; the JSON report has up to a thousand. */
const shownFindings = 100;

type Verdict = MediumReport['verdict'];
type Finding = MediumReport['findings'][number];

export const verdictWords: Readonly<Record<Verdict, Sentence>> = {
  pushable: media.pushable,
  partial: media.partial,
  blocked: media.blocked,
};
const kinds: Readonly<Record<Verdict, BadgeKind>> = { pushable: 'ok', partial: 'warn', blocked: 'bad' };

/** The sentences of a code of the report, in the language of the page. */
export function sentencesOf(
  { words }: Pick<PageCall, 'words'>,
  { code, params }: { readonly code: ErrorCode; readonly params: Readonly<Record<string, ParamValue>> },
): ReturnType<typeof renderError> {
  return renderError(fromErrorRecord({ code, class: catalogue[code].class, params }), words.language);
}

export function verdictBadge({ words: { say } }: PageCall, verdict: Verdict): Html {
  return badge(kinds[verdict], say(verdictWords[verdict]));
}

/** How many recipes passed, and how many are blocked. */
export function verdictLine({ words: { say } }: PageCall, recipes: readonly RecipeVerdict[]): string {
  const passed = recipes.filter(({ pushable }) => pushable).length;
  const blocked = recipes.length - passed;
  if (recipes.length === 0) return say(media.noRecipes);
  return [
    ...(passed > 0 ? [say(media.passedCount, { count: passed })] : []),
    ...(blocked > 0 ? [say(media.blockedCount, { count: blocked })] : []),
  ].join(', ');
}

/** Who signed a recipe: the name of the key, and its fingerprint. */
export function signerOf({ words, operations }: PageCall, recipe: RecipeVerdict): Html | string {
  const { keyFingerprint } = recipe;
  if (keyFingerprint === undefined) return recipe.pushable ? words.say(media.unsigned) : '';
  const root = operations.roots.find(({ fingerprint }) => fingerprint === keyFingerprint);
  return html`${root === undefined ? '' : html`${untrusted(root.name)} `}${copyable(words, keyFingerprint, words.say(media.signedBy))}`;
}

/** The blocked ones first, then by name. */
export function sortVerdicts(recipes: readonly RecipeVerdict[]): readonly RecipeVerdict[] {
  return [...recipes].sort(
    (a, b) => Number(a.pushable) - Number(b.pushable) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}

function card(call: PageCall, recipe: RecipeVerdict): Html {
  const { words } = call;
  const { say, format } = words;
  const { name, version, pushable, reason, files, bytes, trustScope, cookbook, digest } = recipe;
  const contents = say(media.contents, { files: format.number(files), bytes });
  const head = html`<div class="verdict-head"><h3>${untrusted(name)} <span class="muted">${untrusted(version)}</span></h3>${badge(pushable ? 'ok' : 'bad', say(pushable ? media.recipePassed : media.recipeBlocked))}</div>`;
  if (reason !== undefined) {
    const { what, action } = sentencesOf(call, reason);
    return html`<li class="card verdict verdict-blocked">${head}<p>${what}</p>
${reason.path === undefined ? '' : html`<p>${copyable(words, reason.path, say(media.file))}</p>`}
<p><strong>${say(parts.errorAction)}</strong> ${action}</p>
<p class="verdict-foot"><a href="/help#${reason.code}">${say(parts.errorHelp, { code: reason.code })}</a><span class="muted">${contents}</span></p></li>`;
  }
  return html`<li class="card verdict verdict-passed">${head}<p class="muted">${contents}</p>
<dl class="verdict-facts"><dt>${say(media.signedBy)}</dt><dd>${signerOf(call, recipe)}</dd>
${trustScope === undefined ? '' : html`<dt>${say(media.trustScope)}</dt><dd>${untrusted(trustScope)}</dd>`}
<dt>${say(media.cookbook)}</dt><dd>${code(cookbook)}</dd>
<dt>${say(media.digest)}</dt><dd>${copyable(words, digest, say(media.digest))}</dd></dl></li>`;
}

/** A card for each recipe, the blocked ones first. */
export function verdictCards(call: PageCall, recipes: readonly RecipeVerdict[]): Html | string {
  if (recipes.length === 0) return '';
  const { page } = call.query as { readonly page?: number };
  const { selected, pageOf } = selectPage(sortVerdicts(recipes), { page, pageSize: perPage });
  return html`<ul class="cards">${selected.map((recipe) => card(call, recipe))}</ul>${recipes.length <= perPage ? '' : pager(call, { ...pageOf, pageSize: perPage })}`;
}

/** What else was found on the medium; none of it blocks a recipe. */
export function findingTable(call: PageCall, findings: readonly Finding[]): Html | string {
  const { say } = call.words;
  if (findings.length === 0) return '';
  const caption = say(media.findings, { count: findings.length });
  const rest =
    findings.length > shownFindings
      ? html`<p class="muted">${say(media.findingsMore, { shown: shownFindings })}</p>`
      : '';
  return html`<details class="fold"><summary>${caption}</summary>${rest}${table<Finding>({
    caption,
    empty: '',
    rows: findings.slice(0, shownFindings),
    columns: [
      { label: say(media.file), isHeader: true, cell: ({ path }) => code(path) },
      { label: say(media.reason), cell: (finding) => sentencesOf(call, finding).what },
      { label: 'Code', cell: (finding) => html`<a href="/help#${finding.code}">${finding.code}</a>` },
    ],
  })}</details>`;
}
