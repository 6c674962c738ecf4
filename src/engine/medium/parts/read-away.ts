import { createHash } from 'node:crypto';
import { type Digest, digestAlgorithm, toDigest } from '../../../base/digest.ts';
import { toReadError } from '../../../disk/read-error.ts';
import { blobPath } from '../../../oci/layout.ts';
import {
  type AbsentBlob,
  absentListLimits,
  absentListPath,
  parseAbsentList,
  parseSegmentPath,
} from '../../../store/rest/absent-list.ts';
import { toUnreadable } from '../../../store/rest/json-lines.ts';
import { type MediumEntry, type MediumHeader, mediaFormats } from '../../../store/rest/media-manifest.ts';
import { svcError } from '../../../text/error.ts';
import { fr } from '../../../text/language.ts';
import { rule } from '../../../text/rule.ts';
import { type AwayBlobs, type MediumFiles, type SegmentFile, toFileProblem } from '../judge-file.ts';
import { openSizedFile } from '../read-file.ts';

/**
 * Reads which blobs a medium of format 2 lacks, from its hashed list, and which of them are here in segments.
 *
 * @returns undefined for a medium of format 1
 * @throws SVC-MED-002 for a list that cannot be used, or that names a blob of the medium; SVC-MED-010 to SVC-MED-014 for
 *   a list that is damaged; SVC-STO-014, SVC-STO-001 when this user cannot read it
 */
export async function readAway(
  files: MediumFiles,
  header: MediumHeader,
  entries: ReadonlyMap<string, MediumEntry>,
): Promise<AwayBlobs | undefined> {
  if (header.mediaFormat === mediaFormats.whole) return undefined;
  const absent = await readAbsentList(files, header);
  for (const digest of absent.keys()) {
    if (files.listed(blobPath(digest)) === undefined) continue;
    const detail = rule(['{digest} is on the medium', fr`{digest} est sur le support`], { digest });
    throw toUnreadable(absentListPath, detail, { mediaId: header.mediaId });
  }
  const segments = new Map<Digest, SegmentFile[]>();
  for (const { path, size, digest: listed } of entries.values()) {
    const segment = parseSegmentPath(path);
    if (segment === undefined) continue;
    const others = segments.get(segment.digest);
    const file = { ...segment, size, listed };
    if (others === undefined) segments.set(segment.digest, [file]);
    else others.push(file);
  }
  for (const list of segments.values()) list.sort((a, b) => a.offset - b.offset);
  return { absent, segments };
}

async function readAbsentList(
  files: MediumFiles,
  header: MediumHeader,
): Promise<ReadonlyMap<Digest, AbsentBlob>> {
  const entry = files.listed(absentListPath);
  // all that is not whole is here in segments
  if (entry === undefined) return new Map();
  const problem = toFileProblem(files, absentListPath, entry.digest, entry.size);
  if (problem) throw problem;
  const { bytes: limit } = absentListLimits;
  if (entry.size > limit)
    throw toUnreadable(
      absentListPath,
      rule(['larger than {limit} bytes', fr`plus de {limit} octets`], { limit }),
      { mediaId: header.mediaId },
    );
  const algorithm = digestAlgorithm(entry.digest);
  const hash = createHash(algorithm);
  const list = await openSizedFile(files.root, absentListPath, entry.size);
  const absent = await parseAbsentList(hashed(list, hash), header);
  const actual = toDigest(algorithm, hash);
  if (actual !== entry.digest)
    throw svcError('SVC-MED-012', { path: absentListPath, expected: entry.digest, actual });
  return absent;
}

async function* hashed(
  chunks: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw toReadError(error, absentListPath);
  }
}
