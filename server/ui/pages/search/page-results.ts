import { foldText, splitWords } from '../../../../src/base/words.ts';
import type { ZoneRecipeState } from '../../../../src/contract/zone-board.ts';
import { about } from '../../../../src/text/words/about.ts';
import { authoring } from '../../../../src/text/words/authoring.ts';
import { deliveryStates } from '../../../../src/text/words/delivering/deliveries.ts';
import { history } from '../../../../src/text/words/history.ts';
import { imports } from '../../../../src/text/words/imports.ts';
import { publish } from '../../../../src/text/words/publish.ts';
import { searchedPages, searchWords } from '../../../../src/text/words/search.ts';
import { shell } from '../../../../src/text/words/shell.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import { type Sentence, words } from '../../../../src/text/words/words.ts';
import { findHistory } from '../../../../src/view/history.ts';
import { takesMedia } from '../../../views/media.ts';
import { hasZones } from '../../../views/zones.ts';
import { type Html, html } from '../../html.ts';
import { maySeeDeliveries } from '../../parts/delivery-link.ts';
import { hasHistory } from '../../parts/history-link.ts';
import { mayOpen, navigationTitle } from '../../parts/navigation.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { sayActor } from '../history/actor.ts';
import { outcomeBadge, sayAction, showTarget } from '../history/subject.ts';
import { results, shown } from './result-list.ts';
import { shownWords } from './shown-words.ts';
import { toPlain } from './state-words.ts';

interface FoundPage {
  readonly title: Sentence;
  readonly path: string;
  /** Where it leads at an instance that writes for zones. */
  readonly sent?: string;
  readonly isOpen: (call: PageCall) => boolean;
}

const isAdmin = ({ can }: PageCall): boolean => can('admin');
const isOperator = ({ can }: PageCall): boolean => can('operator');
/** Whether the navigation has a page for the reader. */
const isListed = (path: string) => (call: PageCall) => mayOpen(call, call.pages, path);

const takesDisks = (call: PageCall): boolean => takesMedia(call) && call.can('operator');

const zonesIn = (state: ZoneRecipeState, title: Sentence): FoundPage => ({
  title,
  path: toPath('/zones', {}, { state }),
  isOpen: hasZones,
});

const deliveriesIn = (state: keyof typeof deliveryStates): FoundPage => ({
  title: deliveryStates[state],
  path: `${toPath('/media', {}, { deliveries: state })}#deliveries`,
  isOpen: takesDisks,
});

/** The page where each of the words leads. */
const pages: Readonly<Record<keyof typeof searchedPages, FoundPage>> = {
  accounts: { title: shell.accounts, path: '/admin/accounts', isOpen: isAdmin },
  network: { title: shell.network, path: '/admin/network', isOpen: isAdmin },
  store: { title: shell.store, path: '/admin/store', isOpen: isAdmin },
  deletions: {
    title: searchWords.deletedContent,
    path: toPath('/history', {}, { action: 'content.delete' }),
    isOpen: hasHistory,
  },
  denied: { title: searchWords.deniedActions, path: '/history?outcome=denied', isOpen: hasHistory },
  failures: { title: searchWords.failedActions, path: '/history?outcome=failure', isOpen: hasHistory },
  open: { title: searchWords.openActions, path: '/history?outcome=open', isOpen: hasHistory },
  receipts: { title: searchWords.receipts, path: '/receipts', isOpen: maySeeDeliveries },
  deliveries: { title: searchWords.deliveries, path: '/deliveries', isOpen: maySeeDeliveries },
  recipes: { title: shell.recipes, path: '/recipes', isOpen: () => true },
  sync: { title: sync.title, path: '/recipes/sync', isOpen: ({ can }) => can('operator') },
  retriever: { title: shell.retriever, path: '/admin/retriever', isOpen: isAdmin },
  clients: { title: shell.clients, path: '/clients', isOpen: () => true },
  import: { title: imports.title, path: '/import', isOpen: isOperator },
  publish: { title: publish.title, path: '/recipes/publish', isOpen: isOperator },
  check: { title: authoring.checkTitle, path: '/recipes/check', isOpen: () => true },
  compare: { title: authoring.compareTitle, path: '/recipes/compare', isOpen: isOperator },
  tasks: { title: shell.tasks, path: '/tasks', isOpen: () => true },
  content: { title: shell.content, path: '/content', isOpen: () => true },
  filesets: { title: shell.filesets, path: '/filesets', isOpen: () => true },
  deliver: { title: shell.deliver, path: '/deliver', isOpen: isListed('/deliver') },
  layout: { title: shell.layout, path: '/admin/oci-layout', isOpen: isAdmin },
  history: { title: shell.history, path: '/history', isOpen: hasHistory },
  about: { title: about.title, path: '/about', isOpen: () => true },
  api: { title: shell.api, path: '/api-docs', isOpen: () => true },
  stalled: { title: searchWords.runningTasks, path: '/tasks?status=running', isOpen: () => true },
  zones: { title: shell.zones, path: '/zones', isOpen: hasZones },
  zonesUnknown: zonesIn('unknown', searchWords.zonesUnknown),
  zonesOnTheWay: zonesIn('in-transit', searchWords.zonesOnTheWay),
  zonesBehind: zonesIn('behind', searchWords.zonesBehind),
  zonesCurrent: zonesIn('current', searchWords.zonesCurrent),
  zonesBlocked: zonesIn('blocked', searchWords.zonesBlocked),
  zonesMissing: zonesIn('missing', searchWords.zonesMissing),
  medium: { title: shell.thisMedium, path: '/media', isOpen: takesDisks },
  arrived: deliveriesIn('arrived'),
  onTheWay: {
    ...deliveriesIn('on-the-way'),
    sent: toPath('/deliveries', {}, { state: 'way' }),
    isOpen: (call) => takesDisks(call) || (hasZones(call) && isOperator(call)),
  },
  lost: deliveriesIn('lost'),
  refused: deliveriesIn('refused'),
};

