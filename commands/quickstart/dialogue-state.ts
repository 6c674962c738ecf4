import { choose } from './choose.ts';
import type { Answers, Question } from './question.ts';
import { editLine, type TextLine } from './text-line.ts';
import type { Key } from './to-keys.ts';

interface Settled {
  readonly question: Question;
  readonly answer: string;
}

/** What stands in the field: a line of text, or the position of one of the choices. */
type Entry = TextLine | number;

/** All that a dialogue is between two keys. It changes by the functions below alone, none of which has an effect. */
export interface DialogueState {
  readonly settled: readonly Settled[];
  readonly question: Question;
  readonly entry: Entry;
  /** What is wrong with the answer that was last accepted. */
  readonly problem: string | undefined;
  /** The answer that is being judged: until then keys wait, for they are meant for the question that follows. */
  readonly judged: string | undefined;
  readonly waiting: readonly Key[];
  readonly end: 'answered' | 'left' | 'interrupted' | undefined;
}

/** Found wrong, or taken: then with the question that follows, if there is one. */
export type Verdict = { readonly problem: string } | { readonly next: Question | undefined };

export const startDialogue = (first: Question): DialogueState => ask([], first);

export const toAnswers = (settled: readonly Settled[]): Answers =>
  Object.fromEntries(settled.map(({ question, answer }) => [question.key, answer]));

/** The dialogue after one key. */
export function pressKey(state: DialogueState, key: Key): DialogueState {
  if (state.end !== undefined) return state;
  if (key === 'interrupt') return { ...state, end: 'interrupted' };
  if (key === 'leave') return { ...state, end: 'left' };
  if (state.judged !== undefined) return { ...state, waiting: [...state.waiting, key] };
  if (key === 'accept') return { ...state, problem: undefined, judged: answerOf(state) };
  if (key === 'back') return goBack(state);
  return { ...state, entry: enter(state, key) };
}

/**
 * The dialogue after the answer that was judged. Keys that waited go to the question that follows; where it does not
 * come, because the answer is wrong or was the last, they are dropped: nobody meant them for what stands there instead.
 */
export function settleAnswer(state: DialogueState, verdict: Verdict): DialogueState {
  const { settled, question, judged, waiting, end } = state;
  if (judged === undefined || end !== undefined) return state;
  const rest = { ...state, judged: undefined, waiting: [] };
  if ('problem' in verdict) return { ...rest, problem: verdict.problem };
  const more = [...settled, { question, answer: judged }];
  if (verdict.next === undefined) return { ...rest, settled: more, end: 'answered' };
  return waiting.reduce(pressKey, ask(more, verdict.next));
}

function ask(settled: readonly Settled[], question: Question): DialogueState {
  const { initial, choices } = question;
  const at = choices?.findIndex(({ value }) => value === initial);
  return {
    settled,
    question,
    entry: at === undefined ? { before: initial, after: '' } : Math.max(0, at),
    problem: undefined,
    judged: undefined,
    waiting: [],
    end: undefined,
  };
}

function goBack(state: DialogueState): DialogueState {
  const last = state.settled.at(-1);
  if (last === undefined) return state;
  return ask(state.settled.slice(0, -1), { ...last.question, initial: last.answer });
}

function enter({ question, entry }: DialogueState, key: Key): Entry {
  return typeof entry === 'number' ? choose(question.choices!, entry, key) : editLine(entry, key);
}

function answerOf({ question, entry }: DialogueState): string {
  return typeof entry === 'number' ? question.choices![entry]!.value : entry.before + entry.after;
}
