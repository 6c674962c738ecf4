import { Box, Text, useInput, usePaste } from 'ink';
import { createElement, Fragment, type ReactElement } from 'react';
import type { DialogueState } from './dialogue-state.ts';
import type { Choice } from './question.ts';
import { firstOf, type TextLine } from './text-line.ts';
import { type Key, toKeys, toPastedKeys } from './to-keys.ts';

interface DialogueViewProps {
  readonly title: string;
  /** Line that names the keys. */
  readonly keys: string;
  readonly state: DialogueState;
  readonly onKeys: (keys: readonly Key[]) => void;
}

const labelWidth = 16;

/** Renders the state of a dialog and passes every key on. It has no state of its own. */
export function DialogueView({ title, keys, state, onKeys }: DialogueViewProps): ReactElement {
  useInput((input, key) => onKeys(toKeys(input, key)));
  usePaste((text) => onKeys(toPastedKeys(text)));
  const rows = state.settled.map(({ question: { key, label, choices }, answer }) => {
    const name = choices?.find(({ value }) => value === answer)?.name ?? answer;
    return createElement(Text, { key }, `  ✓ ${label.padEnd(labelWidth)}${name}`);
  });
  return createElement(
    Box,
    { flexDirection: 'column' },
    createElement(Text, { key: 'title', bold: true }, title),
    createElement(Box, { key: 'rows', flexDirection: 'column', marginTop: 1 }, ...rows),
    state.end === 'answered' ? undefined : createElement(QuestionView, { key: 'question', keys, state }),
  );
}

function QuestionView({ keys, state }: Pick<DialogueViewProps, 'keys' | 'state'>): ReactElement {
  const { question, entry, problem, isSuggested } = state;
  const field =
    typeof entry === 'number'
      ? createElement(ChoicesView, { choices: question.choices!, at: entry })
      : createElement(LineView, { ...entry, isSuggested });
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
    question.shown === undefined
      ? undefined
      : createElement(
          Box,
          { key: 'shown', paddingLeft: 4 },
          createElement(Text, { wrap: 'hard' }, question.shown),
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
      createElement(Text, { dimColor: true }, keys),
    ),
  );
}

function LineView({
  before,
  after,
  isSuggested,
}: TextLine & { readonly isSuggested: boolean }): ReactElement {
  const under = firstOf(after);
  return createElement(
    Text,
    null,
    createElement(Text, { key: 'before', dimColor: isSuggested }, before),
    createElement(Text, { key: 'cursor', inverse: true }, under || ' '),
    after.slice(under.length),
  );
}

interface ChoicesViewProps {
  readonly choices: readonly Choice[];
  readonly at: number;
}

function ChoicesView({ choices, at }: ChoicesViewProps): ReactElement {
  const width = Math.max(...choices.map(({ value, name = value }) => name.length));
  return createElement(
    Fragment,
    null,
    ...choices.map(({ value, name = value, text }, index) =>
      createElement(
        Text,
        { key: value, inverse: index === at },
        `${index === at ? '●' : '○'} ${name.padEnd(width)}  ${text}`,
      ),
    ),
  );
}
