export type ByteRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' };

/**
 * Parses a `Range` header (RFC 9110, section 14). One range is honoured; one that is reversed is refused.
 * Several ranges, other units and unparsable headers select the whole content.
 *
 * @param size length of the content in bytes
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange {
  const match = /^bytes=[ \t]*([0-9]{0,16})-([0-9]{0,16})[ \t]*$/i.exec(header ?? '');
  if (match === null) return { kind: 'whole' };
  const [, first, last] = match as unknown as [string, string, string];
  if (first === '' && last === '') return { kind: 'whole' };
  if (first === '') {
    const suffix = Number(last);
    if (suffix === 0 || size === 0) return { kind: 'unsatisfiable' };
    return { kind: 'part', start: Math.max(0, size - suffix), end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size || (last !== '' && Number(last) < start)) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end };
}
