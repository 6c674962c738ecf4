/** Positions and lengths of direct writes are multiples of this many bytes: no device in use has larger blocks. */
export const directAlignment = 4096;

/** Bytes from which a file is worth opening a second time, to be written past the kernel's cache. */
export const directLeast = 1 << 20;

/** Allocates page-aligned memory, as direct writes need: only a resizable buffer begins on a page. @param bytes length */
export function allocateAligned(bytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(bytes, { maxByteLength: bytes }), 0, bytes);
}

/** As `allocateAligned`, in memory that threads share. */
export function allocateSharedAligned(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes, { maxByteLength: bytes });
}

/** Returns whether a chunk is a part of shared aligned memory that can be written directly, without a copy. */
export function isSharedAligned({ buffer, byteOffset, length }: Buffer): boolean {
  return (
    length > 0 &&
    length % directAlignment === 0 &&
    byteOffset % directAlignment === 0 &&
    (buffer as ArrayBufferLike) instanceof SharedArrayBuffer &&
    (buffer as unknown as SharedArrayBuffer).growable
  );
}
