import { type Digest, digestAlgorithm, digestHex } from '../base/digest.ts';

/** The file of a digest, relative to the root, with `/`. */
export function toBlobPath(digest: Digest): string {
  return `blobs/${digestAlgorithm(digest)}/${digestHex(digest)}`;
}
