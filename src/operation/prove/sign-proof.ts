import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type StatementSigner, signStatement } from '../../attest/own-statement.ts';
import { toPassedSummary } from '../../attest/verification-summary.ts';
import { type Digest, toDigest } from '../../base/digest.ts';
import { writeStateFile } from '../../disk/atomic-file.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { openGuarded } from '../../disk/guarded-open.ts';
import { mediumManifestPath } from '../../store/rest/media-manifest.ts';
import { svcError } from '../../text/error.ts';

/** The statement about the last proof of a medium, relative to its root. The medium manifest does not list it. */
export const proofPath = '_svc/proof.sigstore.json';

/** A medium that was proved. */
export interface ProvedMedium {
  readonly root: string;
  readonly mediaId: string;
  /** Status of the medium manifest when it was read. */
  readonly manifest: BigIntStats | undefined;
}

interface SignOptions {
  readonly signer: StatementSigner;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly verifiedAt: number;
  /** The choices of the proof. */
  readonly policy: Readonly<Record<string, unknown>>;
}

/**
 * Writes onto each medium a signed SLSA Verification Summary about its medium manifest, which lists every other file.
 *
 * @throws SVC-STO-007 when the manifest changed since it was verified; SVC-STO-002, SVC-STO-004 when the medium cannot be
 *   written
 */
export async function signProof(media: readonly ProvedMedium[], options: SignOptions): Promise<void> {
  const { signer, version, policy } = options;
  const verifiedAt = new Date(options.verifiedAt).toISOString();
  for (const medium of media) {
    const { root, mediaId } = medium;
    const statement = toPassedSummary({
      subject: { name: mediumManifestPath, digest: await hashManifest(medium) },
      resource: `urn:svc:medium:${mediaId}`,
      version,
      verifiedAt,
      policy,
    });
    await using folder = await openGuardedFolder(root, dirname(proofPath), { create: true });
    await writeStateFile(folder.pathOf(basename(proofPath)), signStatement(statement, signer));
  }
}

/** @throws SVC-STO-007 */
async function hashManifest({ root, manifest }: ProvedMedium): Promise<Digest> {
  const file = await openGuarded(root, mediumManifestPath);
  try {
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
    const { ctimeNs } = await file.stat({ bigint: true });
    if (ctimeNs !== manifest?.ctimeNs)
      throw svcError('SVC-STO-007', { path: mediumManifestPath, problem: 'changed' });
    return toDigest('sha256', hash);
  } finally {
    await file.close();
  }
}
