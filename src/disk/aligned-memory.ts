/** Positions and lengths of direct writes are multiples of it: no device in use has larger blocks. */
export const directAlignment = 4096;

/** Bytes from which on a file is worth opening once more, to be written past the kernel's cache. */
export const directLeast = 1 << 20;

/** Memory that begins on a page, as direct writes want it: that of a resizable buffer does, any other's does not. @param bytes length */
export function allocateAligned(bytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(bytes, { maxByteLength: bytes }), 0, bytes);
}
