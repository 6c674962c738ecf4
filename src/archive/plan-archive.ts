import type { Digest } from '../base/digest.ts';
import { tarEnd, tarPadding, toTarHeader } from '../disk/tar/header.ts';
import { blobPath, indexPath, layoutPath, layoutText } from '../oci/layout.ts';
import type { LayoutContents } from './model.ts';

/** Position of a file in an archive, in bytes. */
export interface ArchivePlace {
  readonly digest: Digest;
  /** Offset of its header, after the padding of the previous file. */
  readonly at: number;
  /** Bytes of that padding. */
  readonly padding: number;
  /** Offset of the content; `size` is its length. */
  readonly offset: number;
  readonly size: number;
}

/** Positions of all bytes of an archive that is to be written. */
interface ArchivePlan {
  /** Marker and index with their headers, at the beginning of the archive. */
  readonly head: Buffer;
  readonly places: ReadonlyMap<Digest, ArchivePlace>;
  /** End of the archive, and its offset. */
  readonly tail: { readonly at: number; readonly bytes: Buffer };
  /** Bytes of the whole archive. */
  readonly size: number;
}

/** Plans a layout as an uncompressed tar archive. Pure: the same layout gives the same bytes. */
export function planArchive({ index, contents }: LayoutContents): ArchivePlan {
  const toFile = (path: string, bytes: Buffer): Buffer[] => [
    toTarHeader({ path, type: 'file', size: bytes.length }),
    bytes,
    Buffer.alloc(tarPadding(bytes.length)),
  ];
  const head = Buffer.concat([...toFile(layoutPath, Buffer.from(layoutText)), ...toFile(indexPath, index)]);
  const places = new Map<Digest, ArchivePlace>();
  let end = head.length;
  let padding = 0;
  for (const { digest, size } of contents) {
    const at = end + padding;
    const offset = at + toHeader(digest, size).length;
    places.set(digest, { digest, at, padding, offset, size });
    end = offset + size;
    padding = tarPadding(size);
  }
  const bytes = Buffer.concat([Buffer.alloc(padding), tarEnd]);
  return { head, places, tail: { at: end, bytes }, size: end + bytes.length };
}

/** Returns the bytes before the content of a file: the padding of the previous file, and its own header. */
export function toLead({ digest, size, padding }: ArchivePlace): Buffer {
  return Buffer.concat([Buffer.alloc(padding), toHeader(digest, size)]);
}

function toHeader(digest: Digest, size: number): Buffer {
  return toTarHeader({ path: blobPath(digest), type: 'file', size });
}
