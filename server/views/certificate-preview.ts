import {
  describeCertificate,
  readTlsPair,
  requireChain,
  type TlsPair,
} from '../../src/certificate/tls-pair.ts';
import type { Certificate } from '../../src/contract/access.ts';
import { svcError } from '../../src/text/error.ts';

/**
 * Describes a new pair of the listener, without changing anything.
 *
 * @throws SVC-NET-004 when the pair does not parse, the key is not that of the certificate, or the chain is not its own
 */
export function showCertificatePreview(texts: TlsPair): Certificate {
  try {
    const pair = readTlsPair(texts);
    requireChain(pair);
    return describeCertificate(pair, 'adopted');
  } catch (cause) {
    throw svcError('SVC-NET-004', {}, { cause });
  }
}
