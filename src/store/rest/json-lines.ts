import { isJsonObject, type JsonObject } from '../../base/json/json-object.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';

/** SVC-MED-002 of a list of a medium. @param path relative to the root of the medium */
export function toUnreadable(
  path: string,
  detail: Rule | string | undefined,
  { mediaId, cause }: { readonly mediaId?: string | undefined; readonly cause?: unknown } = {},
): SvcError {
  return svcError('SVC-MED-002', { path, detail, mediaId }, cause === undefined ? {} : { cause });
}

/** @param refuse makes the error, of a cause if there is one */
export function parseJson(line: string, refuse: (cause?: unknown) => SvcError): JsonObject {
  try {
    const value: unknown = JSON.parse(line);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw refuse(error);
  }
  throw refuse();
}

/**
 * Splits a stream into complete lines, in batches as they arrive.
 *
 * @param path of the list, for errors
 * @param limits of the first line and of each further line, in characters
 * @throws SVC-MED-002 for text that is not UTF-8, a line over its limit, and a last line that is cut off
 */
export async function* readLines(
  path: string,
  chunks: AsyncIterable<Buffer>,
  [first, further]: readonly [number, number],
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let limit = first;
  let rest = '';
  const decode = (chunk?: Buffer): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw toUnreadable(path, rule(['not UTF-8', fr`pas en UTF-8`]), { cause });
    }
  };
  for await (const chunk of chunks) {
    const lines = (rest + decode(chunk)).split('\n');
    rest = lines.pop()!;
    if (rest.length > limit || lines.some((line, i) => line.length > (i === 0 ? limit : further)))
      throw toUnreadable(path, rule(['a line is too long', fr`une ligne est trop longue`]));
    if (lines.length > 0) {
      limit = further;
      yield lines;
    }
  }
  if (rest + decode() !== '')
    throw toUnreadable(path, rule(['the last line is cut off', fr`la dernière ligne est coupée`]));
}
