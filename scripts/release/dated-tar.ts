import { type TarEntry, tarBlockBytes, tarEnd, tarPadding, toTarHeader } from '../../src/disk/tar/header.ts';

/** An entry of an archive with its content. */
export interface DatedEntry extends Pick<TarEntry, 'path' | 'mode' | 'target'> {
  readonly type: TarEntry['type'];
  /** Content of a file; empty for other types. */
  readonly bytes: Buffer;
}

/**
 * Formats a tar archive whose entries belong to root and have one time. The same entries give the same bytes.
 *
 * @param seconds time of every entry, since 1970
 */
export function toDatedTar(entries: readonly DatedEntry[], seconds: number): Buffer {
  const parts = entries.flatMap(({ bytes, ...entry }) => [
    date(toTarHeader({ ...entry, size: bytes.length }), seconds),
    bytes,
    Buffer.alloc(tarPadding(bytes.length)),
  ]);
  return Buffer.concat([...parts, tarEnd]);
}

/** Sets owner names and time in the last block of a header (POSIX.1-2001, "ustar Interchange Format"). */
function date(header: Buffer, seconds: number): Buffer {
  const block = header.subarray(header.length - tarBlockBytes);
  block.write(seconds.toString(8).padStart(11, '0'), 136);
  for (const at of [265, 297]) block.write('root\0', at);
  // the checksum is that of a block whose checksum is blank
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
