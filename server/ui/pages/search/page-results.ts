import { foldText, splitWords } from '../../../../src/base/words.ts';
import { history, outcomeWords } from '../../../../src/text/words/history.ts';
import { searchedPages, searchWords } from '../../../../src/text/words/search.ts';
import { shell } from '../../../../src/text/words/shell.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { findHistory } from '../../../../src/view/history.ts';
import { takesMedia } from '../../../views/media.ts';
import { hasZones } from '../../../views/zones.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { hasHistory } from '../../parts/history-link.ts';
import { showActor, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { cut, outcomeKinds, sayAction } from '../history/subject.ts';
import { results, shown } from './result-list.ts';

interface FoundPage {
  readonly title: Sentence;
  readonly path: string;
  readonly isOpen: (call: PageCall) => boolean;
}

const isAdmin = ({ can }: PageCall): boolean => can('admin');

/** The page where each of the words leads. */
const pages: Readonly<Record<keyof typeof searchedPages, FoundPage>> = {
  accounts: { title: shell.accounts, path: '/admin/accounts', isOpen: isAdmin },
  network: { title: shell.network, path: '/admin/network', isOpen: isAdmin },
  store: { title: shell.store, path: '/admin/store', isOpen: isAdmin },
  denied: { title: searchWords.deniedActions, path: '/history?outcome=denied', isOpen: hasHistory },
  stalled: { title: searchWords.runningTasks, path: '/tasks?status=running', isOpen: () => true },
  zones: { title: shell.zones, path: '/zones', isOpen: hasZones },
  medium: {
    title: shell.thisMedium,
    path: '/media',
    isOpen: (call) => takesMedia(call) && call.can('operator'),
  },
};

/** The pages for a text of their words, in either language, that the reader may open. */
export function listPages(call: PageCall, q: string): readonly Html[] {
  const asked = splitWords(foldText(q));
  return (Object.keys(pages) as (keyof typeof pages)[]).flatMap((name) => {
    const { title, path, isOpen } = pages[name];
    const words = searchedPages[name].flatMap((text) => foldText(text).split(', '));
    const isNamed = words.includes(asked.join(' ')) || asked.every((word) => words.includes(word));
    if (asked.length === 0 || !isNamed || !isOpen(call)) return [];
    return [html`<a href="${path}">${call.words.say(title)}</a>`];
  });
}

export function pageResults(call: PageCall, q: string): readonly Section[] {
  const items = listPages(call, q).map((name) => ({ name }));
  const title = call.words.say(searchWords.pages);
  return results(call, { id: 'pages', title, total: items.length, all: '/', items });
}

/** Records that are counted; the page of the history has more. */
const mostCounted = 200;

/** The newest audit records with the text as a whole, among those that one page of the history looks at. */
export async function historyResults(call: PageCall, q: string): Promise<readonly Section[]> {
  if (!hasHistory(call)) return [];
  const { config } = call.instance.context;
  const { found } = await findHistory(config, { subject: q, pageSize: mostCounted });
  const { say, format } = call.words;
  const named = found.flatMap(({ record, id }) => (id === undefined ? [] : [{ record, id }]));
  const items = named.slice(0, shown).map(({ record, id }) => ({
    name: html`<a href="${toPath('/history/{record}', { record: id })}">${untrusted(sayAction(call, record))}</a>`,
    version: untrusted(cut(record.target ?? '')),
    kind: html`${say(searchWords.by)} ${showActor(call.words, cut(record.actor))}`,
    state: badge(outcomeKinds[record.outcome], say(outcomeWords[record.outcome])),
    rest: html`<span class="muted">${format.time(record.ts)}</span>`,
  }));
  const all = toPath('/history', {}, { subject: q });
  return results(call, { id: 'records', title: say(history.records), total: named.length, all, items });
}
