import { type ByteRange, parseByteRange } from '../byte-range.ts';

export interface Span {
  /** First byte, inclusive; `end` is the last byte, inclusive. */
  readonly start: number;
  readonly end: number;
}

type ByteRanges =
  | Exclude<ByteRange, { readonly kind: 'part' }>
  | { readonly kind: 'parts'; readonly parts: readonly Span[] };

/** Maximum number of ranges. Clients that fetch the changed chunks of an index (zchunk) send this many. */
const mostRanges = 1024;

/**
 * Parses a `Range` header with one or several ranges (RFC 9110, section 14.2). Ranges outside the content are
 * ignored. Overlapping ranges, or more than the maximum, select the whole content, which is cheaper to send.
 *
 * @param size length of the content in bytes
 */
export function parseByteRanges(header: string | undefined, size: number): ByteRanges {
  const [unit, list] = splitUnit(header ?? '');
  if (unit !== 'bytes' || list === '') return { kind: 'whole' };
  const specs = list.split(',');
  if (specs.length > mostRanges) return { kind: 'whole' };
  const parts: Span[] = [];
  for (const spec of specs) {
    // empty list elements are ignored (section 5.6.1)
    if (spec.trim() === '') continue;
    const range = parseByteRange(`bytes=${spec}`, size);
    if (range.kind === 'whole') return range;
    if (range.kind === 'part') parts.push(range);
  }
  if (parts.length === 0) return { kind: 'unsatisfiable' };
  return isOverlapping(parts) ? { kind: 'whole' } : { kind: 'parts', parts };
}

function splitUnit(header: string): readonly [unit: string, list: string] {
  const equals = header.indexOf('=');
  return equals < 0 ? ['', ''] : [header.slice(0, equals).toLowerCase(), header.slice(equals + 1)];
}

function isOverlapping(parts: readonly Span[]): boolean {
  const sorted = [...parts].sort((a, b) => a.start - b.start);
  return sorted.some(({ start }, i) => i > 0 && start <= sorted[i - 1]!.end);
}
