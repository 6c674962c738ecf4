import { hasWords } from '../../../../src/base/words.ts';
import type { RecipeVerdict } from '../../../../src/contract/medium.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { media } from '../../../../src/text/words/media.ts';
import { searchedStates, searchWords } from '../../../../src/text/words/search.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { type WantedRecipe, wantedState } from '../../../../src/view/runs.ts';
import { isPartial } from '../../../../src/view/task-state.ts';
import { listBlocked } from '../../../views/blocked.ts';
import { listTaskSummaries } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { marked, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { sayAwaited } from '../overview/missing-place.ts';
import { wantedBadge } from '../overview/wanted.ts';
import { isStalled, statusWords } from '../tasks/task-words.ts';
import { type Known, recipeItem, taskItem, toWantedPage } from './items.ts';
import { type InState, type Result, shown } from './result-list.ts';
import { findInLists, findNumbered } from './state-lists.ts';
import { parseStates, type State } from './state-words.ts';

/** Newest tasks of a status among which those of a state of their own are found. */
const mostJudged = 200;

export const codeLink = (code: string | undefined): Html | undefined =>
  code === undefined ? undefined : html`<a href="/help#${code}">${code}</a>`;

/** A wanted recipe that is not here, or not on the medium. */
export function missingItem(call: PageCall, wanted: WantedRecipe, q: string): Result {
  return {
    name: html`<a href="${toWantedPage(wanted)}">${marked(wanted.name, q)}</a>`,
    version: untrusted(wanted.version),
    state: wantedBadge(call.words, wanted),
    rest: codeLink(wanted.error?.code) ?? sayAwaited(call.words, wanted),
  };
}

/** A recipe that a check keeps out: of the medium, or of the run that wanted it. */
function blockedItem(
  { words: { say } }: PageCall,
  { name, version, code }: Pick<RecipeVerdict, 'name' | 'version'> & { readonly code?: string | undefined },
  path: string,
  q: string,
): Result {
  return {
    name: html`<a href="${path}">${marked(name, q)}</a>`,
    version: untrusted(version),
    state: badge('bad', say(media.recipeBlocked)),
    rest: codeLink(code),
  };
}

function selectBlocked(call: PageCall, known: Known, rest: string): readonly Result[] {
  const has = hasWords(rest);
  const onMedium = listBlocked(call).filter(({ name, version }) => has(`${name} ${version}`));
  const isListed = ({ name, version }: WantedRecipe): boolean =>
    onMedium.some((other) => other.name === name && other.version === version);
  const wanted = [...known.wanted.values()].filter(
    (each) => wantedState(each) === 'blocked' && has(`${each.name} ${each.version}`) && !isListed(each),
  );
  const copyOf = ({ name, version }: RecipeVerdict): WantedRecipe | undefined =>
    [...known.wanted.values()].find(
      (one) => one.isCopyDamaged && one.name === name && one.version === version,
    );
  const [copies, lacking] = [onMedium.filter(copyOf), onMedium.filter((each) => !copyOf(each))];
  return [
    ...lacking.map((each) =>
      blockedItem(
        call,
        { ...each, code: each.reason?.code },
        toPath('/recipes/-/{name}', { name: each.name }),
        rest,
      ),
    ),
    ...wanted.map((each) => blockedItem(call, { ...each, code: each.error?.code }, toWantedPage(each), rest)),
    ...copies.map((each) => missingItem(call, copyOf(each)!, rest)),
  ];
}

/** Finds the things in a state whose names have the other words of the text. */
const finders: Readonly<
  Partial<Record<State, (call: PageCall, known: Known, rest: string) => Omit<InState, 'id'>>>
> = {
  missing: (call, known, rest) => {
    const has = hasWords(rest);
    const found = [...known.wanted.values()].filter(
      ({ standing, name, version }) => standing !== 'here' && has(`${name} ${version}`),
    );
    const items = found.slice(0, shown).map((each) => missingItem(call, each, rest));
    return { title: call.words.say(searchWords.missing), total: found.length, all: '/recipes', items };
  },
  blocked: (call, known, rest) => {
    const found = selectBlocked(call, known, rest);
    const title = call.words.say(searchWords.blocked);
    const all = toPath('/recipes', {}, { q: rest, state: 'blocked' });
    return { title, total: found.length, all, items: found.slice(0, shown) };
  },
  verified: (call, known, rest) =>
    recipesThat(call, known, rest, {
      title: searchWords.verified,
      isIn: ({ versions: [newest] }) => newest?.verified === true,
    }),
  unverified: (call, known, rest) =>
    recipesThat(call, known, rest, {
      title: searchWords.unverified,
      isIn: ({ versions: [newest] }) => newest?.verified === false,
    }),
  withdrawn: (call, known, rest) => {
    const keys = new Set(call.instance.context.policy.roots.map(({ fingerprint }) => fingerprint));
    return recipesThat(call, known, rest, {
      title: searchWords.withdrawn,
      isIn: ({ versions: [newest] }) =>
        newest?.verified === true && newest.keyFingerprint !== undefined && !keys.has(newest.keyFingerprint),
    });
  },
  damaged: (call, known, rest) =>
    recipesThat(call, known, rest, {
      title: searchWords.damaged,
      isIn: ({ name, versions }) =>
        versions.some(({ damaged }) => damaged) || known.wanted.get(name)?.isCopyDamaged === true,
    }),
  present: (call, known, rest) => recipesWanted(call, known, rest, 'present'),
  unwanted: (call, known, rest) => recipesWanted(call, known, rest, 'unwanted'),
  failed: (call, _, rest) => tasksIn(call, 'failed', rest),
  partial: (call, _, rest) => tasksThat(call, 'failed', rest, { isIn: isPartial, word: tasks.partial }),
  paused: (call, _, rest) =>
    tasksThat(call, 'running', rest, { isIn: ({ waiting }) => waiting !== undefined, word: tasks.paused }),
  stalled: (call, _, rest) => tasksThat(call, 'running', rest, { isIn: isStalled, word: tasks.stalledState }),
  running: (call, _, rest) => tasksIn(call, 'running', rest),
  waiting: (call, _, rest) => tasksIn(call, 'pending', rest),
  done: (call, _, rest) => tasksIn(call, 'done', rest),
  cancelled: (call, _, rest) => tasksIn(call, 'cancelled', rest),
};

/** The recipes that a test chooses. @param choice `state` selects them in their list */
function recipesThat(
  call: PageCall,
  { recipes, wanted }: Known,
  rest: string,
  choice: {
    readonly title: Sentence;
    readonly isIn: (recipe: Known['recipes'][number]) => boolean;
    readonly state?: string;
  },
): Omit<InState, 'id'> {
  const has = hasWords(rest);
  const { title, isIn, state } = choice;
  const found = recipes.filter(
    (row) =>
      isIn(row) && has(`${row.name} ${row.versions[0]?.version ?? wanted.get(row.name)?.version ?? ''}`),
  );
  return {
    title: call.words.say(title),
    total: found.length,
    all: toPath('/recipes', {}, { q: rest, state }),
    items: found.slice(0, shown).map((row) => recipeItem(call, row, wanted.get(row.name), rest)),
  };
}

/** The recipes that are wanted and here, or that nothing wants: none where nothing is known to be wanted. */
function recipesWanted(
  call: PageCall,
  known: Known,
  rest: string,
  state: 'present' | 'unwanted',
): Omit<InState, 'id'> {
  const { wanted } = known;
  const isIn = ({ name }: { readonly name: string }): boolean => {
    const wish = wanted.get(name);
    return wish === undefined ? state === 'unwanted' && wanted.size > 0 : wantedState(wish) === state;
  };
  return recipesThat(call, known, rest, { title: searchWords[state], isIn, state });
}

function tasksIn(call: PageCall, status: TaskHead['status'], q: string): Omit<InState, 'id'> {
  const { say } = call.words;
  const { total, tasks: found } = listTaskSummaries(call, call.identity, { q, status, pageSize: shown });
  return {
    title: say(searchWords.tasksIn, { state: say(statusWords[status]) }),
    total,
    all: toPath('/tasks', {}, { q, status }),
    items: found.map((task) => taskItem(call, task, q)),
  };
}

/** The tasks of a status that are in a state of their own. */
function tasksThat(
  call: PageCall,
  status: TaskHead['status'],
  q: string,
  { isIn, word }: { readonly isIn: (task: TaskHead) => boolean; readonly word: Sentence },
): Omit<InState, 'id'> {
  const { say } = call.words;
  const found = listTaskSummaries(call, call.identity, { q, status, pageSize: mostJudged }).tasks.filter(
    isIn,
  );
  return {
    title: say(searchWords.tasksIn, { state: say(word) }),
    total: found.length,
    all: toPath('/tasks', {}, { q, status }),
    items: found.slice(0, shown).map((task) => taskItem(call, task, q)),
  };
}

/** The things in the states that a text names, and whose names have its other words: also the lists without such a thing. */
export async function findInStates(call: PageCall, known: Known, q: string): Promise<readonly InState[]> {
  const asked = parseStates(q);
  if (asked === undefined) return findNumbered(call, q);
  const { states, rest } = asked;
  const own = states.flatMap((state): readonly InState[] => {
    const find = finders[state];
    return find === undefined ? [] : [{ id: `state-${state}`, ...find(call, known, rest) }];
  });
  return [...own, ...(await findInLists(call, states, rest))];
}

/** The lists of the states that a text names, where none of them has a thing in this state; empty for other texts. */
export function sayNoneIn({ words: { say } }: PageCall, q: string, lists: readonly InState[]): Html | string {
  if ((parseStates(q)?.rest ?? '') !== '' || lists.length === 0) return '';
  return html`<p>${say(searchWords.noneIn)}${lists.map(({ all, title }) => html` <a href="${all}">${title}</a>`)}</p>`;
}

/** The same as a section. */
export function noneSection(call: PageCall, q: string, lists: readonly InState[]): readonly Section[] {
  const said = sayNoneIn(call, q, lists);
  return said === '' ? [] : [{ id: 'none', html: html`${said}` }];
}

const judging: readonly State[] = ['missing', 'blocked', 'verified', 'unverified'];

/** What the recipe that a text names is, where it is not in the state of the text; undefined for other texts. */
export function sayOtherState(
  { words: { say } }: PageCall,
  { recipes }: Known,
  q: string,
): string | undefined {
  const { states, rest } = parseStates(q) ?? {};
  const state = states?.find((each) => judging.includes(each));
  const { name, versions: [newest] = [] } = recipes.find((each) => each.name.toLowerCase() === rest) ?? {};
  if (state === undefined || newest === undefined) return undefined;
  return say(searchWords.notInState, {
    name,
    state: say(searchedStates[state]).split(', ')[0],
    version: newest.version,
    verdict: say(newest.verified ? searchWords.isVerified : searchWords.notVerified),
  });
}
