import { ManifestError } from '../../oci/manifest.ts';
import { MissingBlobsError } from '../../store/missing-blobs.ts';
import { type SvcError, svcError, toSvcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { toManifestError } from './read-manifest.ts';

/** Converts the store's refusal of a manifest to the error of the transfer. */
export function toTransferError(error: unknown, reference: string): SvcError {
  if (error instanceof MissingBlobsError)
    return svcError('SVC-REG-007', {
      reference,
      detail: rule(['lacks {digests}', fr`il manque {digests}`], {
        digests: error.digests.slice(0, 3).join(', '),
      }),
    });
  if (error instanceof ManifestError) return toManifestError(error, reference);
  return toSvcError(error);
}
