import { type HistoryRecord, toWholeActor, triedName } from '../../../../src/contract/history.ts';
import { actorWords } from '../../../../src/text/words/accounts.ts';
import { history } from '../../../../src/text/words/history.ts';
import { attr, type Html, html } from '../../html.ts';
import { showActor, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import type { HistoryCall } from './filter.ts';
import { cut } from './subject.ts';

/** Who acted: of a refused sign-in the name that was tried, and that nobody signed in. */
export function sayActor({ words }: PageCall, record: HistoryRecord): Html {
  const tried = triedName(record);
  if (tried === undefined) return showActor(words, cut(record.actor));
  return html`${untrusted(cut(tried))} <span class="muted">(${words.say(actorWords.unauthenticated)})</span>`;
}

/** A name without a place to break it, and without letters that change the direction of a line: it needs no element of its own. */
const plainName = /^[\w:.]{1,32}$/;

/** The same, leading to all records of the actor, or of the name that was tried. @param kept the filter that stays */
export function actorLink(
  call: PageCall,
  record: HistoryRecord,
  kept: Partial<HistoryCall['query']> = {},
): Html {
  const name = toWholeActor(triedName(record) ?? record.actor);
  if (name === undefined) return sayActor(call, record);
  const { actor } = record;
  const isPlain =
    plainName.test(actor) && !Object.hasOwn(actorWords, actor) && triedName(record) === undefined;
  return html`<a href="${toPath('/history', {}, { ...kept, actor: name })}" ${attr('translate', isPlain ? 'no' : undefined)} title="${call.words.say(history.onlyActor)}">${isPlain ? actor : sayActor(call, record)}</a>`;
}

/** Kind of the actor of a command, in words: `local:0` alone is hard to read. */
export function explainActor({ words: { say } }: PageCall, { actor }: HistoryRecord): Html | string {
  const [, uid] = /^local:([0-9]{1,10})$/.exec(actor) ?? [];
  return uid === undefined ? '' : html` <span class="muted">${say(history.localUser, { uid })}</span>`;
}
