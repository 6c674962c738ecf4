import { isDigest } from '../../../src/base/digest.ts';
import type { ListedRepository } from '../../../src/contract/content.ts';
import { text } from '../../../src/contract/schema.ts';
import type { TaskHead } from '../../../src/task/storage.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { errorCodes } from '../../../src/text/errors/codes.ts';
import { searchWords } from '../../../src/text/words/search.ts';
import type { Sentence } from '../../../src/text/words/words.ts';
import { listContent } from '../../../src/view/content.ts';
import { listRecipes } from '../../../src/view/recipes.ts';
import { type DigestPlace, type FoundDigest, findDigests, mostDigests } from '../../views/find-digest.ts';
import { findSigned, findVersions, parseWritten } from '../../views/find-names.ts';
import { takesMedia } from '../../views/media.ts';
import { listTaskSummaries, showTask } from '../../views/tasks.ts';
import { type Html, html } from '../html.ts';
import { copyable } from '../parts/copy.ts';
import { shortName } from '../parts/short-name.ts';
import { untrusted } from '../parts/text.ts';
import { toPath } from '../to-href.ts';
import { type Page, type PageCall, page, type Section, type UiRoute } from '../ui-route.ts';
import { kindBadge } from './content/content-words.ts';
import { groupRecipes } from './recipes/list.ts';
import { taskBadge, typeWords } from './tasks/task-words.ts';

/** Results of each kind that are shown; a link leads to all of them. */
const shown = 10;

/** The page that shows a place of a digest. */
function toPlace(place: DigestPlace): string {
  if ('recipe' in place) {
    const { recipe: name, version, cookbook } = place;
    return toPath('/recipes/-/{name}', { name }, { version, cookbook });
  }
  const { repository: repo, tag } = place;
  return tag === undefined
    ? toPath('/content/{repo}', { repo })
    : toPath('/content/{repo}/-/tags/{tag}', { repo, tag });
}

/** Where a text that names one thing leads; undefined when it is a text to look for. */
async function findOne(call: PageCall, q: string): Promise<string | undefined> {
  const code = errorCodes.find((each) => each === q.toUpperCase() || each === `SVC-${q.toUpperCase()}`);
  if (code !== undefined) return `/help#${code}`;
  if (q === call.store.mediaId) return takesMedia(call) && call.can('operator') ? '/media' : '/about';
  if (/^tsk_[0-9a-f]+$/.test(q)) {
    try {
      return toPath('/tasks/{id}', { id: (await showTask(call, call.identity, q)).id });
    } catch (error) {
      if (!isSvcError(error, 'SVC-TSK-001')) throw error;
    }
  }
  // the correlation identifier of a task, or of the request that started it, as an error and the page of the task print it
  const [first, ...others] = listTaskSummaries(call, call.identity, { q, pageSize: 2 }).tasks;
  if (
    first !== undefined &&
    others.length === 0 &&
    (first.runId === q.toLowerCase() || first.requestId === q)
  )
    return toPath('/tasks/{id}', { id: first.id });
  return undefined;
}

function results(
  { words: { say } }: PageCall,
  {
    id,
    title,
    total,
    all,
    items,
  }: { id: string; title: string; total: number; all: string; items: readonly Html[] },
): readonly Section[] {
  if (items.length === 0) return [];
  const more =
    total > items.length ? html`<p><a href="${all}">${say(searchWords.all, { count: total })}</a></p>` : '';
  return [
    {
      id,
      html: html`<h2>${title}</h2><ul class="results">${items.map((item) => html`<li>${item}</li>`)}</ul>${more}`,
    },
  ];
}

async function contentResults(call: PageCall, text: string): Promise<readonly Section[]> {
  // a nominal reference is printed with the port of its host, and stored under another name
  const { name, version } = parseWritten(text);
  const q = version === undefined ? name : text.replace(/^([^/\s:]+):(?=[0-9]+$)/, '$1_');
  const found = await listContent(call, { q, pageSize: shown });
  const item = ({ name, kind }: ListedRepository): Html =>
    kind === undefined
      ? shortName(name)
      : html`<a href="${toPath('/content/{repo}', { repo: name })}">${shortName(name)}</a> ${kindBadge(call.words, kind)}`;
  const all = toPath('/content', {}, { q });
  const title = call.words.say(searchWords.content);
  return results(call, {
    id: 'content',
    title,
    total: found.total,
    all,
    items: found.repositories.map(item),
  });
}

