import { join } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import { absentListPath, parseSegmentPath } from '../../store/rest/absent-list.ts';
import type { MediumEntry } from '../../store/rest/media-manifest.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import type { Listing } from './inventory.ts';
import { toBlobDigest } from './inventory.ts';
import { type MediumFiles, toFileProblem } from './judge-file.ts';

/** Files of a medium beside its content. `README.txt` of a written medium is for people. */
const plainFiles: ReadonlySet<string> = new Set(['oci-layout', 'index.json', 'README.txt', absentListPath]);

/**
 * Lists findings about the files of a medium, most severe first: damaged listed files, unlisted paths, and intact
 * content that no cleared recipe reaches. No such content is served or pushed.
 */
export function* listFindings(
  entries: ReadonlyMap<string, MediumEntry>,
  { extraneous, nested }: Listing,
  files: MediumFiles,
  reached: ReadonlySet<Digest>,
): Generator<SvcError> {
  const isSegment = (path: string): boolean =>
    files.away !== undefined && parseSegmentPath(path) !== undefined;
  for (const [path, entry] of entries) {
    if (path.startsWith('ledger/')) continue;
    const digest = toBlobDigest(path);
    if (!digest && !plainFiles.has(path) && !isSegment(path)) yield svcError('SVC-MED-015', { path });
    else {
      const problem = toFileProblem(files, path, digest ?? entry.digest, entry.size);
      if (problem) yield problem;
    }
  }
  for (const path of extraneous)
    yield svcError('SVC-MED-020', {
      path,
      // an earlier copy into the same folder leaves blobs
      form: toBlobDigest(path) && 'blob',
      nested: nested.has(path) ? join(files.root, path) : undefined,
    });
  for (const [path, entry] of entries) {
    const blob = toBlobDigest(path);
    const digest = blob ?? parseSegmentPath(path)?.digest;
    if (!digest || reached.has(digest)) continue;
    if (!toFileProblem(files, path, blob ?? entry.digest, entry.size))
      yield svcError('SVC-MED-021', { path });
  }
}
