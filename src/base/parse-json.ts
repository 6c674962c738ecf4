import { type JsonBounds, JsonGauge } from './json-gauge.ts';

/** Far more than a document of a person, a config or a signature says. */
const usual: JsonBounds = { depth: 64, values: 100_000 };

/**
 * Decodes a small document of a stranger.
 *
 * @param bytes UTF-8; their number was bounded by whoever read them
 * @throws SyntaxError when it is no JSON in UTF-8, or nested or divided beyond the bounds
 */
export function parseJson(bytes: Uint8Array, bounds: JsonBounds = usual): unknown {
  const fault = new JsonGauge(bounds).add(bytes);
  if (fault !== undefined) throw new SyntaxError(`more than ${bounds[fault]} ${fault}`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SyntaxError('not UTF-8', { cause });
  }
  return JSON.parse(text);
}
