import { KeyError, parsePublicKey, toFingerprint } from '../attest/public-key.ts';
import { requestBody } from '../base/require-absolute.ts';
import { svcError } from '../text/error.ts';
import type { TrustPolicy } from './model.ts';

/** The keys of a zone as its policy. @throws SVC-VAL-001 */
export function toPolicy(pems: readonly string[]): TrustPolicy {
  const roots = pems.map((pem, i) => {
    try {
      const key = parsePublicKey(pem);
      return { name: `trustRoots/${i}`, key, fingerprint: toFingerprint(key) };
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
      throw svcError(
        'SVC-VAL-001',
        {
          file: requestBody,
          path: `/trustRoots/${i}`,
          rule: error.rule,
        },
        { cause: error },
      );
    }
  });
  return { roots, scopes: [], missing: [] };
}
