import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Certificate } from '../contract/access.ts';
import { fr } from '../text/language.ts';
import { RuleError, rule } from '../text/rule.ts';

/** A certificate chain and its key, both PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** Thrown for a certificate or a key that cannot be served, with the rule that it breaks. */
export class PairError extends RuleError {}

/** Most bytes of DER in a chain: clients refuse a larger handshake, OpenSSL at 100 KiB. */
const largestChain = 64 << 10;

/**
 * Reads a pair that can be served from PEM texts that may contain more, such as a certificate and its key in one file.
 * Only the certificates of the one and the private key of the other are used: anybody may see the chain.
 *
 * @returns the parts that were taken
 * @throws PairError when a part is not PEM, the key is encrypted or not that of the first certificate, or the chain is
 *   larger than clients accept; an error of the runtime, which refuses the pair
 */
export function readTlsPair(texts: TlsPair): TlsPair {
  const chain = blocksOf(texts.cert, 'CERTIFICATE');
  if (chain.length === 0)
    throw new PairError(rule(['the certificate is not PEM', fr`le certificat n’est pas du PEM`]));
  const bytes = chain.reduce((sum, block) => sum + new X509Certificate(block).raw.length, 0);
  if (bytes > largestChain) {
    throw new PairError(
      rule(
        [
          'the chain has {count} certificates of {bytes} bytes; clients refuse more than {largest}: give only those from the certificate up to its authority',
          fr`la chaîne a {count} certificats de {bytes} octets en tout ; les clients refusent plus de {largest} octets : ne donnez que ceux qui vont du certificat à son autorité`,
        ],
        { count: chain.length, bytes, largest: largestChain },
      ),
    );
  }
  const pair = { cert: chain.join(''), key: readKey(texts.key) };
  if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)))
    throw new PairError(
      rule(['the key does not belong to the certificate', fr`la clé ne correspond pas au certificat`]),
    );
  createSecureContext(pair);
  return pair;
}

/** @throws PairError when a text has no private key, or one that needs a password */
function readKey(text: string): string {
  const [key] = blocksOf(text, '[A-Z ]*PRIVATE KEY');
  if (key === undefined) throw new PairError(rule(['the key is not PEM', fr`la clé n’est pas du PEM`]));
  if (/ENCRYPTED/.test(key))
    throw new PairError(
      rule([
        'the key is encrypted: remove its password first',
        fr`la clé est chiffrée : retirez d’abord son mot de passe`,
      ]),
    );
  return key;
}

/** The blocks of a text that have a label, each with a line break at its end (RFC 7468, section 2). */
function blocksOf(text: string, label: string): readonly string[] {
  const blocks = text.matchAll(new RegExp(`-----BEGIN (${label})-----[^-]*-----END \\1-----`, 'g'));
  return Array.from(blocks, ([block]) => `${block}\n`);
}

/**
 * Requires that each further certificate of a chain has issued another one in the chain.
 *
 * @throws PairError that names the first certificate which has not
 */
export function requireChain({ cert }: TlsPair): void {
  const chain = blocksOf(cert, 'CERTIFICATE').map((block) => new X509Certificate(block));
  const stranger = chain.find(
    (one, i) => i > 0 && !chain.some((other, k) => k !== i && other.checkIssued(one)),
  );
  if (stranger !== undefined)
    throw new PairError(
      rule(
        [
          'the chain contains a certificate that issued none of it: {subject}',
          fr`la chaîne contient un certificat qui n’en a émis aucun autre : {subject}`,
        ],
        { subject: stranger.subject.replaceAll('\n', ', ') },
      ),
    );
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

/** Whether a certificate is valid at a time. @param now milliseconds since the epoch */
export function validityOf(
  { notBefore, notAfter }: Pick<Certificate, 'notBefore' | 'notAfter'>,
  now: number,
): 'early' | 'valid' | 'expired' {
  if (now < Date.parse(notBefore)) return 'early';
  return now > Date.parse(notAfter) ? 'expired' : 'valid';
}

/** Describes the first certificate of a pair. @throws the error of the parser */
export function describeCertificate(pair: TlsPair, source: Certificate['source']): Certificate {
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
