import { selectPage } from '../../../../src/base/page.ts';
import type { MediumReport, RecipeVerdict } from '../../../../src/contract/medium.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { errorKinds } from '../../../../src/text/errors/codes.ts';
import type { ErrorCode, ParamValue } from '../../../../src/text/errors/registry.ts';
import { renderError } from '../../../../src/text/message.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { media } from '../../../../src/text/words/media.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { copyable, copyButton } from '../../parts/copy.ts';
import { shortDigest, shortHex } from '../../parts/digest.ts';
import { pager } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';
import { needsList } from './deliveries.ts';

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
  return renderError(
    fromErrorRecord({ code, class: errorKinds[code].class, params }),
    words.language,
    isolate,
  );
}

/** The title of a list of guards: once all of them are waived, nothing blocks the medium any more. */
export function blocksTitle(blocks: MediumReport['blocks']): Sentence {
  return blocks.every(({ waived }) => waived) ? media.guards : media.blocks;
}

export function verdictBadge({ words: { say } }: PageCall, verdict: Verdict): Html {
  return badge(kinds[verdict], say(verdictWords[verdict]));
}

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

/** How many recipes passed, and how many are blocked. */
export function verdictLine(call: PageCall, report: Pick<MediumReport, 'blocks' | 'recipes'>): string {
  const { say } = call.words;
  const { recipes } = report;
  const passed = recipes.filter(({ pushable }) => pushable).length;
  const blocked = recipes.length - passed;
  if (recipes.length === 0) return noRecipesLine(call, report);
  return [
    ...(passed > 0 ? [say(media.pushableCount, { count: passed })] : []),
    ...(blocked > 0 ? [say(media.blockedCount, { count: blocked })] : []),
  ].join(', ');
}

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

function card(call: PageCall, recipe: RecipeVerdict, findings: readonly Finding[]): Html {
  const { words } = call;
  const { say } = words;
  const { name, version, pushable, reason, files, bytes, trustScope, cookbook, digest } = recipe;
  const contents = say(media.contents, { files, bytes });
  const head = html`<div class="verdict-head"><h3>${untrusted(name)} <span class="muted">${untrusted(version)}</span></h3>${badge(pushable ? 'ok' : 'bad', say(pushable ? media.recipePushable : media.recipeBlocked))}</div>`;
  if (reason !== undefined) {
    const { what, action } = sentencesOf(call, reason);
    const { path } = reason;
    const isNamed = path !== undefined && what.includes(path);
    const file =
      path === undefined
        ? ''
        : isNamed
          ? copyButton(words, path, say(media.file))
          : copyable(words, path, say(media.file));
    return html`<li class="card verdict verdict-blocked">${head}<p class="verdict-why">${what} ${file}</p>
<p><strong>${say(parts.errorAction)}</strong> ${action}</p>${needsList(call, recipe)}
<p class="verdict-foot"><a href="/help#${reason.code}">${say(parts.errorHelp, { code: reason.code })}</a><span class="muted">${contents}</span></p>${findingFold(call, findings, say(media.recipeFindings, { count: findings.length }))}</li>`;
  }
  return html`<li class="card verdict verdict-passed">${head}<p class="muted">${contents}</p>${needsList(call, recipe)}
<dl class="verdict-facts"><dt>${say(media.signedBy)}</dt><dd>${signerOf(call, recipe, true)}</dd>
${trustScope === undefined ? '' : html`<dt>${say(media.trustScope)}</dt><dd>${untrusted(trustScope)}</dd>`}
<dt>${say(media.cookbook)}</dt><dd>${code(cookbook)}</dd>
<dt>${say(media.digest)}</dt><dd>${shortDigest(words, digest, say(media.digest))}</dd></dl></li>`;
}

/** The call of a page with a part of a list. */
export type PagedCall = PageCall<{ readonly page?: number | undefined }>;

/**
 * A card for each recipe, the blocked ones first.
 *
 * @param findings on files of blocked recipes
 */
export function verdictCards(
  call: PagedCall,
  recipes: readonly RecipeVerdict[],
  findings: ReadonlyMap<RecipeVerdict, readonly Finding[]> = new Map(),
): Html | string {
  if (recipes.length === 0) return '';
  const { page } = call.query;
  const { selected, pageOf } = selectPage(sortVerdicts(recipes), { page, pageSize: perPage });
  return html`<ul class="cards">${selected.map((recipe) => card(call, recipe, findings.get(recipe) ?? []))}</ul>${recipes.length <= perPage ? '' : pager(call, { ...pageOf, pageSize: perPage })}`;
}

/** Other findings on the medium; none of them blocks a recipe. */
export function findingTable(call: PageCall, findings: readonly Finding[]): Html | string {
  return findingFold(call, findings, call.words.say(media.findings, { count: findings.length }));
}

function findingFold(call: PageCall, findings: readonly Finding[], caption: string): Html | string {
  const { say } = call.words;
  if (findings.length === 0) return '';
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
