import { isDigest } from '../../../../src/base/digest.ts';
import { selectNearest } from '../../../../src/base/nearest.ts';
import { hasWords, splitWords } from '../../../../src/base/words.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { listFilesetFiles } from '../../../../src/contract/operations/filesets.ts';
import { oneOf, text } from '../../../../src/contract/schema.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { searchWords } from '../../../../src/text/words/search.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { listContent } from '../../../../src/view/content.ts';
import { servedFrom } from '../../../views/filesets.ts';
import {
  type DigestPlace,
  type FoundDigest,
  findDigests,
  mostDigests,
} from '../../../views/find/find-digest.ts';
import { findRefused } from '../../../views/find/find-named.ts';
import { findSigned, findVersions } from '../../../views/find/find-names.ts';
import { listTaskSummaries } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { copyable } from '../../parts/copy.ts';
import { hasHistory } from '../../parts/history-link.ts';
import { code, marked, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import { type Page, type PageCall, page, type Section, type UiRoute } from '../../ui-route.ts';
import { type FoundIdentifier, findIdentifiers, findOne } from './identifiers.ts';
import { inZonesResults } from './in-zones.ts';
import {
  type Access,
  accessItem,
  contentItem,
  findAccess,
  type Known,
  placeItem,
  readKnown,
  recipeItem,
  taskItem,
  toContentText,
  toPlace,
  toWantedPage,
} from './items.ts';
import { filesetResults, mediumResults, onlyTasks } from './on-medium.ts';
import {
  helpResults,
  listZones,
  meantSection,
  missingResults,
  refusedResults,
  selectMissing,
  selectZones,
  toZone,
  zoneResults,
} from './other-results.ts';
import { historyResults, pageResults } from './page-results.ts';
import { subjectOf } from './question.ts';
import {
  type InState,
  type Kind,
  kindLinks,
  type Result,
  resultList,
  results,
  shown,
} from './result-list.ts';
import { deliveryResults } from './state-lists.ts';
import { parseStates } from './state-words.ts';
import { findInStates, noneSection, sayNoneIn, sayOtherState } from './states.ts';
import { suggestionSection } from './suggestions.ts';

/** Names of each kind that are compared with a text that nothing has. */
const mostCompared = 2000;

/** The tasks with the text, and whether one has it in itself and not only in what it handled. */
function findTasks(
  call: PageCall,
  q: string,
): { readonly sections: readonly Section[]; readonly isNamed: boolean; readonly last: TaskHead | undefined } {
  const found = listTaskSummaries(call, call.identity, { q, pageSize: shown });
  const has = hasWords(q);
  const isNamed = found.tasks.some(({ id, runId, requestId, reference, actor }) =>
    has([id, runId, requestId, reference, actor].join('\n')),
  );
  const sections = results(call, {
    id: 'tasks',
    title: call.words.say(searchWords.tasks),
    total: found.total,
    all: toPath('/tasks', {}, { q }),
    items: found.tasks.map((task) => taskItem(call, task, q)),
  });
  return { sections, isNamed, last: found.tasks[0] };
}

/** The way to the audit records with the text, also of content that is gone. */
function historySection(call: PageCall, q: string): readonly Section[] {
  // the filter of the history takes a text as a whole
  if (!hasHistory(call) || splitWords(q).length > 1) return [];
  const path = toPath('/history', {}, { subject: q });
  return [
    {
      id: 'history',
      html: html`<p><a href="${path}">${untrusted(call.words.say(searchWords.history, { q }))}</a></p>`,
    },
  ];
}

/** Content with the text in its name; {@link exactSection} has the one that is named by it. */
async function contentResults(call: PageCall, known: Known, text: string): Promise<readonly Section[]> {
  const q = toContentText(text);
  const found = await listContent(call, { q, pageSize: shown });
  const others = found.repositories.filter(({ name }) => name !== known.exact?.name);
  const items: Result[] = [];
  for (const each of others) items.push(await contentItem(call, known, each, q));
  const all = toPath('/content', {}, { q });
  const title = call.words.say(searchWords.content);
  const total = found.total - (known.exact === undefined ? 0 : 1);
  return results(call, { id: 'content', title, total, all, items });
}

/** Recipes with the words in their name and versions; a list of places has the ones with a version that is named. */
function recipeResults(
  call: PageCall,
  { recipes, wanted }: Known,
  q: string,
  versions: readonly DigestPlace[],
): readonly Section[] {
  const listed = new Set(versions.flatMap((place) => ('recipe' in place ? [place.recipe] : [])));
  const [text, has] = [q.toLowerCase(), hasWords(q)];
  const found = recipes.filter(
    ({ name, versions }) =>
      name.toLowerCase() !== text &&
      !listed.has(name) &&
      has(
        [name, ...(versions.length === 0 ? [wanted.get(name)] : versions).map((one) => one?.version)].join(
          ' ',
        ),
      ),
  );
  const items = found.slice(0, shown).map((row) => recipeItem(call, row, wanted.get(row.name), q));
  const all = toPath('/recipes', {}, { q });
  const title = call.words.say(searchWords.recipes);
  return results(call, { id: 'recipes', title, total: found.length, all, items });
}

/** Deliveries and media whose identifier begins with the text. */
function carriedResults(call: PageCall, found: readonly FoundIdentifier[], q: string): readonly Section[] {
  const items = found
    .slice(0, shown)
    .map(({ id, path }) => ({ name: html`<a href="${path}">${marked(id, q)}</a>` }));
  const title = call.words.say(searchWords.carried);
  return results(call, { id: 'carried', title, total: found.length, all: '/receipts', items });
}

function accessResults(call: PageCall, found: readonly Access[], q: string): readonly Section[] {
  const { say } = call.words;
  const others = found.filter(({ name }) => name !== q);
  const items = others.slice(0, shown).map((each) => accessItem(call, each, q));
  const title = say(searchWords.access);
  return results(call, { id: 'access', title, total: others.length, all: '/admin/accounts', items });
}

/** Recipes, content, accounts and tokens whose name is the text. They lead the list. */
async function exactSection(
  call: PageCall,
  known: Known,
  { q, access }: { readonly q: string; readonly access: readonly Access[] },
): Promise<readonly Section[]> {
  const { recipes, wanted, exact } = known;
  const named = recipes.filter(({ name }) => name.toLowerCase() === q.toLowerCase());
  const items = [
    ...named.map((row) => recipeItem(call, row, wanted.get(row.name), q)),
    ...(exact === undefined ? [] : [await contentItem(call, known, exact, toContentText(q))]),
    ...access.filter(({ name }) => name === q).map((each) => accessItem(call, each, q)),
  ];
  const title = call.words.say(searchWords.exact);
  return results(call, { id: 'exact', title, total: items.length, all: '', items });
}

/** The ways to the files of the served FileSets with the text: each is read when its page is opened. */
function fileLinks(call: PageCall, q: string): Html | string {
  const { gate, instance, words } = call;
  if (gate.refusal() !== undefined) return '';
  const names = new Map<string, string>();
  for (const repository of call.store.index.repositoriesOf('FileSet')) {
    if (!gate.allowsRepository(repository)) continue;
    for (const { name, version: tag } of servedFrom({ instance }, repository))
      if (tag !== undefined) names.set(name, toPath(listFilesetFiles.path, { repo: repository, tag }, { q }));
  }
  if (names.size === 0) return '';
  const links = [...names].slice(0, shown).map(([name, path]) => html` <a href="${path}">${name}</a>`);
  return html`<p>${words.say(searchWords.inFiles)}${links}</p>`;
}

/** What was searched, and the name here that is most like the text. */
function nothingFound(call: PageCall, known: Known, q: string, lists: readonly InState[]): Section {
  const { say, format } = call.words;
  const { recipes } = known;
  const repositories = call.store.index.repositories().filter((name) => call.gate.allowsRepository(name));
  const names = recipes.map(({ name }) => name);
  const { total: tasks } = call.tasks.listHeads({ pageSize: 1 });
  const zones = listZones(call).length;
  const places = [
    say(searchWords.inContent, { count: repositories.length }),
    say(searchWords.inRecipes, { count: names.length }),
    say(searchWords.inTasks, { count: tasks }),
    ...(zones === 0 ? [] : [say(searchWords.inZones, { count: zones })]),
    ...(call.can('admin') ? [say(searchWords.inAccess)] : []),
    ...(hasHistory(call) ? [say(searchWords.inHistory)] : []),
    say(searchWords.inHelp),
  ];
  const isOpen = call.gate.refusal() === undefined;
  const near = isOpen ? selectNearest(q, nearNames(names, repositories)) : undefined;
  const rest = parseStates(q)?.rest ?? '';
  const each = splitWords(q);
  const proposed =
    rest !== ''
      ? html`<p>${say(searchWords.withoutState)} <a href="${toPath('/search', {}, { q: rest })}">${untrusted(rest)}</a></p>`
      : near === undefined
        ? each.length < 2
          ? ''
          : html`<p>${say(searchWords.eachWord)} ${each.map((word) => html` <a href="${toPath('/search', {}, { q: word })}">${untrusted(word)}</a>`)}</p>`
        : html`<p>${say(searchWords.nearest)} <a href="${toPath('/search', {}, { q: near })}">${untrusted(near)}</a></p>`;
  const [, hex] = /^(?:sha(?:256|512):)?([0-9a-f]{4,6})(?:…|\.\.\.)?$/i.exec(q) ?? [];
  const next =
    hex === undefined ? say(searchWords.nothingNext) : say(searchWords.shortDigest, { count: hex.length });
  return {
    id: 'nothing',
    html: html`<div class="empty"><p>${untrusted(sayOtherState(call, known, q) ?? say(searchWords.nothing, { q }))}</p>${sayNoneIn(call, q, lists)}${proposed}${fileLinks(call, q)}<p>${say(searchWords.searched, { places: format.list(places) })} ${next}</p></div>${examples(call)}`,
  };
}

/** Names for the proposal: a repository also by its last part. A store has so many that only the first are compared. */
function* nearNames(recipes: readonly string[], repositories: readonly string[]): Generator<string> {
  yield* recipes.slice(0, mostCompared);
  for (const name of repositories.slice(0, mostCompared)) {
    yield name;
    yield name.slice(name.lastIndexOf('/') + 1);
  }
}

/** Examples of searches; the search field is in the header. */
function examples({ words: { say }, can }: PageCall): Html {
  const rows: readonly (readonly [string, Sentence])[] = [
    ['shop', can('admin') ? searchWords.partOrAccount : searchWords.part],
    ['shop web', searchWords.words],
    ['shop/web:1.4.0', searchWords.named],
    ['1.4.0', searchWords.bare],
    ['9c1d4e7', searchWords.beginning],
    ['tsk_9f2c41aa07de', searchWords.identifier],
    ['shop missing', searchWords.state],
    ['zone-b', searchWords.zone],
    ['SVC-SIG-001', searchWords.code],
    ['registries.yaml', searchWords.aPage],
  ];
  return html`<ul class="results">${rows.map(([example, meaning]) => html`<li><a href="${toPath('/search', {}, { q: example })}">${code(example)}</a> <span class="muted">${say(meaning)}</span></li>`)}</ul>`;
}

/** Places that a text names, or that belong to a key. */
async function placeSection(
  call: PageCall,
  known: Known,
  {
    id,
    title,
    places,
  }: { readonly id: string; readonly title: Sentence; readonly places: readonly DigestPlace[] },
): Promise<readonly Kind[]> {
  if (places.length === 0) return [];
  const { say, format } = call.words;
  const items: Result[] = [];
  for (const place of places) items.push(await placeItem(call, known, place));
  return [
    {
      id,
      title: say(title),
      total: places.length,
      html: html`<h2>${say(title)} <span class="muted">${format.number(places.length)}</span></h2>${resultList(items)}`,
    },
  ];
}

/** Where digests are that are, or begin with, the text. */
async function digestSections(
  call: PageCall,
  known: Known,
  found: readonly FoundDigest[],
): Promise<readonly Section[]> {
  const { say } = call.words;
  if (found.length === 0) return [];
  const lists: Html[] = [];
  for (const { digest, places } of found) {
    const items: Result[] = [];
    for (const place of places) items.push(await placeItem(call, known, place));
    lists.push(html`<h3>${copyable(call.words, digest, say(searchWords.digest))}</h3>${resultList(items)}`);
  }
  const more =
    found.length < mostDigests
      ? ''
      : html`<p class="muted">${say(searchWords.moreDigests, { shown: mostDigests })}</p>`;
  return [
    {
      id: 'places',
      html: html`<h2>${say(searchWords.places, { count: found.length })}</h2>${lists}${more}`,
    },
  ];
}

/** The field in the header asks for the suggestions while a text is typed. */
const parameters = {
  q: { schema: text({ maxLength: 256 }) },
  view: { schema: oneOf('results', 'suggestions') },
};

/** The page `/search`. A term that names one thing leads straight to it. */
async function showSearch(call: PageCall<QueryOf<typeof parameters>>): Promise<Page> {
  const { say } = call.words;
  const typed = (call.query.q ?? '').trim();
  // a name of several words can begin as a question does
  const q = (splitWords(typed).length > 1 ? subjectOf(typed) : undefined) ?? typed;
  if (q !== '' && call.query.view === 'suggestions')
    return { title: say(searchWords.titleOf, { q }), sections: [await suggestionSection(call, q)] };
  if (q === '')
    return {
      title: say(searchWords.title),
      lead: say(searchWords.lead),
      sections: [{ id: 'examples', html: examples(call) }],
    };
  const one = await findOne(call, q);
  const title = say(searchWords.titleOf, { q: typed });
  if (one !== undefined) return { title, sections: [], location: one };
  const carried = await findIdentifiers(call, q);
  if (carried.length === 1) return { title, sections: [], location: carried[0]!.path };
  const [digests, versions, signed] = [
    await findDigests(call, q),
    await findVersions(call, q),
    await findSigned(call, q),
  ];
  const known = await readKnown(call, q);
  const tasks = findTasks(call, q);
  const named = isDigest(q)
    ? []
    : [
        ...(await contentResults(call, known, q)),
        ...recipeResults(call, known, q, versions),
        ...(tasks.isNamed ? tasks.sections : []),
      ];
  const access = await findAccess(call, q);
  const exact = isDigest(q) ? [] : await exactSection(call, known, { q, access });
  // a state may be asked of a zone, whose page has its recipes
  const zones = selectZones(call, parseStates(q)?.rest || q);
  const missing = selectMissing(known, q);
  const refused = (await findRefused(call, call.identity, q)).filter(
    ({ task }) => task !== undefined || call.can('operator'),
  );
  const onMedium = isDigest(q) ? [] : mediumResults(call, known, { q, listed: missing });
  const filesets = isDigest(q) ? [] : await filesetResults(call, q);
  const deliveries = isDigest(q) || carried.length > 0 ? [] : await deliveryResults(call, q);
  const others = onMedium.length + filesets.length;
  const ofBoards = isDigest(q) ? [] : inZonesResults(call, known.boards, q);
  const lists = await findInStates(call, known, q);
  const inStates = lists.flatMap((each) => results(call, { ...each, isFiltered: true }));
  const isAlone =
    inStates.length === 0 &&
    named.length === 0 &&
    exact.length === 0 &&
    others === 0 &&
    zones.length + missing.length + refused.length === 0;
  const places = [...digests.flatMap((each) => each.places), ...versions, ...signed];
  if (places.length === 1 && isAlone) return { title, sections: [], location: toPlace(places[0]!) };
  if (places.length + inStates.length + named.length + exact.length + access.length + others === 0) {
    const [zone, recipe] = [zones[0], missing[0]];
    if (zones.length + missing.length + refused.length === 1) {
      if (zone !== undefined && deliveries.length === 0 && splitWords(q).includes(zone.name))
        return { title, sections: [], location: toZone(zone) };
      if (recipe !== undefined) return { title, sections: [], location: toWantedPage(recipe) };
    }
  }
  const [first] = access;
  const isNamed = known.exact !== undefined || known.recipes.some(({ name }) => name === q);
  if (
    access.length === 1 &&
    first!.name === q &&
    places.length === 0 &&
    inStates.length === 0 &&
    named.length + others === 0 &&
    !isNamed &&
    zones.length + missing.length === 0
  )
    return { title, sections: [], location: first!.path };
  // only tasks know the name: no content of it is here. A task of this name has a page that says so
  const isGone =
    !tasks.isNamed &&
    ofBoards.length + deliveries.length === 0 &&
    tasks.last !== undefined &&
    places.length + inStates.length + named.length + exact.length + access.length + others === 0 &&
    zones.length + missing.length + refused.length + carried.length === 0 &&
    !isDigest(q);
  const things = [
    ...onMedium,
    ...pageResults(call, q),
    ...exact,
    ...inStates,
    ...ofBoards,
    ...missingResults(call, missing, q),
    ...(await placeSection(call, known, { id: 'versions', title: searchWords.versions, places: versions })),
    ...(await digestSections(call, known, digests)),
    ...(await placeSection(call, known, { id: 'signed', title: searchWords.signed, places: signed })),
    ...refusedResults(call, refused),
    ...zoneResults(call, known.boards, zones, q),
    ...filesets,
    ...carriedResults(call, carried, q),
    ...deliveries,
    ...named,
    ...(tasks.isNamed ? [] : tasks.sections),
    ...accessResults(call, access, q),
  ];
  // the records are many: they are looked through where nothing else has the text
  const records = things.length === 0 ? await historyResults(call, q) : [];
  const found = [...things, ...records, ...helpResults(call, q)];
  return {
    title,
    heading: html`${untrusted(say(searchWords.titleOf, { q: typed }))}`,
    sections: [
      ...meantSection(call, q),
      ...(isGone ? [onlyTasks(call, q, tasks.last)] : []),
      ...kindLinks(call, found),
      ...(inStates.length + ofBoards.length > 0 || found.length === 0 ? [] : noneSection(call, q, lists)),
      ...(found.length === 0 ? [nothingFound(call, known, q, lists)] : found),
      ...historySection(call, q),
    ],
  };
}

export const searchPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/search',
    floor: 'viewer',
    title: searchWords.title,
    query: parameters,
    page: showSearch,
  }),
];
