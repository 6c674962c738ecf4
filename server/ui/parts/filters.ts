import type { TypeOf } from '../../../src/contract/schema.ts';
import { parts } from '../../../src/text/words/parts.ts';
import type { Sentence } from '../../../src/text/words/words.ts';
import { noteField } from '../faults.ts';
import { attr, type Html, html } from '../html.ts';
import type { PageCall, PageFields } from '../ui-route.ts';
import { showSentence, wordFault } from './error.ts';
import { icon } from './icons.ts';

/** A choice among the words of a list. */
interface WordControl<V extends string> {
  readonly label: Sentence;
  readonly words: Readonly<Record<V, Sentence>>;
  /** Of the empty choice, where its word has another gender than *tous*. */
  readonly all?: Sentence;
  /** The words below those of other words, which choose all of them. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Of the choice of a group. */
  readonly wholeGroup?: Sentence;
}

/** A choice of a day. */
interface DayControl {
  readonly label: Sentence;
  readonly isDay: true;
}

/** A text with suggestions. */
interface SuggestedControl {
  readonly label: Sentence;
  readonly suggestions: readonly string[];
}

/** The control of a parameter: the label of a search field, one with suggestions, a day, one word of a list, or several words that are ticked. */
type ControlOf<T> = [T] extends [readonly (infer V extends string)[]]
  ? WordControl<V>
  : [T] extends [string]
    ? string extends T
      ? Sentence | DayControl | SuggestedControl
      : WordControl<T>
    : never;

interface FilterOptions<Q extends PageFields> {
  /** Path of the page. */
  readonly path: string;
  /** Parameters of the page. */
  readonly query: Q;
  /** The control of each parameter but the place in the list; one without a control keeps its value. */
  readonly controls: {
    readonly [N in Exclude<keyof Q, 'page' | 'pageSize' | 'cursor'>]:
      | ControlOf<TypeOf<Q[N]['schema']>>
      | 'kept';
  };
  /** Identifier of the section that shows the list. */
  readonly section: string;
}

/** The error of a field whose value breaks a rule, with its identifier; empty for others. */
function fault(
  call: PageCall,
  name: string,
  label: Sentence,
): { readonly text: Html | string; readonly id: string | undefined } {
  const given = call.search.getAll(name);
  noteField(call.wrong, name, { label: call.words.say(label), id: `filter-${name}`, given });
  const error = call.wrong?.get(name);
  if (error === undefined) return { text: '', id: undefined };
  const id = `filter-error-${name}`;
  return {
    text: html`<p class="field-error" id="${id}">${showSentence(wordFault(call.words, error, name, given))}</p>`,
    id,
  };
}

/** A field for a part of a text. */
function renderSearch(
  call: PageCall,
  name: string,
  label: Sentence,
  suggestions: readonly string[] = [],
): Html {
  const id = `filter-${name}`;
  const wrong = fault(call, name, label);
  const list = suggestions.length === 0 ? undefined : `${id}-list`;
  const options =
    list === undefined
      ? ''
      : html`<datalist id="${list}">${suggestions.map((text) => html`<option value="${text}"></option>`)}</datalist>`;
  return html`<div class="field"><label for="${id}">${call.words.say(label)}</label><input class="input" id="${id}" name="${name}" type="search" value="${call.search.get(name) ?? ''}" ${attr('list', list)} autocomplete="off" spellcheck="false" maxlength="256" ${attr('aria-invalid', wrong.id && 'true')} ${attr('aria-describedby', wrong.id)}>${options}${wrong.text}</div>`;
}

/** The days that the browser accepts before the instance judges them. */
const dayPattern = '[0-9]{4}-[0-9]{2}-[0-9]{2}';

/** A choice of a day; of a time its day is shown. */
function renderDay(call: PageCall, name: string, label: Sentence): Html {
  const id = `filter-${name}`;
  const { say } = call.words;
  const wrong = fault(call, name, label);
  const given = (call.search.get(name) ?? '').slice(0, 10);
  // a text field: a date field uses the language of the browser, not that of the page
  return html`<div class="field field-short"><label for="${id}">${say(label)}</label><input class="input" id="${id}" name="${name}" type="text" data-day pattern="${dayPattern}" placeholder="${say(parts.dayForm)}" title="${say(parts.dayForm)}" value="${given}" autocomplete="off" spellcheck="false" maxlength="10" ${attr('aria-invalid', wrong.id && 'true')} ${attr('aria-describedby', wrong.id)}>${wrong.text}</div>`;
}

type Option = readonly [value: string, text: Sentence];

