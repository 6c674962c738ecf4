import { X509Certificate } from 'node:crypto';
import { readNamed } from '../../disk/named-file.ts';
import { toUnreadable } from '../../disk/named-file-error.ts';
import { svcError } from '../../text/error.ts';

const limit = 16 * 1024 * 1024;

const beginning = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/g;
const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** The fault in the form of a bundle that makes OpenSSL skip certificates silently, if any. */
function findFault(bytes: Buffer): string | undefined {
  const mark = bytes.toString('hex', 0, 3);
  if (mark === 'efbbbf') return 'begins with a byte order mark: save it as plain ASCII';
  if (/^(?:fffe|feff)/.test(mark)) return 'is written in UTF-16: save it as plain ASCII';
  const text = bytes.toString('latin1');
  if (/^[ \t]+-----BEGIN /m.test(text)) return 'its lines are indented: PEM begins in the first column';
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
  const unusable = (detail: string, cause?: unknown) =>
    svcError('SVC-NET-002', { path, detail }, cause === undefined ? {} : { cause });
  const fault = findFault(bytes);
  if (fault !== undefined) throw unusable(fault);
  const text = bytes.toString('latin1');
  const blocks = splitPem(text);
  const begun = text.match(beginning)?.length ?? 0;
  if (begun === 0) throw unusable('contains no PEM certificate');
  if (begun !== blocks.length)
    throw unusable(`${begun} certificates begin in it and only ${blocks.length} can be read`);
  return blocks.map((pem, index) => {
    try {
      return new X509Certificate(pem).toString();
    } catch (error) {
      throw unusable(`certificate ${index + 1} of ${blocks.length} cannot be read`, error);
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
