import { X509Certificate } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { readNamed } from '../../disk/named-file.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { readBundle, splitPem } from './certificates.ts';
import type { Environment } from './environment.ts';

/** Paths of the trusted authorities in Linux distributions; the first that exists is used. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/ssl/cert.pem',
];
const mostFiles = 4096;
/** Bytes of a file of certificates. */
const largestFile = 16 << 20;

const readText = async (path: string): Promise<string> =>
  (await readNamed(path, largestFile)).toString('latin1');

async function readFirst(paths: readonly string[]): Promise<string> {
  for (const path of paths) {
    try {
      return await readText(path);
    } catch {
      // try the path of another distribution
    }
  }
  return '';
}

/** Contents of the files of a folder. Links of `openssl rehash` repeat certificates. */
async function readFolder(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const texts: string[] = [];
  for (const name of names.sort().slice(0, mostFiles))
    texts.push(await readText(join(folder, name)).catch(() => ''));
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

/** Result of the latest selection, by the whole text. */
let latest: { readonly text: string; readonly readable: readonly string[] } | undefined;

/**
 * Certificates that this runtime can read; the others are skipped, as other tools do. To read those of a machine takes
 * 20 ms of the event loop, and their files seldom change between two transports.
 */
function selectReadable(pems: readonly string[]): readonly string[] {
  const text = pems.join('\n');
  if (latest?.text !== text) latest = { text, readable: pems.filter(isReadable) };
  return latest.readable;
}

/**
 * Loads the public root store: the files in `SSL_CERT_FILE` and `SSL_CERT_DIR` (folders separated by `:`),
 * else the bundle of the system, else the one of Node.
 *
 * @returns PEM texts of one certificate each, without duplicates
 * @throws SVC-NET-002 where a variable names a file that cannot be read, or none contains a certificate
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
  const found = selectReadable([...new Set(texts.flatMap(splitPem))]);
  if (found.length > 0) return found;
  if (!isNamed) return rootCertificates;
  throw svcError('SVC-NET-002', {
    path: [certFile, certDir].filter((path) => path !== undefined).join(', '),
    detail: rule(['contains no PEM certificate', fr`ne contient aucun certificat PEM`]),
  });
}
