import type { Digest } from '../base/digest.ts';

/**
 * Thrown when a manifest cannot be stored because required blobs are absent from the store or from its
 * repository.
 */
export class MissingBlobsError extends Error {
  override name = 'MissingBlobsError';
  readonly digests: readonly Digest[];

  constructor(digests: readonly Digest[]) {
    super('blobs are missing');
    this.digests = digests;
  }
}
