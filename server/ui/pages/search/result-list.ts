import { searchWords } from '../../../../src/text/words/search.ts';
import { type Html, html } from '../../html.ts';
import type { PageCall, Section } from '../../ui-route.ts';

/** Results of each kind that are shown; a link leads to all of them. */
export const shown = 10;

/** The parts of a result, each in a column of its own. A result of a name alone has the whole row. */
export interface Result {
  /** Link to the thing. */
  readonly name: Html;
  readonly version?: Html | string | undefined;
  readonly kind?: Html | string | undefined;
  readonly state?: Html | string | undefined;
  readonly rest?: Html | string | undefined;
}

/** A list of results in columns. */
export function resultList(items: readonly Result[]): Html {
  const part = (shown: Html | string = ''): Html => html` <span>${shown}</span>`;
  return html`<ul class="results">${items.map(({ name, ...others }) => {
    const { version, kind, state, rest } = others;
    const isAlone = Object.values(others).every((each) => each === undefined);
    return html`<li><span>${name}</span>${isAlone ? '' : [version, kind, state, rest].map(part)}</li>`;
  })}</ul>`;
}

/** The things in a state, with the list that has all of them. */
export interface InState {
  readonly id: string;
  readonly title: string;
  readonly total: number;
  readonly all: string;
  readonly items: readonly Result[];
}

/** A kind of results, which a link at the head of the page leads to. */
export interface Kind extends Section {
  readonly title: string;
  readonly total: number;
}

/** Links to the kinds, where there are several: how many results each has. */
export function kindLinks(
  { words: { say, format } }: PageCall,
  found: readonly (Section | Kind)[],
): readonly Section[] {
  const kinds = found.filter((each): each is Kind => 'title' in each);
  if (kinds.length < 2) return [];
  const links = kinds.map(
    ({ id, title, total }) =>
      html`<li><a href="#${id}">${title}</a> <span class="muted">${format.number(total)}</span></li>`,
  );
  return [
    {
      id: 'kinds',
      html: html`<nav aria-label="${say(searchWords.kinds)}"><ul class="chips">${links}</ul></nav>`,
    },
  ];
}

export function results(
  { words: { say, format } }: PageCall,
  {
    id,
    title,
    total,
    all,
    items,
    isFiltered = false,
  }: InState & {
    /** The heading leads to the list, which has the same things. */
    readonly isFiltered?: boolean;
  },
): readonly Kind[] {
  if (items.length === 0) return [];
  const more =
    total > items.length ? html`<p><a href="${all}">${say(searchWords.all, { count: total })}</a></p>` : '';
  return [
    {
      id,
      title,
      total,
      html: html`<h2>${isFiltered ? html`<a href="${all}">${title}</a>` : title} <span class="muted">${format.number(total)}</span></h2>${resultList(items)}${more}`,
    },
  ];
}
