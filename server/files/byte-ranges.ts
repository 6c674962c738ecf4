import { type ByteRange, parseByteRange } from '../byte-range.ts';

export interface Span {
  /** First and last byte, both included. */
  readonly start: number;
  readonly end: number;
}

type ByteRanges =
  | Exclude<ByteRange, { readonly kind: 'part' }>
  | { readonly kind: 'parts'; readonly parts: readonly Span[] };

/** As many as clients ask for that fetch the changed pieces of an index (zchunk). */
const mostRanges = 1024;

/**
 * Reads a `Range` header with one or several ranges (RFC 9110, section 14.2). Those that lie outside are left out. Many,
 * or ones that overlap, mean the whole content: it is no more work than what was asked for.
 */
export function parseByteRanges(header: string | undefined, size: number): ByteRanges {
  const [unit, list] = splitUnit(header ?? '');
  if (unit !== 'bytes' || list === '') return { kind: 'whole' };
  const specs = list.split(',');
  if (specs.length > mostRanges) return { kind: 'whole' };
  const parts: Span[] = [];
  for (const spec of specs) {
    // empty elements of a list count for nothing (section 5.6.1)
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
