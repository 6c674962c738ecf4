import { render } from 'ink';
import { createElement, type ReactElement } from 'react';
import {
  type DialogueState,
  pressKey,
  settleAnswer,
  startDialogue,
  toAnswers,
  type Verdict,
} from './dialogue-state.ts';
import { DialogueView } from './dialogue-view.ts';
import type { Answers, DialogueOptions } from './question.ts';
import type { Key } from './to-keys.ts';

// Rendered on stderr: stdout is for what a script may read. Nothing of the sources is imported here but other parts of
// the dialogue: this is the only code that needs the terminal library, and it is loaded on a terminal only.

/** Asks question after question. @returns what was answered; undefined when the person left */
export async function runDialogue(options: DialogueOptions): Promise<Answers | undefined> {
  const { stdin, stderr, title, next, check, signal, onInterrupt } = options;
  const first = await next({});
  if (first === undefined || signal.aborted) return {};
  let state = startDialogue(first);
  let failure: unknown;

  const set = (changed: DialogueState): void => {
    if (changed === state || signal.aborted) return;
    state = changed;
    app.rerender(draw());
    if (state.end !== undefined) app.unmount();
  };
  const judge = async (answer: string): Promise<Verdict> => {
    const { settled, question } = state;
    const problem = await check(question.key, answer, toAnswers(settled));
    if (problem !== undefined) return { problem };
    return { next: await next(toAnswers([...settled, { question, answer }])) };
  };
  // what was typed ahead can accept the next answer, and the one after it
  const judgeAll = async (): Promise<void> => {
    while (state.judged !== undefined && state.end === undefined) {
      const verdict = await judge(state.judged);
      // the state of now: keys came meanwhile
      set(settleAnswer(state, verdict));
    }
  };
  const onKeys = (keys: readonly Key[]): void => {
    const isJudging = state.judged !== undefined;
    set(keys.reduce(pressKey, state));
    if (isJudging) return;
    judgeAll().catch((error) => {
      failure = error;
      app.unmount();
    });
  };
  const draw = (): ReactElement => createElement(DialogueView, { title, state, onKeys });

  // before the first question stands there: what is typed at it is for the dialogue, not for the line discipline
  stdin.setRawMode?.(true);
  const app = render(draw(), {
    stdin,
    stdout: stderr,
    stderr,
    exitOnCtrlC: false,
    patchConsole: false,
    // whoever calls has looked at the terminal; the library would not ask where a variable says that this is a pipeline
    interactive: true,
  });
  const leave = (): void => app.unmount();
  signal.addEventListener('abort', leave, { once: true });
  try {
    await app.waitUntilExit();
  } finally {
    signal.removeEventListener('abort', leave);
  }
  if (failure !== undefined) throw failure;
  if (state.end === 'interrupted') onInterrupt();
  return state.end === 'answered' && !signal.aborted ? toAnswers(state.settled) : undefined;
}
