import { type HistoryRecord, isLoss } from '../../../../src/contract/history.ts';
import { escapeText } from '../../../../src/text/escape.ts';
import { history } from '../../../../src/text/words/history.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { findNeighbours, findRecord, findSuccessor, type KeptRecord } from '../../../../src/view/history.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { copyable, copyButton } from '../../parts/copy.ts';
import { facts } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { actorLink, explainActor } from './actor.ts';
import { chainSection } from './chain.ts';
import { listDetails } from './details.ts';
import { toShown } from './events.ts';
import { showSaid, splitDetails } from './sentences.ts';
import {
  cut,
  kindOf,
  nameActor,
  outcomeBadge,
  sayAction,
  sayDone,
  sayOutcome,
  sayTarget,
  showTarget,
} from './subject.ts';

/** The line that the record was read from, with its number and hashes for an auditor. */
function proofOf({ words }: PageCall, { line, digest, file, chain }: KeptRecord): Html {
  const { say } = words;
  const hash = (label: Sentence, value: string) => [say(label), copyable(words, value, say(label))] as const;
  const place =
    chain === undefined
      ? [hash(history.lineHash, digest)]
      : [
          [say(history.sequence), String(chain.seq)] as const,
          ...(chain.of === undefined ? [] : [[say(history.intentLine), String(chain.of)] as const]),
          hash(history.lineHash, digest),
          hash(history.hashBefore, chain.prev),
        ];
  return html`<h2>${say(history.proof)}</h2><p class="muted">${say(chain === undefined ? history.unchained : history.chained)}</p>
${facts([[say(history.file), code(file)], ...place])}
<details class="fold"><summary>${say(history.rawLine)}</summary><div class="command raw"><pre tabindex="0" translate="no"><code>${escapeText(line)}</code></pre>${copyButton(words, line, say(history.rawLine))}</div></details>`;
}

function factsOf(call: PageCall, record: HistoryRecord, id: string): Html {
  const { say, format } = call.words;
  const { ts, action, origin, runId } = record;
  const of = (label: Sentence, text: string | undefined): readonly (readonly [string, Html])[] =>
    text === undefined ? [] : [[say(label), untrusted(cut(text))]];
  return facts([
    [say(history.time), html`${format.time(ts)} ${code(ts)}`],
    [say(history.actor), html`${actorLink(call, record)}${explainActor(call, record)}`],
    [say(history.subject), showTarget(call, record)],
    [
      say(history.action),
      html`${untrusted(sayAction(call, record))} <span class="muted">${untrusted(action)}</span>`,
    ],
    [say(history.outcome), outcomeBadge(call, record)],
    ...listDetails(call, record),
    ...of(history.origin, origin),
    ...of(history.run, runId),
    [say(history.recordId), copyable(call.words, id, say(history.recordId))],
  ]);
}

/** The task of an operation without an outcome, while it runs. */
const findRunning = ({ tasks }: PageCall, { outcome, runId }: HistoryRecord): string | undefined =>
  outcome === 'open' && runId !== undefined
    ? tasks.listHeads({ status: 'running', pageSize: 50 }).tasks.find((task) => task.runId === runId)?.id
    : undefined;

/** The state of an operation without an outcome: its task runs, or it may have been broken off. */
function openNote(
  { words: { say } }: PageCall,
  { outcome }: HistoryRecord,
  running: string | undefined,
): Html {
  if (outcome !== 'open') return html``;
  return running === undefined
    ? html`<p>${say(history.openMeans)}</p>`
    : html`<p>${say(history.itRuns)} <a href="${toPath('/tasks/{id}', { id: running })}">${untrusted(running)}</a>.</p>`;
}

/** Links to the records of the same kind before and after one. */
async function neighbourSection(call: PageCall, id: string): Promise<Section> {
  const { say } = call.words;
  const { before, after } = await findNeighbours(call.instance.context.config, id);
  const link = (record: string | undefined, label: Sentence, rel: string): Html | string =>
    record === undefined
      ? ''
      : html`<a class="button button-plain" rel="${rel}" href="${toPath('/history/{record}', { record })}">${say(label)}</a>`;
  return {
    id: 'neighbours',
    html: html`<nav class="buttons" aria-label="${say(history.neighbours)}">${link(before, history.before, 'prev')}${link(after, history.after, 'next')}</nav>`,
  };
}

/** Characters of an address of the list, at most: with all filters it has fewer. */
const longestList = 4096;

/**
 * The row of a record in the list that led to its page, with its filter and order; else in the list of the newest records. The
 * browser names the page before; only the query of that address is used.
 */
function listOf({ exchange: { req } }: PageCall, id: string): string {
  const { referer = '' } = req.headers;
  const before = referer.length > longestList ? null : URL.parse(referer);
  return `/history${before?.pathname === '/history' ? before.search : ''}#${id}`;
}

/** The page `/history/{record}`: one record, to be kept or printed. @throws SVC-CFG-001 without a state folder */
export async function showRecordPage(
  call: PageCall<Record<never, never>, { readonly record: string }>,
): Promise<Page> {
  const { say, format } = call.words;
  const id = call.path.record;
  const kept = await findRecord(call.instance.context.config, id);
  const crumbs = [[say(history.title), kept === undefined ? '/history' : listOf(call, id)]] as const;
  if (kept === undefined) {
    const successor = await findSuccessor(call.instance.context.config, id);
    const gone = { title: say(history.record), crumbs };
    if (successor !== undefined)
      return { ...gone, sections: [], location: toPath('/history/{record}', { record: successor }) };
    return {
      ...gone,
      status: 404,
      sections: [
        {
          id: 'record',
          html: answer({
            kind: 'warn',
            mark: say(history.stampGone),
            what: say(history.recordGone),
            lines: [say(history.goneCause)],
            step: html`<p class="answer-step"><a class="button button-plain" href="/history">${say(history.title)}</a></p>`,
          }),
        },
      ],
    };
  }
  const record = toShown(kept);
  const { ts, target = '' } = record;
  const running = findRunning(call, record);
  const [done, time] = [sayDone(call, record), format.time(ts)];
  const named = { actor: nameActor(call.words, record.actor), action: sayAction(call, record) };
  const about = isLoss(record) || target === record.actor ? undefined : sayTarget(call.words, target);
  const title = done ?? say(history.didSo, { ...named, target: about });
  const head = answer({
    kind: running === undefined ? kindOf(record) : 'running',
    mark: sayOutcome(call, record),
    // the title has the actor and the subject
    what: time,
    lines: splitDetails(call.words, record).said.map(showSaid),
    step: html`<p class="answer-step"><button type="button" class="button button-plain" data-print>${say(parts.printPage)}</button></p>`,
  });
  return {
    title,
    crumbs,
    paper: [[say(history.store), call.instance.store.mediaId]],
    sections: [
      { id: 'verdict', html: head },
      {
        id: 'record',
        html: html`${openNote(call, record, running)}${factsOf(call, record, id)}`,
      },
      { id: 'proof', html: proofOf(call, kept) },
      ...(kept.chain === undefined ? [] : await chainSection(call)),
      await neighbourSection(call, id),
    ],
  };
}
