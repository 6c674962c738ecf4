import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import {
  type AbsentBlob,
  absentListPath,
  formatAbsentBlob,
  segmentPath,
} from '../../../src/store/rest/absent-list.ts';
import { type CarriedMedium, carry, type ManifestLine } from './carried-medium.ts';
import type { BuiltMedium } from './medium.ts';

export interface PartOptions {
  readonly delivery: { readonly id: string; readonly part: number; readonly parts: number };
  readonly base?: { readonly zone: string; readonly receipt: Digest; readonly sequence: number };
  /** Blobs that are left out, with their place. */
  readonly absent?: ReadonlyMap<Digest, AbsentBlob['at']>;
  /** Blobs that are cut: the ranges that this part has, each from its first byte to before its last. */
  readonly cut?: ReadonlyMap<Digest, readonly (readonly [from: number, to: number])[]>;
}

/** Makes one part of a delivery of a copy of a medium, as a writer of deliveries does. */
export async function carryPart(medium: BuiltMedium, options: PartOptions): Promise<CarriedMedium> {
  const part = await carry(medium);
  const absent: AbsentBlob[] = [];
  const segments: ManifestLine[] = [];
  for (const [digest, ranges] of options.cut ?? []) {
    const bytes = await readFile(part.blob(digest));
    for (const [from, to] of ranges) {
      const path = segmentPath({ digest, offset: from });
      const own = bytes.subarray(from, to);
      await mkdir(dirname(join(part.root, path)), { recursive: true });
      await writeFile(join(part.root, path), own);
      segments.push({ path, size: own.length, digest: hashBytes(own) });
    }
  }
  const gone = new Set([...(options.absent?.keys() ?? []), ...(options.cut?.keys() ?? [])]);
  for (const [digest, at] of options.absent ?? []) {
    const { length: size } = await readFile(part.blob(digest));
    absent.push({ digest, size, at });
  }
  for (const digest of gone) await rm(part.blob(digest));
  absent.sort((a, b) => (a.digest < b.digest ? -1 : 1));
  const list = absent.map(formatAbsentBlob).join('');
  if (absent.length > 0) await writeFile(join(part.root, absentListPath), list);
  const { delivery, base } = options;
  await part.editManifest((header, lines) => {
    header.mediaFormat = 2;
    header.delivery = delivery;
    if (base) header.base = base;
    const paths = new Set([...gone].map((digest) => `blobs/${digest.replace(':', '/')}`));
    const own = {
      path: absentListPath,
      size: Buffer.byteLength(list),
      digest: `sha256:${createHash('sha256').update(list).digest('hex')}` as Digest,
    };
    return [
      ...lines.filter(({ path }) => !paths.has(path)),
      ...segments,
      ...(absent.length > 0 ? [own] : []),
    ].sort((a, b) => (a.path < b.path ? -1 : 1));
  });
  return part;
}
