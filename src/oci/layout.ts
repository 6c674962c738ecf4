import { type Digest, digestAlgorithm, digestHex } from '../base/digest.ts';

/** What an OCI image layout is made of (OCI image layout specification); paths relative to its root, with `/`. */
export const layoutPath = 'oci-layout';
export const indexPath = 'index.json';
/** Content of the marker file, as every layout of ours has it. */
export const layoutText = '{"imageLayoutVersion":"1.0.0"}';

/** Where a blob lies. */
export function blobPath(digest: Digest): string {
  return `blobs/${digestAlgorithm(digest)}/${digestHex(digest)}`;
}
