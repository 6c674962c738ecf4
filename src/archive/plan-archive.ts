import type { Digest } from '../base/digest.ts';
import { tarEnd, tarPadding, toTarHeader } from '../disk/tar-header.ts';
import { blobPath, indexPath, layoutPath, layoutText } from '../oci/layout.ts';
import type { LayoutContents } from './model.ts';

/** Where a file of an archive lies. */
export interface ArchivePlace {
  readonly digest: Digest;
  /** Where its header begins, after the padding of the file before. */
  readonly at: number;
  /** Bytes of that padding. */
  readonly padding: number;
  /** Position of the content, and its bytes. */
  readonly offset: number;
  readonly size: number;
}

/** An archive before it is written: where every byte goes. */
export interface ArchivePlan {
  /** Marker and index, with their headers: the archive begins with them. */
  readonly head: Buffer;
  readonly places: ReadonlyMap<Digest, ArchivePlace>;
  /** What ends the archive, and where. */
  readonly tail: { readonly at: number; readonly bytes: Buffer };
  /** Bytes of the whole archive. */
  readonly size: number;
}

/** Lays a layout out as an uncompressed tar archive. Pure: the same layout is the same bytes. */
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

/** What stands before the content of a file: the padding of the one before, and its own header. */
export function toLead({ digest, size, padding }: ArchivePlace): Buffer {
  return Buffer.concat([Buffer.alloc(padding), toHeader(digest, size)]);
}

function toHeader(digest: Digest, size: number): Buffer {
  return toTarHeader({ path: blobPath(digest), type: 'file', size });
}