/** The fewest letters of a word that name a page by their beginning. */
const fewestLetters = 3;

/** The pages whose title has the words of the text in either language, or their beginnings. */
function listTitled(call: PageCall, asked: readonly string[]): readonly FoundPage[] {
  const has = (title: Sentence): boolean =>
    Object.values(words).some(({ say }) => {
      const named = splitWords(foldText(say(title)));
      return asked.every((word) => named.some((one) => one.startsWith(word)));
    });
  if (asked.length === 0 || asked.some((word) => word.length < fewestLetters)) return [];
  return call.pages.flatMap(({ path, title, floor }) => {
    if (floor === 'public' || path.includes('{') || !mayOpen(call, call.pages, path)) return [];
    const name = navigationTitle(path) ?? title;
    return has(name) || has(title) ? [{ title: name, path, isOpen: () => true }] : [];
  });
}

/** The deletions in the history of the subject that stands beside a word for deletions. */
function listDeletions(
  call: PageCall,
  asked: readonly string[],
): readonly Pick<FoundPage, 'title' | 'path'>[] {
  const named = new Set(searchedPages.deletions.flatMap((text) => foldText(text).split(', ')));
  const rest = asked.filter((word) => !named.has(word));
  if (rest.length === asked.length || rest.length === 0 || !hasHistory(call)) return [];
  const path = toPath('/history', {}, { action: 'content.delete', subject: rest.join(' ') });
  return [{ title: searchWords.deletedContent, path }];
}

/** The words of a text: a blank is as good as a hyphen. */
const toAsked = (text: string): readonly string[] => splitWords(foldText(text).replaceAll('-', ' '));

/** The pages for a text of their title or their words, in either language, that the reader may open. */
export function listPages(call: PageCall, q: string): readonly Html[] {
  const asked = toAsked(q);
  const titled = listTitled(call, asked);
  const known = (Object.keys(pages) as (keyof typeof pages)[]).flatMap((name) => {
    const { title, path: usual, sent, isOpen } = pages[name];
    const path = sent !== undefined && hasZones(call) ? sent : usual;
    const named = searchedPages[name].flatMap((text) => foldText(text).split(', '));
    const isNamed =
      named.includes(asked.join(' ')) ||
      asked.every((word) => named.includes(word)) ||
      shownWords[name]?.some((texts) =>
        texts.some((text) => toAsked(toPlain(text)).join(' ') === asked.join(' ')),
      );
    const isListed = titled.some((each) => each.path === path);
    return asked.length === 0 || !isNamed || isListed || !isOpen(call) ? [] : [{ title, path }];
  });
  return [...titled, ...known, ...listDeletions(call, asked)].map(
    ({ title, path }) => html`<a href="${path}">${call.words.say(title)}</a>`,
  );
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
    version: showTarget(call, record),
    kind: html`${say(searchWords.by)} ${sayActor(call, record)}`,
    state: outcomeBadge(call, record),
    rest: html`<span class="muted">${format.time(record.ts)}</span>`,
  }));
  const all = toPath('/history', {}, { subject: q });
  return results(call, { id: 'records', title: say(history.records), total: named.length, all, items });
}
