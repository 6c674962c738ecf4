import { svcError } from '../../src/base/error.ts';
import {
  type CertificateDescription,
  checkTlsPair,
  describeCertificate,
  type TlsPair,
} from '../../src/certificate/tls-pair.ts';

/**
 * Shows what a new pair of the listener is, without changing anything.
 *
 * @throws SVC-NET-004 when the pair does not parse, or the key is not that of the certificate
 */
export function showCertificatePreview(pair: TlsPair): CertificateDescription {
  try {
    checkTlsPair(pair);
    return describeCertificate(pair, 'adopted');
  } catch (cause) {
    throw svcError('SVC-NET-004', {}, { cause });
  }
}
