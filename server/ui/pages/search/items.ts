import { hasWords, splitWords } from '../../../../src/base/words.ts';
import type { ListedRepository } from '../../../../src/contract/content.ts';
import type { ZoneBoard } from '../../../../src/contract/zone-board.ts';
import { isSigned } from '../../../../src/operation/select-signatures.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { sayConcealed } from '../../../../src/text/secrets/concealed.ts';
import { content } from '../../../../src/text/words/content.ts';
import { searchWords } from '../../../../src/text/words/search.ts';
import type { Sentence, Words } from '../../../../src/text/words/words.ts';
import { findRepository } from '../../../../src/view/content.ts';
import { newestVersion } from '../../../../src/view/newest-version.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import type { Run, WantedRecipe } from '../../../../src/view/runs.ts';
import { listAccounts, listTokens } from '../../../views/accounts.ts';
import type { DigestPlace } from '../../../views/find/find-digest.ts';
import { parseWritten } from '../../../views/find/find-names.ts';
import { readVouchers } from '../../../views/find/find-voucher.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { marked, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { kindBadge, voucherLine } from '../content/content-words.ts';
import { damagedBadge } from '../damage.ts';
import { byName, readWanted, wantedBadge } from '../overview/wanted.ts';
import { groupRecipes, listAbsent } from '../recipes/list.ts';
import { trustBadge } from '../recipes/trust-badge.ts';
import { taskBadge, typeWords } from '../tasks/task-words.ts';
import { peekBoards } from '../zones/of-recipe.ts';
import type { Result } from './result-list.ts';

type Recipes = ReturnType<typeof groupRecipes>;
type Recipe = Recipes[number]['versions'][number];
type Wanted = ReturnType<typeof byName>;

/** The recipes and the content that a search reads once. */
export interface Known {
  /** Those of the store, and those that the zone has and the medium that is here lacks, without versions. */
  readonly recipes: Recipes;
  readonly wanted: Wanted;
  /** The run that wanted recipes last. */
  readonly run: Run | undefined;
  /** The repository that the text names. */
  readonly exact: ListedRepository | undefined;
  /** The boards of the zones that are known without waiting, the most urgent first. */
  readonly boards: readonly ZoneBoard[];
  /** The recipe whose signature covers a digest. */
  readonly voucherOf: Awaited<ReturnType<typeof readVouchers>>;
}

/** An account or a token with its page. */
export interface Access {
  readonly name: string;
  readonly role: string;
  readonly path: string;
  readonly createdAt: string;
  /** An account, a token, or a revoked one. */
  readonly state: Sentence;
}

/** The text by which content is searched: a nominal reference is printed with the port of its host, and stored otherwise. */
export function toContentText(text: string): string {
  const { name, version } = parseWritten(text);
  return version === undefined ? name : text.replace(/^([^/\s:]+):(?=[0-9]+$)/, '$1_');
}

export async function readKnown(call: PageCall, q: string): Promise<Known> {
  const listed = await listRecipes(call);
  const { wanted: all, run } = await readWanted(call, listed);
  const wanted = byName(all);
  const inZone = listAbsent(wanted, listed).filter(({ name }) => wanted.get(name)?.standing === 'here');
  return {
    recipes: [...groupRecipes(listed), ...inZone],
    wanted,
    run,
    exact: await findRepository(call, toContentText(q)),
    boards: await peekBoards(call),
    voucherOf: await readVouchers(call),
  };
}

/** The page that shows a place of a digest. */
export function toPlace(place: DigestPlace): string {
  if ('recipe' in place) {
    const { recipe: name, version, cookbook } = place;
    return toPath('/recipes/-/{name}', { name }, { version, cookbook });
  }
  const { repository: repo, tag, part } = place;
  if (tag === undefined) return toPath('/content/{repo}', { repo });
  return `${toPath('/content/{repo}/-/tags/{tag}', { repo, tag })}${part === undefined ? '' : `#${part}`}`;
}

/** When a version landed; empty for a published one, of which no time is recorded. */
function whenOf({ words: { say, format } }: PageCall, at: string | undefined): Html | string {
  return at === undefined
    ? ''
    : html`<span class="muted">${say(searchWords.landed, { time: format.time(at) })}</span>`;
}

