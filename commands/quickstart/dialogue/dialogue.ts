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

// The dialog is rendered on stderr, since stdout is for output that a script may read. This module imports
// only other parts of the dialog: it alone needs the terminal library, and is loaded only on a terminal.

/** Asks the questions one after the other. @returns the answers; undefined when the user cancels */
export async function runDialogue(options: DialogueOptions): Promise<Answers | undefined> {
  const { stdin, stderr, title, keys: keyLine, next, check, signal, onInterrupt } = options;
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
  // keys typed ahead may accept the next answers too
  const judgeAll = async (): Promise<void> => {
    while (state.judged !== undefined && state.end === undefined) {
      const verdict = await judge(state.judged);
      // use the current state: keys may have arrived meanwhile
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
  const draw = (): ReactElement => createElement(DialogueView, { title, keys: keyLine, state, onKeys });

  // raw mode before the first question is shown, so that keys typed at it are passed to the dialog
  stdin.setRawMode?.(true);
  const app = render(draw(), {
    stdin,
    stdout: stderr,
    stderr,
    exitOnCtrlC: false,
    patchConsole: false,
    // the caller has checked the terminal; the library would not detect it when an environment variable
    // indicates a CI
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
