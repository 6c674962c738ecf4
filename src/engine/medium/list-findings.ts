import { join } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import { absentListPath, parseSegmentPath } from '../../store/rest/absent-list.ts';
import { isProgramPath } from '../../store/rest/carried-program.ts';
import type { MediumEntry } from '../../store/rest/media-manifest.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { Listing } from './inventory.ts';
import { toBlobDigest } from './inventory.ts';
import { type MediumFiles, toFileProblem } from './judge-file.ts';

/** Files of a medium beside its content. `README.txt` of a written medium is for people. */
const plainFiles: ReadonlySet<string> = new Set(['oci-layout', 'index.json', 'README.txt', absentListPath]);

/**
 * Lists findings about the files of a medium, most severe first: damaged listed files, unlisted paths, and intact
 * content that no cleared recipe reaches. No such content is served or pushed. A step for each entry: a medium lists millions.
 */
export function* listFindings(
  entries: ReadonlyMap<string, MediumEntry>,
  { extraneous, nested }: Listing,
  files: MediumFiles,
  reached: ReadonlySet<Digest>,
): Generator<SvcError | undefined> {
  const isPlain = (path: string): boolean =>
    plainFiles.has(path) ||
    isProgramPath(path) ||
    ((files.away ?? files.listFlaw) !== undefined && parseSegmentPath(path) !== undefined);
  for (const [path, entry] of entries) {
    if (path.startsWith('ledger/')) continue;
    const digest = toBlobDigest(path);
    if (!digest && !isPlain(path)) yield svcError('SVC-MED-015', { path });
    else yield toFileProblem(files, path, digest ?? entry.digest, entry.size);
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
    const isUnreached =
      digest !== undefined &&
      !reached.has(digest) &&
      !toFileProblem(files, path, blob ?? entry.digest, entry.size);
    yield isUnreached ? svcError('SVC-MED-021', { path }) : undefined;
  }
}

/** Yields SVC-MED-022 when the list of absent blobs names some that no recipe needs. @param reached of all recipes */
export function* listNeedless({ away }: MediumFiles, reached: ReadonlySet<Digest>): Generator<SvcError> {
  const needless = [...(away?.absent.keys() ?? [])].filter((digest) => !reached.has(digest)).length;
  if (needless === 0) return;
  const detail = rule(
    ['no recipe needs {count} of its blobs', fr`aucune recette n’a besoin de {count} de ses blobs`],
    { count: needless },
  );
  yield svcError('SVC-MED-022', { path: absentListPath, detail });
}
