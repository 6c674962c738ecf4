import { resources } from '../../src/base/shares/resources.ts';
import { shell } from '../../src/text/words/shell.ts';
import { createHeld, type Held } from './held.ts';
import { type Html, html } from './html.ts';
import { icon } from './parts/icons.ts';
import { moment } from './parts/text.ts';
import type { KeptResult, Page, PageCall } from './ui-route.ts';

/** Parameter of a page that names a result, and field of a form that belongs to one. */
export const resultName = 'result';
export const resultField = `_${resultName}`;

const limits = { count: resources.results, bytes: resources.resultBytes, waiting: 3_600_000 } as const;

export const createKeptResults = (): Held<KeptResult> => createHeld<KeptResult>(limits);

/** The result that a page is asked for, or that the form which is shown again belongs to. */
function find(call: PageCall): { readonly asked: boolean; readonly found: KeptResult | undefined } {
  const name = call.search.get(resultName) ?? (call.field(resultField) || undefined);
  if (name === undefined) return { asked: false, found: undefined };
  const found = call.results.look(call.holder, name);
  return { asked: true, found: found?.path === call.exchange.path || call.posted ? found : undefined };
}

/** Says when a result was found out. */
const madeLine = ({ words }: PageCall, { at }: KeptResult): Html =>
  html`${words.say(shell.asOf, { time: words.format.time(at) })} (${moment(words, at, true)})`;

/** A page, with the result that it is asked for: from memory, as it was found out. */
export async function showWithResult(call: PageCall): Promise<Page> {
  const { asked, found } = find(call);
  if (found !== undefined) {
    const page = await found.show(call);
    return { ...page, lead: html`${page.lead ?? ''} ${madeLine(call, found)}` };
  }
  const page = await call.route.page(call);
  if (!asked) return page;
  const note = html`<div class="note">${icon('info')}<p>${call.words.say(shell.resultGone)}</p></div>`;
  return { ...page, sections: [{ id: 'result-gone', html: note }, ...page.sections] };
}