const timeOf = (recipe: Recipe): string | undefined =>
  'resolvedAt' in recipe ? recipe.resolvedAt : undefined;

const recipeKind = ({ say }: Words): Html =>
  html`<span class="kind kind-recipe">${say(searchWords.recipe)}</span>`;

const recipeVerdict = (call: PageCall, recipe: Recipe): Html | string => trustBadge(call, recipe);

/** The number of versions, and when the newest one landed. */
const versionsOf = (call: PageCall, count: number, at: string | undefined): Html =>
  html`<span class="muted">${call.words.say(searchWords.ofVersions, { count })}</span>${at === undefined ? '' : html` <span class="muted">·</span> ${whenOf(call, at)}`}`;

/**
 * Whether the artifact of a tag is signed, itself or through a recipe that names its digest. Of a recipe, the verdict that its page shows: signatures beside the artifact are
 * no judgement on it.
 */
async function signatureBadge(
  call: PageCall,
  { recipes, voucherOf }: Known,
  { repository, tag }: { readonly repository: string; readonly tag: string },
): Promise<Html | string> {
  const { words, store, instance } = call;
  const record = store.index.tag(repository, tag);
  if (record === undefined || record.held) return '';
  if (record.kind === 'Recipe')
    for (const { versions } of recipes) {
      const recipe = versions.find((each) => each.repository === repository && each.digest === record.digest);
      if (recipe !== undefined) return trustBadge(call, recipe);
    }
  if (await isSigned(store, repository, record.digest, instance.context.policy.roots))
    return badge('ok', words.say(content.signed));
  const voucher = voucherOf(record.digest);
  return voucher === undefined ? badge('plain', words.say(content.unsigned)) : voucherLine(words, voucher);
}

/** A repository with its newest version, and its state: as much for a row as a row of its own page costs. */
export async function contentItem(
  call: PageCall,
  known: Known,
  { name, kind, tags = 0, landedAt }: ListedRepository,
  q: string,
): Promise<Result> {
  if (kind === undefined) return { name: marked(name, q) };
  const repository = {
    name: html`<a href="${toPath('/content/{repo}', { repo: name })}">${marked(name, q)}</a>`,
    kind: kindBadge(call.words, kind),
    rest: versionsOf(call, tags, landedAt),
  };
  const tag = newestVersion(call, name, tags);
  if (tag === undefined) return repository;
  return {
    ...repository,
    version: html`<a href="${toPath('/content/{repo}/-/tags/{tag}', { repo: name, tag })}">${untrusted(tag)}</a>`,
    state: await signatureBadge(call, known, { repository: name, tag }),
  };
}

/** A recipe that the zone has, and of which the store serves no version. */
function inZoneItem(call: PageCall, wish: WantedRecipe, q: string): Result {
  const { words } = call;
  const { name, version, others = [], arrival } = wish;
  return {
    name: html`<a href="${toPath('/recipes/-/{name}', { name })}">${marked(name, q)}</a>`,
    version: untrusted(version),
    kind: recipeKind(words),
    state: wantedBadge(words, wish),
    rest: versionsOf(call, others.length + 1, arrival?.landedAt),
  };
}

/** A recipe with its newest version, its verdict, and whether it is wanted. */
export function recipeItem(
  call: PageCall,
  { name, versions: [newest, ...older] }: Recipes[number],
  wish: ReturnType<Wanted['get']>,
  q: string,
): Result {
  const { words } = call;
  if (newest === undefined && wish === undefined) return { name: marked(name, q) };
  if (newest === undefined) return inZoneItem(call, wish!, q);
  const other =
    wish === undefined || wish.version === newest.version ? '' : html`${untrusted(wish.version)} `;
  // the badge of the wanted version says it of that one
  const isOther = newest.damaged === true && !(wish?.version === newest.version && wish.isDamaged);
  return {
    name: html`<a href="${toPath('/recipes/-/{name}', { name })}">${marked(name, q)}</a>`,
    version: untrusted(newest.version),
    kind: recipeKind(words),
    state: html`${recipeVerdict(call, newest)} ${other}${wish === undefined ? '' : wantedBadge(words, wish)}${isOther ? html` ${damagedBadge(words)}` : ''}`,
    rest: versionsOf(call, older.length + 1, timeOf(newest)),
  };
}

