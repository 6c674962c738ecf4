import { Text, useInput } from 'ink';
import { createElement, Fragment, type ReactElement, useRef, useState } from 'react';
import type { Choice } from './question.ts';

export interface ChoiceFieldProps {
  readonly initial: string;
  readonly choices: readonly Choice[];
  readonly onAccept: (value: string) => void;
}

/** One of a few: by the arrows, or by the first letter. */
export function ChoiceField({ initial, choices, onAccept }: ChoiceFieldProps): ReactElement {
  // several keys can arrive before the next drawing: each must see what the one before it did
  const at = useRef<number>(undefined);
  at.current ??= Math.max(
    0,
    choices.findIndex(({ value }) => value === initial),
  );
  const [, draw] = useState({});
  const move = (to: number): void => {
    at.current = (to + choices.length) % choices.length;
    draw({});
  };
  useInput((input, key) => {
    const current = at.current!;
    if (key.upArrow) move(current - 1);
    else if (key.downArrow || key.tab) move(current + 1);
    else if (!key.ctrl && !key.meta) {
      const letter = input.slice(0, 1).toLowerCase();
      const found = choices.findIndex(({ value }) => /[a-z]/.test(letter) && value.startsWith(letter));
      if (found >= 0) move(found);
      if (key.return || /[\r\n]/.test(input)) onAccept(choices[at.current!]!.value);
    }
  });
  const width = Math.max(...choices.map(({ value }) => value.length));
  return createElement(
    Fragment,
    null,
    ...choices.map(({ value, text }, index) =>
      createElement(
        Text,
        { key: value, inverse: index === at.current },
        `${index === at.current ? '●' : '○'} ${value.padEnd(width)}  ${text}`,
      ),
    ),
  );
}
