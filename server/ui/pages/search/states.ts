import { foldText, hasWords } from '../../../../src/base/words.ts';
import type { RecipeVerdict } from '../../../../src/contract/medium.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { media } from '../../../../src/text/words/media.ts';
import { searchedStates, searchWords } from '../../../../src/text/words/search.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { type WantedRecipe, wantedState } from '../../../../src/view/runs.ts';
import { listBlocked } from '../../../views/blocked.ts';
import { listTaskSummaries } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { marked, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { sayAwaited } from '../overview/missing-place.ts';
import { wantedBadge } from '../overview/wanted.ts';
import { isPartial, isStalled, statusWords } from '../tasks/task-words.ts';
import { type Known, recipeItem, taskItem, toWantedPage } from './items.ts';
import { type Result, shown } from './result-list.ts';

type State = keyof typeof searchedStates;

/** Newest tasks of a status among which those of a state of their own are found. */
const mostJudged = 200;

/** A text with words for states. */
interface Asked {
  readonly states: readonly State[];
  /** Its other words. */
  readonly rest: string;
}

/** The words for each state, in both languages; the longer ones first: `not verified` before `verified`. */
export const toPhrases = <S extends string>(words: Readonly<Record<S, Sentence>>) =>
  (Object.keys(words) as S[])
    .flatMap((state) =>
      words[state].flatMap((text) =>
        // a hyphen is as good as a blank
        text.split(', ').flatMap((each) => {
          const phrase = foldText(each);
          return [...new Set([phrase, phrase.replaceAll(' ', '-')])].map((one) => ({ state, phrase: one }));
        }),
      ),
    )
    .sort((a, b) => b.phrase.length - a.phrase.length);

const phrases = toPhrases(searchedStates);

/** The states that a text names; undefined where it names none. */
export const parseStates = (q: string): Asked | undefined => parsePhrases(phrases, q);

export function parsePhrases<S extends string>(
  known: readonly { readonly state: S; readonly phrase: string }[],
  q: string,
): { readonly states: readonly S[]; readonly rest: string } | undefined {
  let text = ` ${foldText(q).split(/\s+/).join(' ')} `;
  const states = new Set<S>();
  for (const { state, phrase } of known) {
    if (!text.includes(` ${phrase} `)) continue;
    states.add(state);
    text = text.replace(` ${phrase} `, ' ');
  }
  return states.size === 0 ? undefined : { states: [...states], rest: text.trim() };
}

/** The things in a state. */
export interface InState {
  readonly id: string;
  readonly title: string;
  readonly total: number;
  readonly all: string;
  readonly items: readonly Result[];
}

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
const finders: Readonly<Record<State, (call: PageCall, known: Known, rest: string) => Omit<InState, 'id'>>> =
  {
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
      return { title, total: found.length, all: '/recipes', items: found.slice(0, shown) };
    },
    verified: (call, known, rest) => recipesThat(call, known, rest, true),
    unverified: (call, known, rest) => recipesThat(call, known, rest, false),
    failed: (call, _, rest) => tasksIn(call, 'failed', rest),
    partial: (call, _, rest) => tasksThat(call, 'failed', rest, { isIn: isPartial, word: tasks.partial }),
    stalled: (call, _, rest) =>
      tasksThat(call, 'running', rest, { isIn: isStalled, word: tasks.stalledState }),
    running: (call, _, rest) => tasksIn(call, 'running', rest),
    waiting: (call, _, rest) => tasksIn(call, 'pending', rest),
    done: (call, _, rest) => tasksIn(call, 'done', rest),
    cancelled: (call, _, rest) => tasksIn(call, 'cancelled', rest),
  };

function recipesThat(
  call: PageCall,
  { recipes, wanted }: Known,
  rest: string,
  verified: boolean,
): Omit<InState, 'id'> {
  const has = hasWords(rest);
  const found = recipes.filter(
    ({ name, versions: [newest] }) =>
      newest !== undefined && newest.verified === verified && has(`${name} ${newest.version}`),
  );
  return {
    title: call.words.say(verified ? searchWords.verified : searchWords.unverified),
    total: found.length,
    all: toPath('/recipes', {}, { q: rest }),
    items: found.slice(0, shown).map((row) => recipeItem(call, row, wanted.get(row.name), rest)),
  };
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

/** The things in the states that a text names, and whose names have its other words. */
export function findInStates(call: PageCall, known: Known, q: string): readonly InState[] {
  const asked = parseStates(q);
  if (asked === undefined) return [];
  return asked.states.map((state) => ({
    id: `state-${state}`,
    ...finders[state](call, known, asked.rest),
  }));
}

const ofRecipes: readonly State[] = ['missing', 'blocked', 'verified', 'unverified'];

/** What the recipe that a text names is, where it is not in the state of the text; undefined for other texts. */
export function sayOtherState(
  { words: { say } }: PageCall,
  { recipes }: Known,
  q: string,
): string | undefined {
  const { states, rest } = parseStates(q) ?? {};
  const state = states?.find((each) => ofRecipes.includes(each));
  const { name, versions: [newest] = [] } = recipes.find((each) => each.name.toLowerCase() === rest) ?? {};
  if (state === undefined || newest === undefined) return undefined;
  return say(searchWords.notInState, {
    name,
    state: say(searchedStates[state]).split(', ')[0],
    version: newest.version,
    verdict: say(newest.verified ? searchWords.isVerified : searchWords.notVerified),
  });
}
