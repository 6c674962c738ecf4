import { Box, render, Text, useApp, useInput } from 'ink';
import { createElement, type ReactElement, useEffect, useRef, useState } from 'react';
import { ChoiceField } from './choice-field.ts';
import type { Answers, DialogueOptions, Question } from './question.ts';
import { TextField } from './text-field.ts';

// Rendered on stderr: stdout is for what a script may read. Nothing of the sources is imported here but other parts of
// the dialogue: this is the only code that needs the terminal library, and it is loaded on a terminal only.

interface Settled {
  readonly question: Question;
  readonly answer: string;
}

/** Asks question after question. @returns what was answered; undefined when the person left */
export async function runDialogue(options: DialogueOptions): Promise<Answers | undefined> {
  const { stdin, stderr, title, signal } = options;
  const first = await options.next({});
  if (first === undefined || signal.aborted) return {};
  let answers: Answers | undefined;
  const onEnd = (given: Answers | undefined): void => {
    answers = given;
  };
  // before the first question stands there: what is typed at it is for the dialogue, not for the line discipline
  stdin.setRawMode?.(true);
  const app = render(createElement(Dialogue, { ...options, title, first, onEnd }), {
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
  return signal.aborted ? undefined : answers;
}

interface DialogueProps extends DialogueOptions {
  readonly first: Question;
  readonly onEnd: (answers: Answers | undefined) => void;
}

const toAnswers = (settled: readonly Settled[]): Answers =>
  Object.fromEntries(settled.map(({ question, answer }) => [question.key, answer]));

function Dialogue({ title, first, next, check, onEnd, onInterrupt }: DialogueProps): ReactElement {
  const { exit } = useApp();
  const [settled, setSettled] = useState<readonly Settled[]>([]);
  const [question, setQuestion] = useState<Question | undefined>(first);
  const [problem, setProblem] = useState<string>();
  // an answer is being judged; known at once, not with the next drawing
  const isBusy = useRef(false);

  const accept = async (answer: string): Promise<void> => {
    if (question === undefined || isBusy.current) return;
    isBusy.current = true;
    setProblem(undefined);
    try {
      const found = await check(question.key, answer, toAnswers(settled));
      setProblem(found);
      if (found !== undefined) return;
      const more = [...settled, { question, answer }];
      const following = await next(toAnswers(more));
      setSettled(more);
      setQuestion(following);
      if (following === undefined) onEnd(toAnswers(more));
    } catch (error) {
      exit(error as Error);
    } finally {
      isBusy.current = false;
    }
  };

  // after the last answer has been drawn
  useEffect(() => {
    if (question === undefined) exit();
  }, [question, exit]);

  const goBack = (): void => {
    const last = settled.at(-1);
    if (last === undefined || isBusy.current) return;
    setSettled(settled.slice(0, -1));
    setQuestion({ ...last.question, initial: last.answer });
    setProblem(undefined);
  };

  useInput((input, key) => {
    if (key.ctrl && (input === 'c' || input === 'd')) {
      if (input === 'c') onInterrupt();
      onEnd(undefined);
      exit();
    } else if (key.escape) goBack();
  });

  const rows = settled.map(({ question: { key, label }, answer }) =>
    createElement(Text, { key }, `  ✓ ${label.padEnd(labelWidth)}${answer}`),
  );
  return createElement(
    Box,
    { flexDirection: 'column' },
    createElement(Text, { key: 'title', bold: true }, title),
    createElement(Box, { key: 'rows', flexDirection: 'column', marginTop: 1 }, ...rows),
    question && createElement(Field, { key: question.key, question, problem, onAccept: accept }),
  );
}

const labelWidth = 16;

interface FieldProps {
  readonly question: Question;
  readonly problem: string | undefined;
  readonly onAccept: (answer: string) => Promise<void>;
}

function Field({ question, problem, onAccept }: FieldProps): ReactElement {
  const { label, hint, initial, choices } = question;
  const field = choices
    ? createElement(ChoiceField, { initial, choices, onAccept })
    : createElement(TextField, { initial, onAccept });
  return createElement(
    Box,
    { flexDirection: 'column' },
    createElement(
      Box,
      { key: 'field' },
      createElement(
        Box,
        { key: 'label', flexShrink: 0 },
        createElement(Text, { bold: true }, `  › ${label.padEnd(labelWidth)}`),
      ),
      createElement(Box, { key: 'value', flexDirection: 'column' }, field),
    ),
    createElement(
      Box,
      { key: 'below', flexDirection: 'column', paddingLeft: labelWidth + 4 },
      problem === undefined
        ? createElement(Text, { key: 'hint', dimColor: true }, hint)
        : createElement(Text, { key: 'problem', color: 'red' }, problem),
    ),
    createElement(
      Box,
      { key: 'keys', marginTop: 1, paddingLeft: 2 },
      createElement(
        Text,
        { dimColor: true },
        'Enter accepts, Esc goes back, Ctrl-C leaves everything as it is',
      ),
    ),
  );
}
