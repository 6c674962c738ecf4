/** Positions and lengths of direct writes are multiples of this many bytes: no device in use has larger blocks. */
export const directAlignment = 4096;

/** Bytes from which a file is worth opening a second time, to be written past the kernel's cache. */
export const directLeast = 1 << 20;

/** Allocates page-aligned memory, as direct writes need: only a resizable buffer begins on a page. @param bytes length */
export function allocateAligned(bytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(bytes, { maxByteLength: bytes }), 0, bytes);
}
