import { choose } from './choose.ts';
import type { Answers, Question } from './question.ts';
import { editLine, type TextLine } from './text-line.ts';
import type { Key } from './to-keys.ts';

interface Settled {
  readonly question: Question;
  readonly answer: string;
}

/** Content of the field: a line of text, or the position of one of the choices. */
type Entry = TextLine | number;

/** State of a dialog between two keys. It is changed only by the pure functions below. */
export interface DialogueState {
  readonly settled: readonly Settled[];
  readonly question: Question;
  readonly entry: Entry;
  /** Whether the field has the suggested answer, which the first typed text replaces. */
  readonly isSuggested: boolean;
  /** Error of the last answer. */
  readonly problem: string | undefined;
  /** Answer that is being checked. Until the result, keys are queued for the next question. */
  readonly judged: string | undefined;
  readonly waiting: readonly Key[];
  readonly end: 'answered' | 'left' | 'interrupted' | undefined;
}

/** Result of a check: a problem, or the next question, if there is one. */
export type Verdict = { readonly problem: string } | { readonly next: Question | undefined };

export const startDialogue = (first: Question): DialogueState => ask([], first);

export const toAnswers = (settled: readonly Settled[]): Answers =>
  Object.fromEntries(settled.map(({ question, answer }) => [question.key, answer]));

/** Returns the state after one key. */
export function pressKey(state: DialogueState, key: Key): DialogueState {
  if (state.end !== undefined) return state;
  if (key === 'interrupt') return { ...state, end: 'interrupted' };
  if (key === 'leave') return { ...state, end: 'left' };
  if (state.judged !== undefined) return { ...state, waiting: [...state.waiting, key] };
  if (key === 'accept') return { ...state, problem: undefined, judged: answerOf(state) };
  if (key === 'back') return goBack(state);
  return { ...state, entry: enter(state, key), isSuggested: false };
}

/**
 * Returns the state after an answer was checked. Queued keys are applied to the next question. They are
 * dropped when the answer is invalid or was the last one, because they were not typed for the question that
 * is then shown.
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
    isSuggested: at === undefined && initial !== '',
    problem: undefined,
    judged: undefined,
    waiting: [],
    end: undefined,
  };
}

function goBack(state: DialogueState): DialogueState {
  const last = state.settled.at(-1);
  if (last === undefined) return state;
  const again = ask(state.settled.slice(0, -1), { ...last.question, initial: last.answer });
  return { ...again, isSuggested: false };
}

function enter({ question, entry, isSuggested }: DialogueState, key: Key): Entry {
  if (typeof entry === 'number') return choose(question.choices!, entry, key);
  const line = isSuggested && typeof key !== 'string' ? { before: '', after: '' } : entry;
  return editLine(line, key);
}

function answerOf({ question, entry }: DialogueState): string {
  return typeof entry === 'number' ? question.choices![entry]!.value : entry.before + entry.after;
}
