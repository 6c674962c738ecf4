import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashAll } from '../../scripts/release/hash-all.ts';
import { approve } from '../../scripts/release/sign.ts';
import { toSigner } from '../../src/signing/signer.ts';
import { createSigner, type Signer } from '../kit/content/signer.ts';

/** A release with few small files, whose program is a script that prints its version. */
export interface SmallRelease {
  readonly root: string;
  readonly version: string;
  readonly signer: Signer;
  /** File of the public key, outside of the release. */
  readonly key: string;
  readonly at: (name: string) => string;
  /** Makes the list and its signatures anew. @param change of the text of the list */
  readonly sign: (change?: (sums: string) => string) => Promise<void>;
}

/** Makes a release beside its public key, with the list and the signatures that a real one has. */
export async function makeSmallRelease(
  folder: string,
  options: { readonly version?: string; readonly signer?: Signer } = {},
): Promise<SmallRelease> {
  const { version = '1.2.3', signer = createSigner() } = options;
  const root = join(folder, 'release');
  const key = join(folder, 'svc-release.pub');
  const at = (name: string): string => join(root, name);
  const put = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  };
  for (const platform of ['x64', 'arm64'])
    await put(`svc-linux-${platform}`, `#!/bin/sh\n# ${platform}\necho 'svc ${version}'\n`);
  await put(`svc-${version}.recipe.yaml`, 'kind: Recipe\n');
  await put('oci/oci-layout', '{"imageLayoutVersion":"1.0.0"}');
  await put('oci/blobs/sha256/0123', 'a blob');
  await put('svc.pub', signer.publicKeyPem);
  await writeFile(key, signer.publicKeyPem);
  const sign = async (change = (sums: string): string => sums): Promise<void> => {
    const lines = hashAll(root)
      .filter(([name]) => !name.startsWith('SHA256SUMS'))
      .map(([name, hex]) => `${hex}  ${name}\n`);
    const sums = Buffer.from(change(lines.join('')));
    const own = toSigner(signer.privateKey);
    await put('SHA256SUMS', sums.toString());
    await writeFile(at('SHA256SUMS.sig'), own.sign(sums));
    await writeFile(at('SHA256SUMS.sigstore.json'), approve(own, sums));
  };
  await sign();
  return { root, version, signer, key, at, sign };
}
