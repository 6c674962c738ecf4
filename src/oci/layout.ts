import { type Digest, digestAlgorithm, digestHex } from '../base/digest.ts';

/** Files of an OCI image layout (OCI image layout specification); paths relative to its root, with `/`. */
export const layoutPath = 'oci-layout';
export const indexPath = 'index.json';
/** Content of the marker file in every layout that this product writes. */
export const layoutText = '{"imageLayoutVersion":"1.0.0"}';

export function blobPath(digest: Digest): string {
  return `blobs/${digestAlgorithm(digest)}/${digestHex(digest)}`;
}
