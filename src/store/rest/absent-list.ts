import { type Digest, digestAlgorithm, digestHex, isDigest } from '../../base/digest.ts';
import { isSize } from '../../catalog/content-records.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { parseJson, readLines, toUnreadable } from './json-lines.ts';
import type { MediumHeader } from './media-manifest.ts';

/** The list of blobs that a medium of format 2 lacks, relative to its root. */
export const absentListPath = 'absent.jsonl';

/** Limits that are checked before anything is decoded. */
export const absentListLimits = { bytes: 128 << 20, lineBytes: 8192 } as const;

/** A blob that recipes of a medium need, and that is not whole on it. */
export interface AbsentBlob {
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
  /**
   * `base`: the registry of the zone has it. Otherwise the parts of the delivery that have it or segments of it, in
   * ascending order; this part is among them when it has segments.
   */
  readonly at: 'base' | readonly number[];
}

/** Formats one line of `absent.jsonl`. */
export function formatAbsentBlob({ digest, size, at }: AbsentBlob): string {
  const place = at === 'base' ? '"at":"base"' : `"parts":[${at.join(',')}]`;
  return `{"digest":"${digest}","size":${size},${place}}\n`;
}

/**
 * Parses `absent.jsonl` as a stream.
 *
 * @returns the absent blobs in the order of their digests
 * @throws SVC-MED-002 for a line that is no absent blob, is out of order, or names a part that the delivery does not have
 */
export async function parseAbsentList(
  chunks: AsyncIterable<Buffer>,
  { mediaId, delivery, base }: Pick<MediumHeader, 'mediaId' | 'delivery' | 'base'>,
): Promise<ReadonlyMap<Digest, AbsentBlob>> {
  const absent = new Map<Digest, AbsentBlob>();
  const refuse = (detail: Rule, cause?: unknown) => toUnreadable(absentListPath, detail, { mediaId, cause });
  const { lineBytes } = absentListLimits;
  let last = '';
  for await (const lines of readLines(absentListPath, chunks, [lineBytes, lineBytes])) {
    for (const text of lines) {
      const line = absent.size + 1;
      const invalid = (cause?: unknown) =>
        refuse(
          rule(['line {line} is no absent blob', fr`la ligne {line} n’est pas un blob absent`], { line }),
          cause,
        );
      const { digest, size, at, parts } = parseJson(text, invalid);
      if (!isDigest(digest) || !isSize(size)) throw invalid();
      if (digest <= last)
        throw refuse(
          rule(['line {line} is out of order', fr`la ligne {line} n’est pas à sa place`], { line }),
        );
      last = digest;
      if (at === 'base' && parts === undefined && base !== undefined)
        absent.set(digest, { digest, size, at });
      else if (at === undefined && isPartList(parts, delivery))
        absent.set(digest, { digest, size, at: parts });
      else throw invalid();
    }
  }
  return absent;
}

function isPartList(value: unknown, delivery: MediumHeader['delivery']): value is readonly number[] {
  if (!Array.isArray(value) || value.length === 0 || delivery === undefined) return false;
  const isOther = value.length > 1 || value[0] !== delivery.part;
  return (
    isOther &&
    value.every(
      (part, i) => isSize(part) && part >= 1 && part <= delivery.parts && (i === 0 || value[i - 1] < part),
    )
  );
}

/** A range of the bytes of a blob, in a file of its own. */
export interface Segment {
  readonly digest: Digest;
  /** Byte of the blob at which the file begins. */
  readonly offset: number;
}

/** The path of a segment, relative to the root of its medium. */
export function segmentPath({ digest, offset }: Segment): string {
  return `segments/${digestAlgorithm(digest)}/${digestHex(digest)}/${offset}`;
}

/** @returns undefined for a path of another form */
export function parseSegmentPath(path: string): Segment | undefined {
  const [folder, algorithm, hex, name, ...more] = path.split('/');
  const digest = `${algorithm}:${hex}`;
  if (folder !== 'segments' || more.length > 0 || name === undefined || !isDigest(digest)) return undefined;
  const offset = Number(name);
  return /^(?:0|[1-9]\d{0,15})$/.test(name) && isSize(offset) ? { digest, offset } : undefined;
}
