import { parts } from '../../../src/base/words/parts.ts';
import { attr, type Html, html } from '../html.ts';
import type { PageCall } from '../ui-route.ts';
import { icon } from './icons.ts';

interface FilterChoice {
  readonly name: string;
  readonly label: string;
  /** Value and text; the first one, of the value '', selects all. */
  readonly options: readonly (readonly [value: string, text: string])[];
}

interface FilterOptions {
  /** Path of the page. */
  readonly path: string;
  /** Label of the search field `q`. */
  readonly search: string;
  readonly choices?: readonly FilterChoice[];
  /** Identifier of the section that shows the list. */
  readonly section: string;
}

/**
 * The filters of a list: a GET form, so that a filtered list has an address of its own. Where scripts run, the list
 * follows what is typed.
 */
export function filters(call: PageCall, { path, search, choices = [], section }: FilterOptions): Html {
  const { say } = call.words;
  const given = (name: string): string => call.search.get(name) ?? '';
  return html`<form class="filters" method="get" action="${path}" role="search" hx-get="${path}" hx-trigger="input delay:300ms, change" hx-target="#${section}" hx-swap="outerMorph" hx-push-url="true" hx-sync="replace">
<div class="field"><label for="filter-q">${search}</label><input class="input" id="filter-q" name="q" type="search" value="${given('q')}" autocomplete="off" spellcheck="false" maxlength="256"></div>
${choices.map(
  ({ name, label, options }) =>
    html`<div class="field field-short"><label for="filter-${name}">${label}</label><select class="input" id="filter-${name}" name="${name}">${options.map(([value, text]) => html`<option value="${value}" ${attr('selected', value === given(name))}>${text}</option>`)}</select></div>`,
)}
<button class="button button-plain" type="submit">${icon('search')} ${say(parts.filter)}</button>
</form>`;
}

/** Whether any of these parameters narrows the list. */
export function isFiltered({ search }: PageCall, names: readonly string[]): boolean {
  return names.some((name) => (search.get(name) ?? '') !== '');
}

/** What stands in place of a list that a filter has emptied: names the filter, with the way to drop it. */
export function nothingMatches(call: PageCall, path: string, names: readonly string[]): Html {
  const { say } = call.words;
  const filter = names.flatMap((name) => call.search.getAll(name)).join(', ');
  return html`<p>${say(parts.noMatch, { filter })}</p><p><a href="${path}">${say(parts.dropFilter)}</a></p>`;
}
