import { systemClock } from '../../../src/base/clock.ts';
import { roleWords } from '../../../src/text/words/accounts.ts';
import { shell } from '../../../src/text/words/shell.ts';
import { attr, type Html, html, tokenField } from '../html.ts';
import { type PageCall, type RowHeight, rowHeights, type Theme, themes } from '../ui-route.ts';
import { icon } from './icons.ts';
import { untrusted } from './text.ts';

/** Where a choice leads back to. */
export const nextField = (here: string): Html => html`<input type="hidden" name="next" value="${here}">`;

const languageNames = [
  ['en', 'EN', 'English'],
  ['fr', 'FR', 'Français'],
] as const;

export function languageForm({ words: { say, language }, here }: PageCall): Html {
  return html`<form method="post" action="/lang">${tokenField}${nextField(here)}<div class="choice" role="group" aria-label="${say(shell.language)}">
${languageNames.map(
  ([value, short, name]) =>
    html`<button class="choice-item" name="language" value="${value}" lang="${value}" aria-label="${short}: ${name}" aria-pressed="${value === language ? 'true' : 'false'}">${short}</button>`,
)}</div></form>`;
}

export function themeMenu({ words: { say }, theme, rowHeight, here }: PageCall): Html {
  const item = (name: 'theme' | 'rows', value: Theme | RowHeight, isChosen: boolean): Html =>
    html`<button class="menu-item" name="${name}" value="${value}" aria-pressed="${isChosen ? 'true' : 'false'}">${say(shell[value])}${isChosen ? icon('ok') : ''}</button>`;
  return html`<details class="menu"><summary>${icon('theme')}<span class="menu-text">${say(shell.theme)}</span></summary>
<form class="menu-panel" method="post" action="/theme">${tokenField}${nextField(here)}
${themes.map((value) => item('theme', value, value === theme))}
<p class="menu-note">${say(shell.rows)}</p>
${rowHeights.map((value) => item('rows', value, value === rowHeight))}</form></details>`;
}

export function accountMenu({ words: { say, format }, identity, sessionLeft, here }: PageCall): Html {
  const name = identity.via === 'disabled' ? say(shell.anonymous) : identity.actor;
  const session =
    sessionLeft === undefined
      ? ''
      : html`<p class="menu-note">${say(shell.sessionUntil, { time: format.time(systemClock.wall() + sessionLeft) })}</p>
<a class="menu-item" href="/login?next=${encodeURIComponent(here)}">${say(shell.signInAgain)}</a>
<form method="post" action="/logout">${tokenField}<button class="menu-item">${say(shell.signOut)}</button></form>`;
  return html`<details class="menu"><summary>${icon('user')}<span class="menu-text">${untrusted(name)}</span></summary>
<div class="menu-panel"><p class="menu-note">${untrusted(name)} <span class="badge">${say(roleWords[identity.role])}</span></p>
<a class="menu-item" href="/account">${say(shell.ownAccount)}</a>
${session}</div></details>`;
}

export function searchForm({ words: { say }, search, here }: PageCall): Html {
  const isHere = here.split('?', 1)[0] === '/search';
  const query = isHere ? (search.get('q') ?? '') : '';
  // a phone has a link to the search page in place of the field
  return html`${isHere ? '' : html`<a class="search-link" href="/search" aria-label="${say(shell.search)}">${icon('search')}</a>`}<form class="search ${isHere ? 'search-here' : 'search-elsewhere'}" method="get" action="/search" role="search" data-suggestions="${say(shell.suggestions)}">${icon('search')}<label class="visually-hidden" for="search">${say(shell.search)}</label>
<input class="input" id="search" name="q" type="search" value="${query}" placeholder="${say(shell.searchHint)}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="256" ${attr('aria-keyshortcuts', 'Control+K Meta+K')}><kbd class="search-key" aria-hidden="true">Ctrl K</kbd></form>`;
}
