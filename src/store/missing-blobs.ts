import type { Digest } from '../base/digest.ts';

/** A manifest that cannot be stored because blobs that it needs are not there (or not in that repository). */
export class MissingBlobsError extends Error {
  override name = 'MissingBlobsError';
  readonly digests: readonly Digest[];

  constructor(digests: readonly Digest[]) {
    super('blobs are missing');
    this.digests = digests;
  }
}
