import type { Digest } from '../base/digest.ts';
import { fr } from '../text/language.ts';
import { RuleError, rule } from '../text/rule.ts';

/**
 * Thrown when a manifest cannot be stored because required blobs are absent from the store or from its
 * repository.
 */
export class MissingBlobsError extends RuleError {
  override name = 'MissingBlobsError';
  readonly digests: readonly Digest[];

  constructor(digests: readonly Digest[]) {
    super(rule(['blobs are missing', fr`des blobs manquent`]));
    this.digests = digests;
  }
}
