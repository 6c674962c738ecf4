import { type JsonBounds, JsonGauge } from './json-gauge.ts';

/** Default limits, far above what a hand-written document, a configuration or a signature needs. */
const usual: JsonBounds = { depth: 64, values: 100_000 };

/**
 * Decodes a small untrusted document.
 *
 * @param bytes UTF-8; the caller has limited their number
 * @throws SyntaxError when the bytes are not JSON in UTF-8, or exceed the limits
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
