import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** A certificate chain and its key, both PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** Description of the served certificate. Times are RFC 3339 UTC. */
export interface CertificateDescription {
  readonly selfSigned: boolean;
  readonly source: 'configured' | 'adopted' | 'generated';
  /** SHA-256 of the DER, lower-case hex in pairs. */
  readonly fingerprintSha256: string;
  readonly subject: string;
  readonly issuer: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly notBefore: string;
  readonly notAfter: string;
}

/**
 * Checks that a pair can be served: both parts parse, the key is that of the first certificate, and the runtime accepts
 * them.
 *
 * @throws Error with the reason
 */
export function checkTlsPair(pair: TlsPair): void {
  const certificate = new X509Certificate(pair.cert);
  const key = createPrivateKey(pair.key);
  if (!certificate.checkPrivateKey(key)) throw new Error('the key does not belong to the certificate');
  createSecureContext({ cert: pair.cert, key: pair.key });
}

function namesOf(certificate: X509Certificate): { dnsNames: string[]; ipAddresses: string[] } {
  const dnsNames: string[] = [];
  const ipAddresses: string[] = [];
  for (const part of certificate.subjectAltName?.split(', ') ?? []) {
    if (part.startsWith('DNS:')) dnsNames.push(part.slice(4));
    else if (part.startsWith('IP Address:')) ipAddresses.push(part.slice(11).toLowerCase());
  }
  return { dnsNames, ipAddresses };
}

/** Describes the first certificate of a pair. @throws the error of the parser */
export function describeCertificate(
  pair: TlsPair,
  source: CertificateDescription['source'],
): CertificateDescription {
  const certificate = new X509Certificate(pair.cert);
  return {
    selfSigned: certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey),
    source,
    fingerprintSha256: certificate.fingerprint256.toLowerCase(),
    subject: certificate.subject.replaceAll('\n', ', '),
    issuer: certificate.issuer.replaceAll('\n', ', '),
    ...namesOf(certificate),
    notBefore: new Date(certificate.validFrom).toISOString(),
    notAfter: new Date(certificate.validTo).toISOString(),
  };
}