/** A choice of one word, whose empty value selects all. */
function renderChoice(
  call: PageCall,
  name: string,
  { label, all = parts.all, groups = {}, wholeGroup = parts.all }: Omit<WordControl<string>, 'words'>,
  words: readonly Option[],
): Html {
  const { say } = call.words;
  const id = `filter-${name}`;
  const wrong = fault(call, name, label);
  const given = call.search.get(name) ?? '';
  const inGroup = new Set(Object.entries(groups).flatMap(([group, values]) => [group, ...values]));
  const textOf = new Map(words);
  const show = ([value, text]: Option): Html =>
    html`<option value="${value}" ${attr('selected', value === given)}>${say(text)}</option>`;
  const grouped = Object.entries(groups).map(
    ([group, values]) =>
      html`<optgroup label="${say(textOf.get(group)!)}">${show([group, wholeGroup])}${values.map((value) => show([value, textOf.get(value)!]))}</optgroup>`,
  );
  const others: readonly Option[] = [['', all], ...words.filter(([value]) => !inGroup.has(value))];
  return html`<div class="field field-short"><label for="${id}">${say(label)}</label><select class="input" id="${id}" name="${name}" ${attr('aria-invalid', wrong.id && 'true')} ${attr('aria-describedby', wrong.id)}>${others.map(show)}${grouped}</select>${wrong.text}</div>`;
}

/** Words of which several may be ticked; none selects all. */
function renderChecks(
  call: PageCall,
  name: string,
  { label }: Pick<WordControl<string>, 'label'>,
  words: readonly Option[],
): Html {
  const { say } = call.words;
  const wrong = fault(call, name, label);
  const ticked = new Set(call.search.getAll(name));
  return html`<fieldset class="checks" id="filter-${name}" ${attr('aria-describedby', wrong.id)}><legend>${say(label)}</legend>${words.map(
    ([value, text]) =>
      html`<label class="check"><input type="checkbox" name="${name}" value="${value}" ${attr('checked', ticked.has(value))} ${attr('aria-invalid', wrong.id && 'true')}> ${say(text)}</label>`,
  )}${wrong.text}</fieldset>`;
}

/**
 * The filters of a list: a GET form, so that a filtered list has an address of its own. Small screens fold it. Where scripts run, the list
 * follows the typed text, and its answer never changes the form. A new parameter does not compile until the form has a control for
 * it, or keeps it.
 */
export function filters<const Q extends PageFields>(call: PageCall, options: FilterOptions<Q>): Html {
  const { path, query, section } = options;
  const { say } = call.words;
  const controls = Object.entries<Sentence | DayControl | SuggestedControl | WordControl<string> | 'kept'>(
    options.controls,
  );
  const fields = controls.map(([name, control]) => {
    if (control === 'kept')
      return html`${call.search.getAll(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
    if ('suggestions' in control) return renderSearch(call, name, control.label, control.suggestions);
    if ('isDay' in control) return renderDay(call, name, control.label);
    if (!('words' in control)) return renderSearch(call, name, control);
    const { schema } = query[name]!;
    const values = (schema.items ?? schema).enum as readonly string[];
    const words = values.map((value): Option => [value, control.words[value]!]);
    return (schema.items === undefined ? renderChoice : renderChecks)(call, name, control, words);
  });
  const active = namesOf(options.controls).filter((name) => call.search.getAll(name).some(Boolean)).length;
  return html`<details class="filters-fold" hx-morph-skip="true" ${attr('open', call.wrong !== undefined)}><summary>${icon('filter')} ${say(parts.filter)} <span class="filter-count" ${attr('hidden', active === 0)}><span class="visually-hidden">${say(parts.filtersActive)}</span> <span data-count>${active}</span></span></summary><form class="filters" method="get" action="${path}" role="search" aria-label="${say(parts.filter)}" hx-get="${path}" hx-trigger="input delay:300ms, change" hx-target="#${section}" hx-swap="outerMorph" hx-push-url="true" hx-sync="replace">
${fields}
<button class="button button-plain" type="submit">${icon('search')} ${say(parts.filter)}</button>
</form><p class="visually-hidden" role="status" data-found></p></details>`;
}

/** The parameters that have a control of their own, and so narrow the list. */
export function namesOf(controls: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(controls).filter((name) => controls[name] !== 'kept');
}

/** Whether any of these parameters narrows the list. */
export function isFiltered({ search }: PageCall, names: readonly string[]): boolean {
  return names.some((name) => (search.get(name) ?? '') !== '');
}

/**
 * Replaces a list that a filter has emptied: names the filter, with the way to drop it.
 *
 * @param controls their labels replace the values of the filter
 */
export function nothingMatches(
  call: PageCall,
  path: string,
  names: readonly string[],
  controls: Readonly<Record<string, unknown>> = {},
): Html {
  const { say } = call.words;
  const given = names.flatMap((name) => {
    const { words = {}, label } = (controls[name] ?? {}) as Partial<WordControl<string>>;
    const values = call.search.getAll(name).filter(Boolean);
    const said = values.map((value) => (Object.hasOwn(words, value) ? say(words[value]!) : value)).join(', ');
    return values.length === 0
      ? []
      : [label === undefined ? said : `${say(label)}${say(parts.colon)} ${said}`];
  });
  const filter = given.join(' · ');
  return html`<p>${say(parts.noMatch, { filter })}</p><p><a href="${path}">${say(parts.dropFilter)}</a></p>`;
}
