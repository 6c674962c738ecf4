import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** A text that was decoded, or the rule that its bytes break. */
type DecodedText = { readonly text: string } | { readonly rule: Rule };

/** Bytes that are looked at for the encoding. */
const sample = 4096;

/**
 * Decodes a document in UTF-8 (RFC 3629), with or without a byte order mark. UTF-16, which some shells and editors write,
 * is named as such.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (isUtf16(bytes))
    return { rule: rule(['is UTF-16, and must be UTF-8', fr`est en UTF-16, et doit être en UTF-8`]) };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { rule: rule(['must be UTF-8', fr`doit être en UTF-8`]) };
  }
}

/** Whether bytes begin with a byte order mark of UTF-16 (RFC 2781), or every second one is zero, as in ASCII text. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const pairs = Math.min(bytes.length, sample) >> 1;
  if (pairs === 0) return false;
  const zeros = [0, 0];
  for (let i = 0; i < pairs * 2; i += 1) if (bytes[i] === 0) zeros[i & 1]! += 1;
  return Math.max(...zeros) > pairs / 2 && Math.min(...zeros) < pairs / 8;
}
