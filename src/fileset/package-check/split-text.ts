import { documentBytes, FormError } from './model.ts';

/**
 * Splits a text that comes in chunks at each separator, in linear time: a part without a separator is not searched
 * again with each chunk.
 *
 * @returns lists of the parts that end before a separator; the last list has the one text behind the last separator
 * @throws FormError for a part of more than 16 Mi characters
 */
export async function* splitText(
  bytes: AsyncIterable<Buffer>,
  separator: string,
): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8');
  const overlap = separator.length - 1;
  // the part that is not complete yet: pieces without a separator, and an end in which one may begin
  let pieces: string[] = [];
  let length = 0;
  let end = '';
  const hold = (text: string): void => {
    const at = text.length - Math.min(overlap, text.length);
    pieces.push(text.slice(0, at));
    length += at;
    end = text.slice(at);
    if (length > documentBytes) throw new FormError('a part is too long');
  };
  for await (const chunk of bytes) {
    const text = end + decoder.decode(chunk, { stream: true });
    if (!text.includes(separator)) {
      hold(text);
      continue;
    }
    const parts = (pieces.join('') + text).split(separator);
    pieces = [];
    length = 0;
    const rest = parts.pop()!;
    if (parts.some((part) => part.length > documentBytes)) throw new FormError('a part is too long');
    yield parts;
    hold(rest);
  }
  yield [pieces.join('') + end + decoder.decode()];
}
