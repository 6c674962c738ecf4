import { hasWords } from '../../../../src/base/words.ts';
import { help } from '../../../../src/text/words/help.ts';
import { searchWords } from '../../../../src/text/words/search.ts';
import { listContent } from '../../../../src/view/content.ts';
import { findDigests } from '../../../views/find/find-digest.ts';
import { findVersions } from '../../../views/find/find-names.ts';
import { listTaskSummaries } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { code, marked, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { findHelp } from './help-words.ts';
import { findIdentifiers } from './identifiers.ts';
import { suggestZones } from './in-zones.ts';
import {
  contentItem,
  type Known,
  placeItem,
  readKnown,
  recipeItem,
  taskItem,
  toContentText,
} from './items.ts';
import { selectMissing } from './other-results.ts';
import { listPages } from './page-results.ts';
import type { Result } from './result-list.ts';
import { findInStates, missingItem, sayOtherState } from './states.ts';

/** Suggestions below the field, and those of one kind: names of content are more than of any other. */
const most = 8;
const mostOfKind = 3;
const mostContent = 5;

/** A suggestion: its name on one line, and below it the other facts of a row of the results. */
type Suggestion = Omit<Result, 'rest'>;

const link = (to: string, text: Html): Html => html`<a href="${to}">${text}</a>`;
const muted = (note: Html | string): Html => html`<span class="muted">${note}</span>`;

/** The recipes with the text in their name, those that begin with it first, and the wanted ones that are not here. */
function suggestRecipes(call: PageCall, known: Known, q: string): readonly Suggestion[] {
  if (call.gate.refusal() !== undefined) return [];
  const has = hasWords(q);
  const isFirst = (name: string): number => (name.toLowerCase().startsWith(q.toLowerCase()) ? 0 : 1);
  const here = known.recipes
    .filter(({ name }) => has(name))
    .sort((a, b) => isFirst(a.name) - isFirst(b.name))
    .slice(0, mostOfKind)
    .map((row) => recipeItem(call, row, known.wanted.get(row.name), q));
  const missing = selectMissing(known, q)
    .slice(0, mostOfKind)
    .map((each) => missingItem(call, each, q));
  return [...here, ...missing];
}

async function suggestContent(call: PageCall, known: Known, text: string): Promise<readonly Suggestion[]> {
  const q = toContentText(text);
  const { repositories } = await listContent(call, { q, pageSize: mostContent });
  const found: Suggestion[] = [];
  for (const each of repositories)
    if (each.kind !== undefined) found.push(await contentItem(call, known, each, q));
  return found;
}

/** Versions that the text names or begins, and the first place of each digest that begins so. */
async function suggestPlaces(call: PageCall, known: Known, q: string): Promise<readonly Suggestion[]> {
  const found: Suggestion[] = [];
  for (const place of (await findVersions(call, q)).slice(0, mostOfKind))
    found.push(await placeItem(call, known, place));
  for (const { digest, places } of (await findDigests(call, q)).slice(0, mostOfKind))
    for (const place of places.slice(0, 1))
      found.push({ ...(await placeItem(call, known, place)), version: code(`${digest.slice(0, 19)}…`) });
  return found;
}

/** Deliveries and media whose identifier begins with the text. */
async function suggestCarried(call: PageCall, q: string): Promise<readonly Suggestion[]> {
  const found = await findIdentifiers(call, q);
  return found.slice(0, mostOfKind).map(({ id, path }) => ({ name: link(path, marked(id, q)) }));
}

function suggestTasks(call: PageCall, q: string): readonly Suggestion[] {
  const { tasks } = listTaskSummaries(call, call.identity, { q, pageSize: 2 });
  return tasks.map((task) => taskItem(call, task, q));
}

/** Codes that begin so, else places of the help with these words. */
function suggestHelp({ words }: PageCall, q: string): readonly Suggestion[] {
  const found = findHelp(words, q, { isBrief: true });
  return found.slice(0, 2).map((name) => ({ name, kind: muted(words.say(help.title)) }));
}

/** What a beginning of a search may mean, in a few lines: the first of each kind, names before the help. */
export async function suggestionSection(call: PageCall, q: string): Promise<Section> {
  const known = await readKnown(call, q);
  const inStates = (await findInStates(call, known, q)).flatMap(({ items }) => items.slice(0, mostOfKind));
  const zones = suggestZones(call, known.boards, q);
  const names: Suggestion[] = [
    ...zones.slice(0, mostContent),
    ...listPages(call, q).map((name) => ({ name })),
    ...inStates,
    ...suggestRecipes(call, known, q),
    ...(await suggestContent(call, known, q)),
    ...(await suggestPlaces(call, known, q)),
    ...(await suggestCarried(call, q)),
    ...suggestTasks(call, q),
  ];
  const found = [...names, ...suggestHelp(call, q)].slice(0, most - 1);
  const { say } = call.words;
  const toAll = (text: string) => found.push({ name: link(toPath('/search', {}, { q }), untrusted(text)) });
  if (names.length > 0) toAll(say(searchWords.allResults));
  else if (found.length === 0) toAll(sayOtherState(call, known, q) ?? say(searchWords.noSuggestion, { q }));
  const items = found.map(({ name, version, kind, state }) => {
    const others = [version, kind, state].flatMap((each) => (each ? [html` <span>${each}</span>`] : []));
    return html`<li><span>${name}</span>${others}</li>`;
  });
  return { id: 'suggestions', html: html`<ul class="results">${items}</ul>` };
}
