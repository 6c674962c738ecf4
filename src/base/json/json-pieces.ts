/** Characters from which on a piece is complete. */
const pieceLength = 65_536;

/** Takes the cost of a value off what is left. @returns what is left; negative: it is large */
function weigh(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length - 2;
  if (typeof value !== 'object' || value === null) return left - 8;
  let rest = left - 2;
  if (Array.isArray(value))
    for (let i = 0; i < value.length && rest >= 0; i += 1) rest = weigh(value[i], rest);
  else
    for (const name in value) {
      if (rest < 0) break;
      rest = weigh((value as Record<string, unknown>)[name], rest - name.length - 4);
    }
  return rest;
}

/** Whether a value can be made text in one step. */
const isSmall = (value: unknown): boolean => weigh(value, pieceLength / 4) >= 0;

/**
 * Makes the text of a value, as `JSON.stringify` does, in pieces of about 64 KiB. Each piece is made when it is asked for. A
 * text is never divided, so that whoever looks for one finds it in one piece.
 *
 * @param value of JSON, without `toJSON`
 */
export function* toJsonPieces(value: unknown): Generator<string> {
  let piece = '';
  for (const part of toParts(value)) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function* toParts(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || isSmall(value)) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  yield isList ? '[' : '{';
  let isFirst = true;
  // a list may be long, and so its entries are not listed
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const item = (value as Record<string | number, unknown>)[key];
    if (item === undefined && !isList) continue;
    const comma = isFirst ? '' : ',';
    isFirst = false;
    yield isList ? comma : `${comma}${JSON.stringify(key)}:`;
    yield* toParts(item);
  }
  yield isList ? ']' : '}';
}
