import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { attr, type Html, html } from '../../html.ts';
import type { PageCall } from '../../ui-route.ts';

/** Versions that are links at once: those beyond are folded, so that they do not push the page down. */
const usual = 20;
/** Versions that a page names; the API has all. */
const limit = 200;

interface VersionLink {
  readonly version: Html;
  readonly path: string;
  readonly isShown: boolean;
}

/**
 * Links to versions of a recipe, the newest first; the one that is shown is always among the first.
 *
 * @param most versions that are links at once
 */
export function versionNav({ words: { say } }: PageCall, links: readonly VersionLink[], most = usual): Html {
  const first = links.filter(({ isShown }, i) => i < most || isShown);
  const others = links.filter((link) => !first.includes(link)).slice(0, limit - first.length);
  const list = (shown: readonly VersionLink[]): Html =>
    html`<ul class="tags">${shown.map(({ version, path, isShown }) => html`<li><a href="${path}" ${attr('aria-current', isShown ? 'page' : undefined)}>${version}</a></li>`)}</ul>`;
  const older =
    others.length === 0
      ? ''
      : html`<details class="fold"><summary>${say(recipeWords.otherVersions, { count: links.length - first.length })}</summary>${list(others)}</details>`;
  return html`<nav aria-label="${say(recipeWords.versionsHere)}">${first.length === 0 ? '' : list(first)}${older}</nav>`;
}
