import { store } from '../../../src/text/words/store.ts';
import type { Words } from '../../../src/text/words/words.ts';
import { type Html, html } from '../html.ts';
import { answer, badge } from '../parts/badge.ts';
import type { PageCall } from '../ui-route.ts';
import { bringWay } from './overview/todo.ts';

/** The mark of content in a list, part of which the store has lost. */
export const damagedBadge = ({ say }: Words): Html => badge('bad', say(store.stampDamaged).toLowerCase());

/**
 * The head of a page about content of which the store has lost a part, with the code and the way to bring it again.
 *
 * @param lines further ones
 * @param beside further buttons
 */
export function damageAnswer(
  call: PageCall,
  {
    what,
    lines = [],
    beside = '',
  }: { readonly what: Html; readonly lines?: readonly (Html | string)[]; readonly beside?: Html | string },
): Html {
  const { say } = call.words;
  const way = bringWay(call);
  const step =
    way === undefined ? '' : html`<a class="button button-primary" href="${way[1]}">${say(way[0])}</a>`;
  return answer({
    kind: 'bad',
    mark: say(store.stampDamaged),
    what,
    lines: [html`${say(store.damagedStep)} <a href="/help#SVC-STO-009">SVC-STO-009</a>`, ...lines],
    step: beside === '' ? step : html`<p class="buttons">${step}${beside}</p>`,
  });
}
