/** Characters from which on a piece is complete. */
const pieceLength = 65_536;

/** Subtracts the cost of a value from a budget. @returns the rest; negative: the value is large */
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

/** Greatest weight of a value that is made text in one step. */
const stepWeight = pieceLength / 4;

/**
 * Makes the text of a value, as `JSON.stringify` does, in pieces of about 64 KiB. Each piece is made on request. A text
 * is never divided, so that a search finds it in one piece.
 *
 * @param value of JSON, without `toJSON`
 */
export function toJsonPieces(value: unknown): Generator<string> {
  return joinPieces(toParts(value));
}

/** Joins short pieces to some of about 64 KiB. Each is made on request. */
export function* joinPieces(parts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/**
 * Makes the text of a value, as `JSON.stringify` does with an indentation of two spaces, in pieces of any length.
 *
 * @param value of JSON, without `toJSON`
 */
export function* toIndentedPieces(value: unknown, indent = ''): Generator<string> {
  if (typeof value !== 'object' || value === null || weigh(value, stepWeight) >= 0) {
    yield (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', `\n${indent}`);
    return;
  }
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  let before = open;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined && open === '{') continue;
    yield `${before}\n${inner}${open === '{' ? `${JSON.stringify(name)}: ` : ''}`;
    yield* toIndentedPieces(member, inner);
    before = ',';
  }
  yield before === open ? `${open}${close}` : `\n${indent}${close}`;
}

function* toParts(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || weigh(value, stepWeight) >= 0) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  if (Array.isArray(value)) {
    yield '[';
    yield* toElements(value);
    yield ']';
    return;
  }
  yield '{';
  let comma = '';
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    yield `${comma}${JSON.stringify(name)}:`;
    yield* toParts(member);
    comma = ',';
  }
  yield '}';
}

/** Makes the text of elements, of many small ones at once. */
function* toElements(list: readonly unknown[]): Generator<string> {
  let few: unknown[] = [];
  let left = stepWeight;
  let comma = '';
  const take = (): string => {
    const text = few.length === 0 ? '' : `${comma}${JSON.stringify(few).slice(1, -1)}`;
    if (few.length > 0) comma = ',';
    few = [];
    left = stepWeight;
    return text;
  };
  for (const element of list) {
    const rest = weigh(element, stepWeight);
    if (rest < 0) {
      yield take();
      yield comma;
      comma = ',';
      yield* toParts(element);
      continue;
    }
    few.push(element);
    left -= stepWeight - rest + 1;
    if (left < 0) yield take();
  }
  yield take();
}
