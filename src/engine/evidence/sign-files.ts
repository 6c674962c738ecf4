import { findAlgorithm } from '../../attest/signed-by.ts';
import type { EvidenceKey, EvidenceSignature, PackFile } from './model.ts';

/** Path of a key in a pack. Its name in the configuration may have any character. */
export function toKeyPath({ name, fingerprint }: EvidenceKey): string {
  const plain = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/.test(name) ? `${name}-` : '';
  return `keys/${plain}${fingerprint.slice(0, 12)}.pub`;
}

/** The file of a key in a pack. */
export function toKeyFile(key: EvidenceKey): PackFile {
  return { path: toKeyPath(key), bytes: Buffer.from(key.key.export({ type: 'spki', format: 'pem' })) };
}

/**
 * Makes the files of a signature: the signed bytes as they are, and the signature in base64 as cosign and openssl read it.
 *
 * @param bundle the Sigstore bundle of both, with the predicate type of its statement, where there is one
 */
export function toSignedFiles(
  signature: Omit<EvidenceSignature, 'bundle' | 'predicateType' | 'key' | 'algorithm'>,
  { signed, signature: raw }: { readonly signed: Buffer; readonly signature: Buffer },
  keys: readonly EvidenceKey[],
  bundle?: { readonly bytes: Buffer; readonly predicateType: string | undefined },
): { readonly signature: EvidenceSignature; readonly files: readonly PackFile[] } {
  const { path } = signature;
  const [by] = keys.flatMap((key) => {
    const algorithm = findAlgorithm(key.key, signed, raw);
    return algorithm === undefined ? [] : [{ key: toKeyPath(key), algorithm }];
  });
  const bundlePath = `${path}.sigstore.json`;
  return {
    signature: {
      ...signature,
      ...(bundle === undefined ? {} : { bundle: bundlePath, predicateType: bundle.predicateType }),
      ...by,
    },
    files: [
      { path: `${path}.signed`, bytes: signed },
      { path: `${path}.sig`, bytes: Buffer.from(`${raw.toString('base64')}\n`) },
      ...(bundle === undefined ? [] : [{ path: bundlePath, bytes: bundle.bytes }]),
    ],
  };
}
