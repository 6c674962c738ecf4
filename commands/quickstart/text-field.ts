import { Text, useInput, usePaste } from 'ink';
import { createElement, type ReactElement, useRef, useState } from 'react';

export interface TextFieldProps {
  readonly initial: string;
  readonly onAccept: (text: string) => void;
}

interface Line {
  /** Characters as a person counts them. */
  readonly characters: readonly string[];
  readonly cursor: number;
}

const segmenter = new Intl.Segmenter();
const split = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);

function replace({ characters }: Line, from: number, to: number, text = ''): Line {
  const added = split(text);
  return {
    characters: [...characters.slice(0, from), ...added, ...characters.slice(to)],
    cursor: from + added.length,
  };
}

/** The line after one character as a terminal sends it; control characters that mean nothing here change nothing. */
function type(line: Line, character: string): Line {
  const { characters, cursor } = line;
  switch (character) {
    case '\u0001':
      return { characters, cursor: 0 };
    case '\u0005':
      return { characters, cursor: characters.length };
    case '\u000b':
      return replace(line, cursor, characters.length);
    case '\u0015':
      return replace(line, 0, cursor);
    case '\b':
    case '\u007f':
      return replace(line, Math.max(0, cursor - 1), cursor);
    default:
      return /[\u0000-\u001f\u0080-\u009f]/.test(character) ? line : replace(line, cursor, cursor, character);
  }
}

/** One line of text, edited in place. */
export function TextField({ initial, onAccept }: TextFieldProps): ReactElement {
  // several keys can arrive before the next drawing: each must see what the one before it did
  const line = useRef<Line>(undefined);
  line.current ??= replace({ characters: [], cursor: 0 }, 0, 0, initial);
  const [, draw] = useState({});
  const set = (changed: Line): void => {
    line.current = changed;
    draw({});
  };
  const move = (to: number): void => {
    const { characters } = line.current!;
    set({ characters, cursor: Math.max(0, Math.min(characters.length, to)) });
  };
  const insert = (text: string): void => set(split(text).reduce(type, line.current!));

  useInput((input, key) => {
    const { characters, cursor } = line.current!;
    if (key.return || input === '\n') onAccept(characters.join(''));
    else if (key.leftArrow) move(cursor - 1);
    else if (key.rightArrow) move(cursor + 1);
    else if (key.home) move(0);
    else if (key.end) move(characters.length);
    else if (key.backspace) insert('\b');
    else if (key.delete) set(replace(line.current!, cursor, cursor + 1));
    else if (key.ctrl) insert(String.fromCharCode(input.charCodeAt(0) & 0x1f));
    else if (!key.meta && !key.escape && !key.tab) {
      // what is typed ahead arrives together with its Enter
      const [text, ...rest] = input.split(/[\r\n]/);
      insert(text!);
      if (rest.length > 0) onAccept(line.current!.characters.join(''));
    }
  });
  // of a paste the first line, and nothing is accepted by it
  usePaste((text) => insert(text.split(/[\r\n]/, 1)[0]!));

  const { characters, cursor } = line.current;
  return createElement(
    Text,
    null,
    characters.slice(0, cursor).join(''),
    createElement(Text, { key: 'cursor', inverse: true }, characters[cursor] ?? ' '),
    characters.slice(cursor + 1).join(''),
  );
}
