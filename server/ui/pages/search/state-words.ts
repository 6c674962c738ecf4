import { foldText } from '../../../../src/base/words.ts';
import type { DeliveryState } from '../../../../src/contract/delivery.ts';
import type { ZoneRecipeState } from '../../../../src/contract/zone-board.ts';
import { dossier } from '../../../../src/text/words/delivering/dossier.ts';
import { receipts } from '../../../../src/text/words/delivering/receipts.ts';
import { zones } from '../../../../src/text/words/delivering/zones.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { searchedStates } from '../../../../src/text/words/search.ts';
import { filesets } from '../../../../src/text/words/serving/filesets.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { wantedWords } from '../overview/wanted.ts';
import { statusWords } from '../tasks/task-words.ts';

/** A state that a search asks for. */
export type State = keyof typeof searchedStates;

/** A text with words for states. */
export interface Asked<S extends string = State> {
  readonly states: readonly S[];
  /** Its other words. */
  readonly rest: string;
}

/** The words of each list for its states, and the searched states that each of them is: a new one does not compile without. */
export const ofRecipes = {
  words: { ...wantedWords, unwanted: recipeWords.unwanted },
  states: {
    blocked: ['blocked'],
    missing: ['missing'],
    damaged: ['damaged'],
    gone: ['missing'],
    present: ['present'],
    unwanted: ['unwanted'],
  },
} as const satisfies Table<keyof typeof wantedWords | 'unwanted'>;

export const ofTasks = {
  words: {
    ...statusWords,
    partial: tasks.partial,
    inPart: tasks.inPart,
    stalled: tasks.stalledState,
    paused: tasks.paused,
  },
  states: {
    pending: ['waiting'],
    running: ['running'],
    done: ['done'],
    failed: ['failed'],
    cancelled: ['cancelled'],
    partial: ['partial'],
    inPart: ['partial'],
    stalled: ['stalled'],
    paused: ['paused'],
  },
} as const satisfies Table<keyof typeof statusWords | 'partial' | 'inPart' | 'stalled' | 'paused'>;

export const ofDeliveries = {
  words: dossier.states,
  states: {
    unfinished: ['incomplete'],
    writing: ['running'],
    replaced: ['lost'],
    unproved: ['unproved'],
    overdue: ['overdue'],
    refused: ['blocked', 'partial'],
    blocked: ['blocked'],
    inside: ['confirmed'],
    incomplete: ['incomplete', 'waiting'],
    overtaken: ['lost'],
    partial: ['partial'],
    forked: ['doubtful'],
    unbelieved: ['doubtful'],
    way: ['onTheWay'],
    failed: ['failed'],
    verified: ['named'],
    named: ['named'],
    confirmed: ['confirmed'],
    complete: ['confirmed'],
  },
} as const satisfies Table<DeliveryState>;

export const ofZones = {
  words: zones,
  states: {
    blocked: ['blocked'],
    missing: ['missing'],
    behind: ['behind'],
    'in-transit': ['onTheWay'],
    unknown: ['unknown'],
    current: ['current'],
  },
} as const satisfies Table<ZoneRecipeState>;

export const ofReceipts = {
  words: receipts.withMark,
  states: { warning: ['doubtful'], blocked: ['blocked'], incomplete: ['incomplete'] },
} as const satisfies Table<keyof typeof receipts.withMark>;

export const ofFilesets = {
  words: { served: filesets.isServed, notServed: filesets.notServed },
  states: { served: ['served'], notServed: ['notServed'] },
} as const satisfies Table<'served' | 'notServed'>;

interface Table<Name extends string> {
  readonly words: Readonly<Record<Name, Sentence>>;
  readonly states: Readonly<Record<Name, readonly State[]>>;
}

const tables: readonly Table<string>[] = [
  ofRecipes,
  ofTasks,
  ofDeliveries,
  { ...ofZones, words: ofZones.words as unknown as Table<string>['words'] },
  ofReceipts,
  ofFilesets,
];

/** The words for a state without those that name its thing: `in part` of `in part[: {names} refused]`. */
export const toPlain = (text: string): string =>
  text
    .replaceAll(/\[[^\]]*\]|\{[^}]*\}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

interface Phrase<S extends string> {
  readonly phrase: string;
  /** A word may say several states: deliveries and tasks have their own. */
  readonly states: ReadonlySet<S>;
}

/** The phrases for each state; the longer ones first: `not verified` before `verified`. */
function toPhrases(): readonly Phrase<State>[] {
  const found = new Map<string, Set<State>>();
  const add = (text: string, states: readonly State[]): void => {
    // a hyphen is as good as a blank
    for (const phrase of new Set([foldText(text), foldText(text).replaceAll(' ', '-')]))
      if (phrase !== '') found.set(phrase, new Set([...(found.get(phrase) ?? []), ...states]));
  };
  for (const state of Object.keys(searchedStates) as State[])
    for (const text of searchedStates[state]) for (const each of text.split(', ')) add(each, [state]);
  for (const { words, states } of tables)
    for (const [name, of] of Object.entries(states)) for (const text of words[name]!) add(toPlain(text), of);
  return [...found]
    .map(([phrase, states]) => ({ phrase, states }))
    .sort((a, b) => b.phrase.length - a.phrase.length);
}

const phrases = toPhrases();

/** The states that a text names; undefined where it names none. */
export function parseStates(q: string): Asked | undefined {
  const words = foldText(q)
    .split(/\s+/)
    .map((word) => word.replace(/[,;:!?]$/, ''));
  let text = ` ${words.join(' ')} `;
  const named = new Set<State>();
  for (const { phrase, states } of phrases) {
    if (!text.includes(` ${phrase} `)) continue;
    for (const state of states) named.add(state);
    text = text.replace(` ${phrase} `, ' ');
  }
  return named.size === 0 ? undefined : { states: [...named], rest: text.trim() };
}

/** The states of a list that some searched states are. */
export const selectOf = <Name extends string>(
  { states }: Pick<Table<Name>, 'states'>,
  asked: readonly State[],
): readonly Name[] =>
  (Object.keys(states) as Name[]).filter((name) => states[name].some((state) => asked.includes(state)));
