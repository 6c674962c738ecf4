import type { RecipeVerdict } from '../../../../src/contract/medium.ts';
import { toBlobDigest } from '../../../../src/engine/medium/inventory.ts';
import { media } from '../../../../src/text/words/media.ts';
import { type Html, html } from '../../html.ts';
import { shortDigest } from '../../parts/digest.ts';
import { code } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';
import { type Finding, reasonLine } from './verdict.ts';

/** Findings that a page lists; the JSON report has up to a thousand. */
const shownFindings = 100;
/** The code whose sentence is the same for each file. */
const outside = 'SVC-MED-021';

/** Findings, each with its sentence in full; files that stay out for one reason are a list of digests under it. */
export function findingLines(call: PageCall, findings: readonly Finding[]): Html {
  const { words } = call;
  const own = findings.filter((finding) => finding.code !== outside);
  const same = findings.filter((finding) => finding.code === outside);
  const item = ({ path }: Finding): Html => {
    const digest = toBlobDigest(path);
    return html`<li>${digest === undefined ? code(path) : shortDigest(words, digest, words.say(media.digest))}</li>`;
  };
  return html`${own.length === 0 ? '' : html`<ul>${own.map((finding) => html`<li class="keep">${reasonLine(call, finding)}</li>`)}</ul>`}${
    same.length === 0
      ? ''
      : html`<p>${words.say(media.outside, { count: same.length })} <a href="/help#${outside}">${outside}</a></p><ul class="inline-list">${same.map(item)}</ul>`
  }`;
}

/** Codes of a file that is not as a recipe needs it; the other findings on its files follow from those. */
const fileFaults: ReadonlySet<string> = new Set([10, 11, 12, 13, 14, 15].map((n) => `SVC-MED-0${n}`));

/** The consequences of the reason for which a recipe is blocked: counted, with its findings folded below the cause. */
export function consequences(
  call: PageCall,
  { reason, files }: RecipeVerdict,
  findings: readonly Finding[],
): Html | string {
  const isFault = ({ code: one }: Pick<Finding, 'code'>): boolean => fileFaults.has(one);
  const faults = findings.filter(isFault);
  const paths = new Set(faults.map(({ path }) => path));
  if (reason?.path !== undefined && isFault(reason)) paths.add(reason.path);
  const others = findings.length - faults.length;
  const withheld = others > 0 ? others : Math.max(0, files - paths.size);
  if (paths.size === 0 && withheld === 0) return '';
  const altered = paths.size === 0 ? undefined : paths.size;
  const text = call.words.say(media.consequences, { altered, withheld });
  // the reason is said above, in full
  const rest = faults.filter(({ code: one, path }) => one !== reason?.code || path !== reason.path);
  return findingFold(call, [...rest, ...findings.filter((each) => !isFault(each))], text);
}

/** Other findings on the medium; none of them blocks a recipe. */
export function findingTable(call: PageCall, findings: readonly Finding[]): Html | string {
  return findings.length === 0
    ? ''
    : findingFold(call, findings, call.words.say(media.findings, { count: findings.length }));
}

/** Without findings, their caption alone. */
function findingFold(call: PageCall, findings: readonly Finding[], caption: string): Html {
  if (findings.length === 0) return html`<p class="muted">${caption}</p>`;
  const { say } = call.words;
  const rest =
    findings.length > shownFindings
      ? html`<p class="muted">${say(media.findingsMore, { shown: shownFindings })}</p>`
      : '';
  return html`<details class="fold"><summary>${caption}</summary>${rest}${findingLines(call, findings.slice(0, shownFindings))}</details>`;
}
