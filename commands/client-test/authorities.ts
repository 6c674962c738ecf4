import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../src/config/model.ts';

/** Loads the authorities of the system and those of the network settings. @throws SVC-NET-002 */
export async function loadAuthorities(
  { network: { tls } }: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly roots: readonly string[]; readonly ca: readonly string[] }> {
  const { loadCertificates } = await import('../../src/remote/transport/certificates.ts');
  const { loadSystemRoots } = await import('../../src/remote/transport/system-roots.ts');
  const { toEnvironment: toTransportEnvironment } = await import('../../src/remote/transport/environment.ts');
  const ca = await loadCertificates({ caFiles: tls.caFiles, ca: tls.ca });
  return { ca, roots: tls.exclusiveTrust ? [] : await loadSystemRoots(toTransportEnvironment(env)) };
}

/**
 * Writes the authorities of the network settings for the clients, with those that the caller's environment names: a client
 * reads one file.
 *
 * @throws SVC-NET-002
 */
export async function writeAuthorities(
  { network: { tls } }: Config,
  { SSL_CERT_FILE: named }: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const { loadCertificates, readBundle } = await import('../../src/remote/transport/certificates.ts');
  const extra = await loadCertificates({ caFiles: tls.caFiles, ca: tls.ca });
  if (extra.length === 0) return {};
  const others = named ? [await readBundle(named)] : [];
  const path = join(folder, 'authorities.pem');
  await writeFile(path, [...others, ...extra].join('\n'));
  return { SSL_CERT_FILE: path };
}
