import { renderError } from '../../../../src/text/message.ts';
import { history } from '../../../../src/text/words/history.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { type ChainState, readChain } from '../../../views/chain.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { showSentence } from '../../parts/error.ts';
import type { PageCall, Section } from '../../ui-route.ts';

/** Bytes of lines that a page reads, and that each poll reads after it. */
const [atFirst, atOnce] = [128 << 10, 4 << 20] as const;

/** Whether the lines follow each other, and which of them were read. */
export function showChain({ words }: PageCall, { lines, digest, next, at, error }: ChainState): Html {
  const { say, format } = words;
  const check = copyable(words, 'svc custody verify', say(history.chain));
  const time = html`<span class="muted">${say(history.chainAt, { time: format.time(at) })}</span> ${check}`;
  if (error === undefined) {
    const mark =
      next === undefined
        ? badge('ok', say(history.chainWhole, { lines }))
        : badge('running', say(history.chainGoing, { lines }));
    return html`<p class="chain">${mark} ${time} <span class="print-only">${say(history.chainHash, { lines, digest })}</span></p>`;
  }
  return answer({
    kind: 'bad',
    mark: say(history.chainBroken),
    what: showSentence(renderError(error, words.language, isolate).what),
    lines: [say(history.chainUntil, { lines })],
    notes: [time],
    step: html`<p class="answer-step"><a class="button button-plain" href="/help#${error.code}">${say(history.chainHelp)}</a></p>`,
  });
}

/** The state of the first part of the chain; undefined without a ledger. */
export const readFirst = (call: PageCall): ReturnType<typeof readChain> => readChain(call, atFirst);

/** Whether the lines of the custody ledger follow each other; no section without a ledger. A long ledger is read in parts. */
export async function chainSection(call: PageCall): Promise<readonly Section[]> {
  const isPoll = call.exchange.req.headers['hx-target'] === 'section#chain';
  const state = await (isPoll ? readChain(call, atOnce) : readFirst(call));
  if (state === undefined) return [];
  const every = state.next === undefined ? {} : { every: 1 };
  return [{ id: 'chain', label: call.words.say(history.chain), html: showChain(call, state), ...every }];
}
