import { errorCodes } from '../../../../src/text/errors/codes.ts';
import { content } from '../../../../src/text/words/content.ts';
import { help } from '../../../../src/text/words/help.ts';
import { searchWords } from '../../../../src/text/words/search.ts';
import { listContent } from '../../../../src/view/content.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import { type DigestPlace, findDigests } from '../../../views/find/find-digest.ts';
import { findVersions } from '../../../views/find/find-names.ts';
import { listTaskSummaries } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { code, marked, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { kindBadge } from '../content/content-words.ts';
import { taskBadge, typeWords } from '../tasks/task-words.ts';
import { findHelp } from './help-words.ts';
import { findIdentifiers } from './identifiers.ts';
import { toContentText, toPlace } from './items.ts';

/** Suggestions below the field, and those of one kind: names of content are more than of any other. */
const most = 8;
const mostOfKind = 3;
const mostContent = 5;

const link = (to: string, text: Html): Html => html`<a href="${to}">${text}</a>`;

/** The recipes with the text in their name, those that begin with it first. */
async function suggestRecipes(call: PageCall, q: string): Promise<readonly Html[]> {
  if (call.gate.refusal() !== undefined) return [];
  const names = [...new Set((await listRecipes(call, { q })).map(({ name }) => name))];
  const isFirst = (name: string): number => (name.toLowerCase().startsWith(q.toLowerCase()) ? 0 : 1);
  const kind = html`<span class="kind kind-recipe">${call.words.say(searchWords.recipe)}</span>`;
  return names
    .sort((a, b) => isFirst(a) - isFirst(b) || (a < b ? -1 : 1))
    .slice(0, mostOfKind)
    .map((name) => html`${link(toPath('/recipes/-/{name}', { name }), marked(name, q))} ${kind}`);
}

async function suggestContent(call: PageCall, text: string): Promise<readonly Html[]> {
  const q = toContentText(text);
  const { repositories } = await listContent(call, { q, pageSize: mostContent });
  return repositories.flatMap(({ name, kind }) =>
    kind === undefined
      ? []
      : [
          html`${link(toPath('/content/{repo}', { repo: name }), marked(name, q))} ${kindBadge(call.words, kind)}`,
        ],
  );
}

function placeRow(place: DigestPlace, note: Html | string): Html {
  const name =
    'recipe' in place
      ? `${place.recipe} ${place.version}`
      : `${place.repository}${place.tag === undefined ? '' : `:${place.tag}`}`;
  return html`${link(toPlace(place), untrusted(name))} <span class="muted">${note}</span>`;
}

/** Versions that the text names or begins, and the first place of each digest that begins so. */
async function suggestPlaces(call: PageCall, q: string): Promise<readonly Html[]> {
  const versions = await findVersions(call, q);
  const digests = await findDigests(call, q);
  return [
    ...versions.slice(0, mostOfKind).map((place) => placeRow(place, call.words.say(content.version))),
    ...digests
      .slice(0, mostOfKind)
      .flatMap(({ digest, places: [place] }) =>
        place === undefined ? [] : [placeRow(place, code(`${digest.slice(0, 19)}…`))],
      ),
  ];
}

/** Deliveries and media whose identifier begins with the text. */
async function suggestCarried(call: PageCall, q: string): Promise<readonly Html[]> {
  const found = await findIdentifiers(call, q);
  return found.slice(0, mostOfKind).map(({ id, path }) => link(path, marked(id, q)));
}

function suggestTasks(call: PageCall, q: string): readonly Html[] {
  const { tasks } = listTaskSummaries(call, call.identity, { q, pageSize: 2 });
  return tasks.map(
    (task) =>
      html`${link(toPath('/tasks/{id}', { id: task.id }), html`${call.words.say(typeWords[task.type])} ${marked(task.id, q)}`)} ${taskBadge(call.words, task)}`,
  );
}

/** Codes that begin so, else places of the help with these words. */
function suggestHelp({ words }: PageCall, q: string): readonly Html[] {
  const asked = q.toUpperCase();
  const codes =
    asked.length < 3
      ? []
      : errorCodes.filter((each) => each.startsWith(asked) || each.startsWith(`SVC-${asked}`));
  const found =
    codes.length > 0
      ? codes.map((each) => link(`/help#${each}`, html`${each}`))
      : findHelp(words, q, { isBrief: true });
  return found.slice(0, 2).map((item) => html`${item} <span class="muted">${words.say(help.title)}</span>`);
}

/** What a beginning of a search may mean, in a few lines: the first of each kind, names before the help. */
export async function suggestionSection(call: PageCall, q: string): Promise<Section> {
  const names = [
    ...(await suggestRecipes(call, q)),
    ...(await suggestContent(call, q)),
    ...(await suggestPlaces(call, q)),
    ...(await suggestCarried(call, q)),
    ...suggestTasks(call, q),
  ];
  const found = [...names, ...suggestHelp(call, q)].slice(0, most - 1);
  // the page of results has no codes by their beginning
  if (names.length > 0)
    found.push(link(toPath('/search', {}, { q }), html`${call.words.say(searchWords.allResults)}`));
  const items = found.map((item) => html`<li>${item}</li>`);
  return { id: 'suggestions', html: items.length === 0 ? html`` : html`<ul class="results">${items}</ul>` };
}