/** The page of a wanted recipe. */
export const toWantedPage = ({ name }: Pick<WantedRecipe, 'name'>): string =>
  toPath('/recipes/-/{name}', { name });

/** A task; a row shows the text by which it is found, also where no column shows it otherwise. */
export function taskItem(call: PageCall, task: TaskHead, q: string): Result {
  const { say, format, language } = call.words;
  const { id, type, runId, requestId = '', actor, createdAt } = task;
  const source = sayConcealed(task.reference, language);
  const words = splitWords(q);
  const isIn = (text: string): boolean => words.some((word) => text.toLowerCase().includes(word));
  const others = [id, source, actor].some(isIn)
    ? []
    : [runId, requestId, ...call.tasks.names(id)].filter(isIn).slice(0, 1);
  return {
    name: html`<a href="${toPath('/tasks/{id}', { id })}">${say(typeWords[type])}</a> <span class="muted">${marked(source, q)}</span>`,
    version: html`<span class="code">${marked(id, q)}</span>`,
    state: taskBadge(call.words, task),
    rest: html`${others.map((each) => html`<span class="code">${marked(each, q)}</span> `)}<span class="muted">${say(searchWords.by)} ${marked(actor, q)}, ${format.time(createdAt)}</span>`,
  };
}

/** Accounts and tokens with a word of the text in their name, and its other words in the name or its kind, for administrators. */
export async function findAccess(call: PageCall, q: string): Promise<readonly Access[]> {
  if (!call.can('admin') || call.accounts === undefined) return [];
  const { say } = call.words;
  const [words, has] = [splitWords(q), hasWords(q)];
  const [people, tokens] = await Promise.all([listAccounts(call), listTokens(call)]);
  return [
    ...people.map(({ name, role, createdAt }) => ({
      name,
      role,
      createdAt,
      path: toPath('/admin/accounts/{name}', { name }),
      state: searchWords.account,
    })),
    ...tokens.map(({ name, role, createdAt, revokedAt }) => ({
      name,
      role,
      createdAt,
      path: toPath('/admin/accounts/-/tokens/{name}', { name }),
      state: revokedAt === undefined ? searchWords.token : searchWords.revoked,
    })),
  ].filter(({ name, state }) => {
    const low = name.toLowerCase();
    return words.some((word) => low.includes(word)) && has(`${name} ${say(state)}`);
  });
}

export function accessItem(call: PageCall, access: Access, q: string): Result {
  const { say, format } = call.words;
  const { name, role, path, createdAt, state } = access;
  return {
    name: html`<a href="${path}">${marked(name, q)}</a>`,
    kind: say(state),
    state: role,
    rest: html`<span class="muted">${say(searchWords.created, { time: format.time(createdAt) })}</span>`,
  };
}

/** A place of a digest or of a version: with its kind, its state, and when it landed. */
export async function placeItem(call: PageCall, known: Known, place: DigestPlace): Promise<Result> {
  const { words, store } = call;
  const linkOf = (text: string): Html => html`<a href="${toPlace(place)}">${untrusted(text)}</a>`;
  if ('recipe' in place) {
    const named = { name: linkOf(`${place.recipe} ${place.version}`), kind: recipeKind(words) };
    const recipe = known.recipes
      .find(({ name }) => name === place.recipe)
      ?.versions.find(({ version, cookbook }) => version === place.version && cookbook === place.cookbook);
    return recipe === undefined
      ? named
      : { ...named, state: recipeVerdict(call, recipe), rest: whenOf(call, timeOf(recipe)) };
  }
  const { repository, tag } = place;
  if (tag === undefined || place.part !== undefined)
    return {
      name: linkOf(tag === undefined ? repository : `${repository}:${tag}`),
      rest: html`<span class="muted">${words.say(searchWords.partOf)}</span>`,
    };
  const kind = store.index.tag(repository, tag)?.kind;
  return {
    name: linkOf(`${repository}:${tag}`),
    kind: kind && kindBadge(words, kind),
    state: await signatureBadge(call, known, { repository, tag }),
  };
}
