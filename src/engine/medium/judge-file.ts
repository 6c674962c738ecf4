import type { Digest } from '../../base/digest.ts';
import type { FileIdentity, HashOutcome } from '../../disk/threads/hash-file.ts';
import { blobPath } from '../../oci/layout.ts';
import { type SvcError, svcError } from '../../text/error.ts';

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
