import type { Key as TerminalKey } from 'ink';

/** Meaning of a key, or a piece of text, in a dialog. */
export type Key =
  | 'accept'
  | 'back'
  | 'leave'
  | 'interrupt'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'rub-out'
  | 'delete'
  | 'cut-before'
  | 'cut-after'
  | { readonly text: string };

/** Control characters as sent by a terminal. Others are ignored. */
const controls: ReadonlyMap<string, Key> = new Map<string, Key>([
  ['\r\n', 'accept'],
  ['\r', 'accept'],
  ['\n', 'accept'],
  ['\t', 'down'],
  ['\b', 'rub-out'],
  ['\u007f', 'rub-out'],
  ['\u0001', 'home'],
  ['\u0003', 'interrupt'],
  ['\u0004', 'leave'],
  ['\u0005', 'end'],
  ['\u000b', 'cut-after'],
  ['\u0015', 'cut-before'],
]);

/** Splits one input event into keys, in order. Keys typed ahead arrive in one event. */
export function toKeys(input: string, key: TerminalKey): readonly Key[] {
  if (key.escape) return ['back'];
  if (key.return) return ['accept'];
  if (key.upArrow) return ['up'];
  if (key.downArrow || key.tab) return ['down'];
  if (key.leftArrow) return ['left'];
  if (key.rightArrow) return ['right'];
  if (key.home) return ['home'];
  if (key.end) return ['end'];
  if (key.backspace) return ['rub-out'];
  if (key.delete) return ['delete'];
  if (key.ctrl) return split(String.fromCharCode(input.charCodeAt(0) & 0x1f));
  return key.meta ? [] : split(input);
}

/** Converts pasted text to keys: its first line only, without accepting the answer. */
export function toPastedKeys(text: string): readonly Key[] {
  return split(text.split(/[\r\n]/, 1)[0]!).filter((key) => typeof key !== 'string');
}

function split(input: string): Key[] {
  const parts = input.match(/\r\n|[\u0000-\u001f\u007f-\u009f]|[^\u0000-\u001f\u007f-\u009f]+/g) ?? [];
  return parts.flatMap((part) => {
    if (!/^[\u0000-\u001f\u007f-\u009f]/.test(part)) return { text: part };
    return controls.get(part) ?? [];
  });
}
