import { Box, Text, useInput, usePaste } from 'ink';
import { createElement, Fragment, type ReactElement } from 'react';
import type { DialogueState } from './dialogue-state.ts';
import type { Choice } from './question.ts';
import { firstOf, type TextLine } from './text-line.ts';
import { type Key, toKeys, toPastedKeys } from './to-keys.ts';

interface DialogueViewProps {
  readonly title: string;
  readonly state: DialogueState;
  readonly onKeys: (keys: readonly Key[]) => void;
}

const labelWidth = 16;

/** Renders the state of a dialog and passes every key on. It has no state of its own. */
export function DialogueView({ title, state, onKeys }: DialogueViewProps): ReactElement {
  useInput((input, key) => onKeys(toKeys(input, key)));
  usePaste((text) => onKeys(toPastedKeys(text)));
  const rows = state.settled.map(({ question: { key, label }, answer }) =>
    createElement(Text, { key }, `  ✓ ${label.padEnd(labelWidth)}${answer}`),
  );
  return createElement(
    Box,
    { flexDirection: 'column' },
    createElement(Text, { key: 'title', bold: true }, title),
    createElement(Box, { key: 'rows', flexDirection: 'column', marginTop: 1 }, ...rows),
    state.end === 'answered' ? undefined : createElement(QuestionView, { key: 'question', state }),
  );
}

function QuestionView({ state }: Pick<DialogueViewProps, 'state'>): ReactElement {
  const { question, entry, problem } = state;
  const field =
    typeof entry === 'number'
      ? createElement(ChoicesView, { choices: question.choices!, at: entry })
      : createElement(LineView, entry);
  return createElement(
    Box,
    { flexDirection: 'column' },
    createElement(
      Box,
      { key: 'field' },
      createElement(
        Box,
        { key: 'label', flexShrink: 0 },
        createElement(Text, { bold: true }, `  › ${question.label.padEnd(labelWidth)}`),
      ),
      createElement(Box, { key: 'value', flexDirection: 'column' }, field),
    ),
    createElement(
      Box,
      { key: 'below', flexDirection: 'column', paddingLeft: labelWidth + 4 },
      problem === undefined
        ? createElement(Text, { key: 'hint', dimColor: true }, question.hint)
        : createElement(Text, { key: 'problem', color: 'red' }, problem),
    ),
    createElement(
      Box,
      { key: 'keys', marginTop: 1, paddingLeft: 2 },
      createElement(Text, { dimColor: true }, 'Enter: accept, Esc: back, Ctrl-C: quit without changes'),
    ),
  );
}

function LineView({ before, after }: TextLine): ReactElement {
  const under = firstOf(after);
  return createElement(
    Text,
    null,
    before,
    createElement(Text, { key: 'cursor', inverse: true }, under || ' '),
    after.slice(under.length),
  );
}

interface ChoicesViewProps {
  readonly choices: readonly Choice[];
  readonly at: number;
}

function ChoicesView({ choices, at }: ChoicesViewProps): ReactElement {
  const width = Math.max(...choices.map(({ value }) => value.length));
  return createElement(
    Fragment,
    null,
    ...choices.map(({ value, text }, index) =>
      createElement(
        Text,
        { key: value, inverse: index === at },
        `${index === at ? '●' : '○'} ${value.padEnd(width)}  ${text}`,
      ),
    ),
  );
}
