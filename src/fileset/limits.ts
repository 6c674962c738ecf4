/** Bounds of the file sets that are served. */
export const filesetLimits = {
  /** Entries of all layers together, extended headers included. */
  entries: 4_000_000,
  /** Names in a path. */
  depth: 64,
  /** Bytes of a path, and of where a link leads: as much as a system call takes. */
  pathBytes: 4096,
  /** Bytes of one extended header or long name. */
  extensionBytes: 1 << 20,
  /** Bytes of a compressed layer once unpacked. */
  unpackedBytes: 2 ** 40,
  /** How many times its own size a compressed layer may grow. */
  ratio: 200,
  /** Up to here a layer may grow however small it is: an empty archive is mostly padding. */
  ratioFloor: 1 << 20,
  /** Logarithm of the bytes that a zstd stream may refer back to. */
  zstdWindowLog: 27,
  /** Links that are followed for one name. */
  links: 40,
} as const;
