import { X509Certificate } from 'node:crypto';
import { readNamed } from '../../disk/named-file.ts';
import { toUnreadable } from '../../disk/named-file-error.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';

const limit = 16 * 1024 * 1024;

const beginning = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/g;
const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** The fault in the form of a bundle that makes OpenSSL skip certificates silently, if any. */
function findFault(bytes: Buffer): Rule | undefined {
  const mark = bytes.toString('hex', 0, 3);
  if (mark === 'efbbbf')
    return rule([
      'begins with a byte order mark: save it as plain ASCII',
      fr`commence par une marque d’ordre des octets ; enregistrez-le en ASCII`,
    ]);
  if (/^(?:fffe|feff)/.test(mark))
    return rule([
      'is written in UTF-16: save it as plain ASCII',
      fr`est en UTF-16 ; enregistrez-le en ASCII`,
    ]);
  const text = bytes.toString('latin1');
  if (/^[ \t]+-----BEGIN /m.test(text))
    return rule([
      'its lines are indented: PEM begins in the first column',
      fr`ses lignes sont indentées ; PEM commence à la première colonne`,
    ]);
  return undefined;
}

/** The PEM certificates in a text. Their content is not checked. */
export function splitPem(text: string): readonly string[] {
  return text.match(block) ?? [];
}

/**
 * Parses a PEM bundle.
 *
 * @param path names it in errors
 * @returns one PEM text for each certificate: a reader of bundles may skip certificates with unusual line
 *   breaks
 * @throws SVC-NET-002 when it contains none, or one that cannot be read
 */
function parseBundle(bytes: Buffer, path: string): readonly string[] {
  const unusable = (detail: Rule, cause?: unknown) =>
    svcError('SVC-NET-002', { path, detail }, cause === undefined ? {} : { cause });
  const fault = findFault(bytes);
  if (fault !== undefined) throw unusable(fault);
  const text = bytes.toString('latin1');
  const blocks = splitPem(text);
  const begun = text.match(beginning)?.length ?? 0;
  if (begun === 0)
    throw unusable(rule(['contains no PEM certificate', fr`ne contient aucun certificat PEM`]));
  if (begun !== blocks.length)
    throw unusable(
      rule(
        [
          '{begun} certificates begin in it and only {count} can be read',
          fr`{begun} certificats y commencent et seuls {count} sont lisibles`,
        ],
        { begun, count: blocks.length },
      ),
    );
  return blocks.map((pem, index) => {
    try {
      return new X509Certificate(pem).toString();
    } catch (error) {
      throw unusable(
        rule(
          [
            'certificate {position} of {count} cannot be read',
            fr`le certificat {position} sur {count} est illisible`,
          ],
          { position: index + 1, count: blocks.length },
        ),
        error,
      );
    }
  });
}

/**
 * Reads additional trust anchors and verifies that every certificate in them can be used.
 *
 * @returns PEM texts of one certificate each
 * @throws SVC-NET-002
 */
export async function loadCertificates(options: {
  readonly caFiles?: readonly string[] | undefined;
  /** An inline PEM bundle. */
  readonly ca?: string | undefined;
}): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of options.caFiles ?? []) found.push(...parseBundle(await readBundle(path), path));
  if (options.ca !== undefined && options.ca !== '')
    found.push(...parseBundle(Buffer.from(options.ca), 'network.tls.ca'));
  return found;
}

/** Reads a file of at most 16 MiB. @throws SVC-NET-002 */
export async function readBundle(path: string): Promise<Buffer> {
  try {
    return await readNamed(path, limit);
  } catch (error) {
    throw svcError('SVC-NET-002', { path, detail: toUnreadable(error) }, { cause: error });
  }
}
