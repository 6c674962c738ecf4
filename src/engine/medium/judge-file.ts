import type { Digest } from '../../base/digest.ts';
import type { FileIdentity, HashOutcome } from '../../disk/threads/hash-file.ts';
import { blobPath } from '../../oci/layout.ts';
import { type AbsentBlob, absentListPath, type Segment, segmentPath } from '../../store/rest/absent-list.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';

/** Facts about the files of a medium after they were read. */
export interface MediumFiles {
  /** Real path of the medium. */
  readonly root: string;
  /** The entry of the medium manifest for a path. */
  listed(path: string): { readonly size: number; readonly digest: Digest } | undefined;
  /** The result of hashing, for listed files that exist. */
  outcome(path: string): HashOutcome | undefined;
  /** Whether the path exists, listed or not. */
  has(path: string): boolean;
  /** What the medium says of blobs that are not whole on it. Absent: of format 1, which has none. */
  readonly away?: AwayBlobs | undefined;
  /** Why it is unknown what the medium lacks. */
  readonly listFlaw?: SvcError | undefined;
}

/** Blobs that a medium of format 2 lacks, and those of which it has segments. */
export interface AwayBlobs {
  readonly absent: ReadonlyMap<Digest, AbsentBlob>;
  /** Listed segments by the blob's digest. */
  readonly segments: ReadonlyMap<Digest, readonly SegmentFile[]>;
}

/** A listed file with a range of the bytes of a blob. */
export interface SegmentFile extends Segment {
  /** Bytes. */
  readonly size: number;
  /** Of the bytes of the segment. */
  readonly listed: Digest;
}

/** A blob that a recipe needs, and that is not whole on the medium. */
export interface AwayBlob {
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
  /** As in `absent.jsonl`; `here`: all its segments are on this medium. */
  readonly at: AbsentBlob['at'] | 'here';
  /** Its segments on this medium, whole and in order. */
  readonly segments: readonly SegmentFile[];
  /** Names of the ingredients that need it. */
  readonly of: readonly string[];
}

/** Files that one recipe needs, with their identity when they were hashed. */
export type ReachedFiles = Map<Digest, FileIdentity>;

/**
 * The problem of one file, from its hashing result: SVC-MED-010 to SVC-MED-014. Pure.
 *
 * @param size bytes that the pinning document requires; undefined: any
 * @returns undefined when the file is listed and has the digest, by which the medium manifest lists it too
 */
export function toFileProblem(
  files: MediumFiles,
  path: string,
  digest: Digest,
  size: number | undefined,
): SvcError | undefined {
  const listed = files.listed(path);
  if (!listed) return svcError(files.has(path) ? 'SVC-MED-013' : 'SVC-MED-010', { path });
  const outcome = files.outcome(path);
  if (!outcome) return svcError('SVC-MED-010', { path });
  if ('problem' in outcome) {
    return outcome.problem === 'size'
      ? svcError('SVC-MED-011', { path, expected: listed.size, actual: outcome.actual })
      : svcError('SVC-MED-014', { path, detail: outcome.detail });
  }
  const { size: actual } = outcome.identity;
  if (size !== undefined && actual !== size) return svcError('SVC-MED-011', { path, expected: size, actual });
  for (const expected of [digest, listed.digest]) {
    if (outcome.digest !== expected)
      return svcError('SVC-MED-012', { path, expected, actual: outcome.digest });
  }
  return undefined;
}

/** Adds a blob to the files that a recipe reaches. @throws SVC-MED-010 to SVC-MED-014 */
export function checkBlob(
  files: MediumFiles,
  digest: Digest,
  size: number | undefined,
  reached: ReachedFiles,
): void {
  const path = blobPath(digest);
  const problem = toFileProblem(files, path, digest, size);
  if (problem) throw problem;
  const outcome = files.outcome(path)!;
  if ('identity' in outcome) reached.set(digest, outcome.identity);
}

/**
 * Finds a blob that is not whole on the medium, and checks its segments.
 *
 * @returns undefined when the medium does not say where the blob is
 * @throws the flaw of an unusable list; SVC-MED-002 for segments that overlap, leave a gap or exceed the blob, and for another size than the pinning
 *   document requires; SVC-MED-010 to SVC-MED-014 for a segment whose bytes are damaged
 */
export function findAway(
  files: MediumFiles,
  { digest, size }: { readonly digest: Digest; readonly size: number },
): Omit<AwayBlob, 'of'> | undefined {
  if (files.listFlaw) throw files.listFlaw;
  const absent = files.away?.absent.get(digest);
  const segments = files.away?.segments.get(digest) ?? [];
  if (absent === undefined && segments.length === 0) return undefined;
  if (absent !== undefined && absent.size !== size)
    throw toListError(
      absentListPath,
      rule(
        ['{digest} has {size} bytes, and not {listed}', fr`{digest} fait {size} octets, et non {listed}`],
        { digest, size, listed: absent.size },
      ),
    );
  let end = 0;
  for (const segment of segments) {
    const path = segmentPath(segment);
    const isAfterGap = segment.offset > end && absent === undefined;
    if (segment.offset < end || isAfterGap || segment.offset + segment.size > size || segment.size === 0)
      throw toListError(
        path,
        rule(
          [
            'the segments of a blob of {size} bytes overlap, leave a gap or exceed it',
            fr`les segments d’un blob de {size} octets se chevauchent, laissent un vide ou le dépassent`,
          ],
          { size },
        ),
      );
    end = segment.offset + segment.size;
    const problem = toFileProblem(files, path, segment.listed, segment.size);
    if (problem) throw problem;
  }
  if (absent === undefined && end !== size)
    throw toListError(
      segmentPath({ digest, offset: end }),
      rule(['the last segments of {digest} are missing', fr`il manque les derniers segments de {digest}`], {
        digest,
      }),
    );
  return { digest, size, at: absent?.at ?? 'here', segments };
}

const toListError = (path: string, detail: Rule): SvcError => svcError('SVC-MED-002', { path, detail });
