import { X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { svcError } from '../../base/error.ts';
import { readBundle, splitPem } from './certificates.ts';
import type { Environment } from './environment.ts';

/** Where the distributions of Linux keep the bundle of the authorities that they trust; the first one found counts. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/ssl/cert.pem',
];
const mostFiles = 4096;

async function readFirst(paths: readonly string[]): Promise<string> {
  for (const path of paths) {
    try {
      return await readFile(path, 'latin1');
    } catch {
      // another distribution
    }
  }
  return '';
}

/** The files of a folder whose links by hash (`openssl rehash`) lead to the same certificates again. */
async function readFolder(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const texts: string[] = [];
  for (const name of names.sort().slice(0, mostFiles))
    texts.push(await readFile(join(folder, name), 'latin1').catch(() => ''));
  return texts;
}

function isReadable(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

/**
 * The public root store: what `SSL_CERT_FILE` and `SSL_CERT_DIR` (folders separated by `:`) name, else the bundle of the
 * system, else the one that comes with Node.
 *
 * @returns PEM texts of one certificate each, no certificate twice
 * @throws SVC-NET-002 where what a variable names cannot be read or holds no certificate
 */
export async function loadSystemRoots(
  environment: Pick<Environment, 'certFile' | 'certDir'>,
): Promise<readonly string[]> {
  const { certFile, certDir } = environment;
  const texts: string[] = [];
  if (certFile !== undefined) texts.push((await readBundle(certFile)).toString('latin1'));
  for (const folder of certDir?.split(':') ?? [])
    if (folder !== '') texts.push(...(await readFolder(folder)));
  const isNamed = certFile !== undefined || certDir !== undefined;
  if (!isNamed) texts.push(await readFirst(bundles));
  // a system's bundle may hold what this runtime cannot read: its tools pass over that too
  const found = [...new Set(texts.flatMap(splitPem))].filter(isReadable);
  if (found.length > 0) return found;
  if (!isNamed) return rootCertificates;
  throw svcError('SVC-NET-002', {
    path: [certFile, certDir].filter((path) => path !== undefined).join(', '),
    detail: 'holds no PEM certificate',
  });
}
