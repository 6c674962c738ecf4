import { overview } from '../../../src/text/words/overview.ts';
import { parts } from '../../../src/text/words/parts.ts';
import { store } from '../../../src/text/words/store.ts';
import type { Sentence, Words } from '../../../src/text/words/words.ts';
import type { Mending } from '../../views/damage.ts';
import { takesMedia } from '../../views/media.ts';
import { type Html, html } from '../html.ts';
import { answer, badge } from '../parts/badge.ts';
import { untrusted } from '../parts/text.ts';
import { toPath } from '../to-href.ts';
import type { PageCall } from '../ui-route.ts';

/** A link to a page, with its text. */
export type Way = readonly [Sentence, string];

/** The mark of content in a list, part of which the store has lost. */
export const damagedBadge = ({ say }: Words): Html => badge('bad', say(store.stampDamaged).toLowerCase());

/** Where content comes from that is absent or damaged; undefined where the reader may bring none. */
export function bringWay(call: PageCall): Way | undefined {
  if (!call.can('operator')) return undefined;
  if (call.instance.context.config.retriever.source !== undefined)
    return [overview.synchronize, '/recipes/sync'];
  return takesMedia(call) ? [overview.openMedium, '/media'] : undefined;
}

/** References that a sentence names. */
const mostNamed = 3;

/** What brings lost content again, and the way there where the reader may go it. */
export function mendStep(
  call: PageCall,
  { isWanted, unwanted }: Mending,
): { readonly text: string; readonly way: Way | undefined } {
  const { say, format } = call.words;
  const { source } = call.instance.context.config.retriever;
  const [first] = unwanted;
  if (source === undefined)
    return { text: say(takesMedia(call) ? store.mendByMedium : store.mendByPush), way: bringWay(call) };
  if (first === undefined) return { text: say(store.mendBySync), way: bringWay(call) };
  const names = [...unwanted.slice(0, mostNamed), ...(unwanted.length > mostNamed ? ['…'] : [])];
  return {
    text: say(isWanted ? store.mendByBoth : store.mendByImport, { names: format.list(names) }),
    way: call.can('operator') ? [store.importAgain, toPath('/import', {}, { reference: first })] : undefined,
  };
}

/**
 * The head of a page about content of which the store has lost a part, with the code and the way to bring it again.
 *
 * @param notes facts that the answer rests on
 * @param beside further buttons
 */
export function damageAnswer(
  call: PageCall,
  {
    what,
    mending,
    notes = [],
    beside = '',
  }: {
    readonly what: Html;
    readonly mending: Mending;
    readonly notes?: readonly (Html | string)[];
    readonly beside?: Html | string;
  },
): Html {
  const { say } = call.words;
  const { text, way } = mendStep(call, mending);
  const step =
    way === undefined ? '' : html`<a class="button button-primary" href="${way[1]}">${say(way[0])}</a>`;
  return answer({
    kind: 'bad',
    mark: say(store.stampDamaged),
    what,
    lines: [
      html`${say(parts.errorAction)}${say(parts.colon)} ${untrusted(text)} <a href="/help#SVC-STO-009">SVC-STO-009</a>`,
    ],
    notes,
    step: beside === '' ? step : html`<p class="buttons">${step}${beside}</p>`,
  });
}
