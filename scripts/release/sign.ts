import { toBundleBytes } from '../../src/attest/bundle.ts';
import { payloadType, preAuthEncoding } from '../../src/attest/envelope.ts';
import { signPredicate } from '../../src/attest/predicate-types.ts';
import { describeKey } from '../../src/attest/public-key.ts';
import { toBundleArtifact } from '../../src/attest/signature-artifact.ts';
import { toStatementBytes } from '../../src/attest/statement.ts';
import { hashBytes } from '../../src/base/digest.ts';
import { readKeyFile } from '../../src/signing/read-key-file.ts';
import { type Signer, toSigner } from '../../src/signing/signer.ts';
import { isSvcError } from '../../src/text/error.ts';
import type { Artifact } from './oci-content.ts';
import { RefusedError } from './source.ts';

/**
 * Opens the key of the release.
 *
 * @throws RefusedError for a key that cannot be used, and for one whose signatures `openssl dgst` cannot verify
 */
export async function openReleaseKey(path: string, password: string | undefined): Promise<Signer> {
  let signer: Signer;
  try {
    signer = toSigner(await readKeyFile(path, password));
  } catch (error) {
    if (!isSvcError(error)) throw error;
    const { code, params } = error;
    const rule = 'rule' in params ? `: ${String(params.rule)}` : '';
    throw new RefusedError(`the key ${path} cannot be used (${code}${rule})`, { cause: error });
  }
  if (signer.publicKey.asymmetricKeyType === 'ed25519') {
    throw new RefusedError(
      `${path} is a key of type ${describeKey(signer.publicKey)}: openssl dgst verifies ECDSA and RSA only, and the receiving room may have nothing else`,
    );
  }
  return signer;
}

/** Signs a statement. @returns a Sigstore bundle */
export function signStatement(signer: Signer, statement: Buffer): Buffer {
  return toBundleBytes(statement, signer.sign(preAuthEncoding(payloadType, statement)), signer.publicKey);
}

/** Signs bytes as `cosign` approves an artifact. @returns a Sigstore bundle */
export function approve(signer: Signer, bytes: Buffer): Buffer {
  return signStatement(signer, toApproval(bytes));
}

function toApproval(bytes: Buffer): Buffer {
  return toStatementBytes({
    subjects: [{ digest: hashBytes(bytes) }],
    predicateType: signPredicate,
    predicate: {},
  });
}

/** Signs the recipe of a layout. @returns the signature, as a referrer of the recipe */
export function signRecipe(signer: Signer, recipe: Artifact, date: Date): Artifact {
  const manifest = recipe.contents.find(({ descriptor }) => descriptor.digest === recipe.root.digest)!;
  const bundle = approve(signer, manifest.from as Buffer);
  const artifact = toBundleArtifact(recipe.root, bundle, date.toISOString());
  const { descriptor, bytes } = artifact.manifest;
  const blobs = artifact.blobs.map((blob) => ({ descriptor: blob.descriptor, from: blob.bytes }));
  return {
    name: `${recipe.name.replace(/:[^:/]*$/, '')}@${descriptor.digest}`,
    root: descriptor,
    contents: [...blobs, { descriptor, from: bytes }],
  };
}
