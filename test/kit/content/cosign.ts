import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientHome } from '../program/client-home.ts';
import type { RegistryAccount } from '../program/credentials-file.ts';
import type { SignatureLayout } from './signer.ts';

/** The real cosign with one key pair, offline: no transparency log, no signing configuration. */
export interface Cosign {
  /** PEM. */
  readonly publicKey: string;
  login(host: string, account: RegistryAccount): Promise<void>;
  /** Signs `<host>/<repository>@<digest>`; recursive: an index and every image that it lists. */
  sign(reference: string, layout: SignatureLayout, options?: { readonly recursive?: boolean }): Promise<void>;
  /** Whether cosign itself accepts a signature of this layout there. */
  verifies(reference: string, layout: SignatureLayout): Promise<boolean>;
}

const layoutFlag = (layout: SignatureLayout): string => `--new-bundle-format=${layout === 'bundle'}`;

/** Makes a key pair of its own below the client's home. */
export async function openCosign(program: string, home: ClientHome, name: string): Promise<Cosign> {
  const env = { COSIGN_PASSWORD: '' };
  await home.run(program, ['generate-key-pair', `--output-key-prefix=${name}`], { env });
  const key = join(home.path, `${name}.key`);
  const publicKeyFile = join(home.path, `${name}.pub`);
  return {
    publicKey: await readFile(publicKeyFile, 'utf8'),
    login: async (host, { username, password }) => {
      await home.run(program, ['login', host, '-u', username, '--password-stdin'], { input: password });
    },
    sign: async (reference, layout, { recursive = false } = {}) => {
      await home.run(
        program,
        [
          'sign',
          '--key',
          key,
          '--use-signing-config=false',
          '--tlog-upload=false',
          '--allow-http-registry',
          layoutFlag(layout),
          ...(recursive ? ['--recursive'] : []),
          '--yes',
          reference,
        ],
        { env },
      );
    },
    verifies: async (reference, layout) => {
      const { exitCode } = await home.try(program, [
        'verify',
        '--key',
        publicKeyFile,
        '--insecure-ignore-tlog',
        '--allow-http-registry',
        layoutFlag(layout),
        reference,
      ]);
      return exitCode === 0;
    },
  };
}