async function recipeResults(call: PageCall, q: string): Promise<readonly Section[]> {
  const text = q.toLowerCase();
  const found = groupRecipes(await listRecipes(call)).filter(({ name }) => name.toLowerCase().includes(text));
  const items = found
    .slice(0, shown)
    .map(({ name, versions: [newest] }) =>
      newest === undefined
        ? untrusted(name)
        : html`<a href="${toPath('/recipes/-/{name}', { name })}">${untrusted(name)}</a> <span class="muted">${untrusted(newest.version)}</span>`,
    );
  const all = toPath('/recipes', {}, { q });
  return results(call, {
    id: 'recipes',
    title: call.words.say(searchWords.recipes),
    total: found.length,
    all,
    items,
  });
}

function taskResults(call: PageCall, q: string): readonly Section[] {
  const { say, format } = call.words;
  const found = listTaskSummaries(call, call.identity, { q, pageSize: shown });
  const item = (task: TaskHead): Html =>
    html`<a href="${toPath('/tasks/{id}', { id: task.id })}">${say(typeWords[task.type])}</a> ${taskBadge(call.words, task)} <span class="muted">${format.time(task.createdAt)}</span>`;
  const all = toPath('/tasks', {}, { q });
  return results(call, {
    id: 'tasks',
    title: say(searchWords.tasks),
    total: found.total,
    all,
    items: found.tasks.map(item),
  });
}

function searchField({ words: { say } }: PageCall, q: string): Section {
  return {
    id: 'query',
    html: html`<form class="filters" method="get" action="/search" role="search" aria-label="${say(searchWords.title)}"><div class="field field-wide"><label for="query-q">${say(searchWords.field)}</label><input class="input" id="query-q" name="q" type="search" value="${q}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="256"></div><button class="button" type="submit">${say(searchWords.find)}</button></form><p class="hint">${say(searchWords.hint)}</p>`,
  };
}

function placeItem({ words: { say } }: PageCall, place: DigestPlace): Html {
  if ('recipe' in place)
    return html`<a href="${toPlace(place)}">${untrusted(`${place.recipe} ${place.version}`)}</a> <span class="muted">${say(searchWords.recipe)}</span>`;
  const { repository, tag } = place;
  const note = tag === undefined ? html` <span class="muted">${say(searchWords.part)}</span>` : '';
  return html`<a href="${toPlace(place)}">${untrusted(tag === undefined ? repository : `${repository}:${tag}`)}</a>${note}`;
}

/** Places that a text names, or that belong to a key. */
function placeSection(
  call: PageCall,
  id: string,
  title: Sentence,
  places: readonly DigestPlace[],
): readonly Section[] {
  if (places.length === 0) return [];
  const list = places.map((place) => html`<li>${placeItem(call, place)}</li>`);
  return [{ id, html: html`<h2>${call.words.say(title)}</h2><ul class="results">${list}</ul>` }];
}

/** Where digests are that are, or begin with, the text. */
function digestSections(call: PageCall, found: readonly FoundDigest[]): readonly Section[] {
  const { say } = call.words;
  if (found.length === 0) return [];
  const lists = found.map(
    ({ digest, places }) =>
      html`<h3>${copyable(call.words, digest, say(searchWords.digest))}</h3><ul class="results">${places.map((place) => html`<li>${placeItem(call, place)}</li>`)}</ul>`,
  );
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

/** The page `/search`. A term that names one thing leads straight to it. */
async function showSearch(call: PageCall<{ readonly q?: string | undefined }>): Promise<Page> {
  const { say } = call.words;
  const q = (call.query.q ?? '').trim();
  const field = searchField(call, q);
  if (q === '') return { title: say(searchWords.title), sections: [field] };
  const one = await findOne(call, q);
  const title = say(searchWords.titleOf, { q });
  if (one !== undefined) return { title, sections: [], location: one };
  const [digests, versions, signed] = [
    await findDigests(call, q),
    await findVersions(call, q),
    await findSigned(call, q),
  ];
  const named = isDigest(q)
    ? []
    : [...(await contentResults(call, q)), ...(await recipeResults(call, q)), ...taskResults(call, q)];
  const places = [...digests.flatMap((each) => each.places), ...versions, ...signed];
  if (places.length === 1 && named.length === 0)
    return { title, sections: [], location: toPlace(places[0]!) };
  const found = [
    ...placeSection(call, 'versions', searchWords.versions, versions),
    ...digestSections(call, digests),
    ...placeSection(call, 'signed', searchWords.signed, signed),
    ...named,
  ];
  const nothing: Section = {
    id: 'nothing',
    html: html`<div class="empty"><p>${untrusted(say(searchWords.nothing, { q }))}</p><p>${say(searchWords.nothingNext)}</p></div>`,
  };
  return {
    title,
    heading: html`${say(searchWords.title)}`,
    sections: [field, ...(found.length === 0 ? [nothing] : found)],
  };
}

export const searchPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/search',
    floor: 'viewer',
    title: searchWords.title,
    query: { q: { schema: text({ maxLength: 256 }) } },
    page: showSearch,
  }),
];
