import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { svcError } from '../base/error.ts';

const limit = 16 * 1024 * 1024;

function check(pem: string, path: string): string {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw svcError('SVC-NET-002', { path, detail: 'holds no PEM certificate' });
  for (const block of blocks) {
    try {
      new X509Certificate(block);
    } catch (error) {
      throw svcError('SVC-NET-002', { path, detail: 'a certificate cannot be read' }, { cause: error });
    }
  }
  return pem;
}

/**
 * Reads extra trust anchors and makes sure that every certificate in them can be used.
 *
 * @returns PEM texts
 * @throws SVC-NET-002
 */
export async function loadCertificates(options: {
  readonly caFiles?: readonly string[] | undefined;
  /** An inline PEM bundle. */
  readonly ca?: string | undefined;
}): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const path of options.caFiles ?? []) {
    let bytes: Buffer;
    try {
      bytes = await readFile(path);
    } catch (error) {
      throw svcError('SVC-NET-002', { path, detail: 'cannot be read' }, { cause: error });
    }
    if (bytes.length > limit) throw svcError('SVC-NET-002', { path, detail: `larger than ${limit} bytes` });
    texts.push(check(bytes.toString('latin1'), path));
  }
  if (options.ca !== undefined && options.ca !== '') texts.push(check(options.ca, 'network.tls.ca'));
  return texts;
}
