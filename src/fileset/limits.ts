/** Limits of file sets that are served. */
export const filesetLimits = {
  /** Entries of all layers together, extended headers included. */
  entries: 4_000_000,
  /** Names in a path. */
  depth: 64,
  /** Bytes of a path, and of the target of a link: the limit of a system call. */
  pathBytes: 4096,
  /** Bytes of one extended header or long name. */
  extensionBytes: 1 << 20,
  /** Bytes of a compressed layer after unpacking. */
  unpackedBytes: 2 ** 40,
  /** Maximum ratio of the unpacked to the compressed size of a layer. */
  ratio: 200,
  /** Bytes up to which the ratio is not applied: an empty archive is mostly padding. */
  ratioFloor: 1 << 20,
  /** Bytes of a zstd stream for each of its frames: less than the frame of one empty file of an archive. */
  frameBytes: 56,
  /** Frames that any zstd stream may have. */
  framesFloor: 1000,
  /** Logarithm (base 2) of the window of a zstd stream in bytes. */
  zstdWindowLog: 27,
  /** Links followed for one name. */
  links: 40,
  /** Names visited, for each header, by all walks through links of an image: more than path and target have together. */
  walkedNames: 192,
  /** Names that an image may visit in addition. */
  walkedNamesFloor: 10_000,
} as const;
