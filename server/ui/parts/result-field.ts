import { type Html, html } from '../html.ts';
import { resultField, resultName } from '../kept-result.ts';
import type { PageCall } from '../ui-route.ts';

/** Ties a form to the result that its page shows: when the action fails, the page shows it again. */
export function keptField(call: PageCall): Html | string {
  const name = call.search.get(resultName) ?? call.field(resultField);
  return name === '' ? '' : html`<input type="hidden" name="${resultField}" value="${name}">`;
}
