import { parts } from '../../../src/text/words/parts.ts';
import { attr, type Html, html } from '../html.ts';
import type { PageCall } from '../ui-route.ts';
import { icon } from './icons.ts';

interface FilterChoice {
  readonly name: string;
  readonly label: string;
  /** Value and text; the first one, of the value '', selects all. */
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** Values of which several may be ticked; none selects all. */
interface FilterChecks {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}

interface FilterOptions {
  /** Path of the page. */
  readonly path: string;
  /** Label of the search field `q`. */
  readonly search: string;
  readonly choices?: readonly FilterChoice[];
  readonly checks?: FilterChecks;
  /** Parameters of the page that the form keeps as they are. */
  readonly keep?: readonly string[];
  /** Identifier of the section that shows the list. */
  readonly section: string;
}

function checkGroup({ search }: PageCall, { name, legend, options }: FilterChecks): Html {
  const ticked = new Set(search.getAll(name));
  return html`<fieldset class="checks"><legend>${legend}</legend>${options.map(
    ([value, text]) =>
      html`<label class="check"><input type="checkbox" name="${name}" value="${value}" ${attr('checked', ticked.has(value))}> ${text}</label>`,
  )}</fieldset>`;
}

/**
 * The filters of a list: a GET form, so that a filtered list has an address of its own. Where scripts run, the list
 * follows what is typed.
 */
export function filters(call: PageCall, options: FilterOptions): Html {
  const { path, search, choices = [], checks, keep = [], section } = options;
  const { say } = call.words;
  const given = (name: string): string => call.search.get(name) ?? '';
  return html`<form class="filters" method="get" action="${path}" role="search" aria-label="${say(parts.filter)}" hx-get="${path}" hx-trigger="input delay:300ms, change" hx-target="#${section}" hx-swap="outerMorph" hx-push-url="true" hx-sync="replace">
<div class="field"><label for="filter-q">${search}</label><input class="input" id="filter-q" name="q" type="search" value="${given('q')}" autocomplete="off" spellcheck="false" maxlength="256"></div>
${choices.map(
  ({ name, label, options }) =>
    html`<div class="field field-short"><label for="filter-${name}">${label}</label><select class="input" id="filter-${name}" name="${name}">${options.map(([value, text]) => html`<option value="${value}" ${attr('selected', value === given(name))}>${text}</option>`)}</select></div>`,
)}
${checks === undefined ? '' : checkGroup(call, checks)}
${keep.flatMap((name) => call.search.getAll(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`))}
<button class="button button-plain" type="submit">${icon('search')} ${say(parts.filter)}</button>
</form>`;
}

/** Whether any of these parameters narrows the list. */
export function isFiltered({ search }: PageCall, names: readonly string[]): boolean {
  return names.some((name) => (search.get(name) ?? '') !== '');
}

/** Replaces a list that a filter has emptied: names the filter, with the way to drop it. */
export function nothingMatches(call: PageCall, path: string, names: readonly string[]): Html {
  const { say } = call.words;
  const filter = names.flatMap((name) => call.search.getAll(name)).join(', ');
  return html`<p>${say(parts.noMatch, { filter })}</p><p><a href="${path}">${say(parts.dropFilter)}</a></p>`;
}
