import { isSignedBy } from '../../attest/signed-by.ts';
import type { Digest } from '../../base/digest.ts';
import type { Evidence } from '../../contract/evidence.ts';
import type { CallOptions, SignedSource } from '../../oci/ports.ts';
import { selectRecipeLayer } from '../../recipe/artifact.ts';
import { isSvcError } from '../../text/error.ts';
import type { ErrorCode } from '../../text/errors/registry.ts';
import type { Claim } from '../../trust/claim.ts';
import { collectAll } from '../../trust/discover.ts';
import { isApproval } from '../../trust/judge.ts';
import { readEvidence } from '../../trust/read-evidence.ts';
import { readBlob } from '../copy/read-blob.ts';
import { readManifest } from '../copy/read-manifest.ts';
import type { Collected, EvidenceKey, EvidenceSignature, PackFile } from './model.ts';
import { toSignedFiles } from './sign-files.ts';

interface NamedRecipe {
  readonly name: string;
  readonly version: string;
  readonly digest: Digest;
  /** Its folder in the pack. */
  readonly folder: string;
  readonly sites?: readonly string[];
  readonly refused?: string;
  readonly claimed?: true;
}

interface CollectedRecipe extends Collected {
  readonly recipe: Evidence['recipes'][number];
}

/** Most signatures of one recipe that a pack has. */
const mostSignatures = 32;

/** Whether a statement counts as a signature: other types than that of `cosign sign` do under a root that lists them only. */
function isCounted(claim: Claim, keys: readonly EvidenceKey[]): boolean {
  if (isApproval(claim)) return true;
  return keys.some((root) => isApproval(claim, root) && isSignedBy(root.key, claim.signed, claim.signature));
}

/**
 * Collects a recipe with the signatures that name it.
 *
 * @param sources places that may have it, the first that does counts
 * @returns the recipe alone, with the code of the last error, where none has it or can be read: the lines about it stay
 * @throws the signal's reason
 */
export async function collectRecipe(
  named: NamedRecipe,
  sources: readonly SignedSource[],
  keys: readonly EvidenceKey[],
  call: CallOptions,
): Promise<CollectedRecipe> {
  const { folder, ...identity } = named;
  const { name, version, digest } = identity;
  const reference = `${name}@${version}`;
  let missing: ErrorCode = 'SVC-REG-005';
  for (const source of sources) {
    try {
      const { content, manifest } = await readManifest(
        source,
        { mediaType: '', digest, size: 0 },
        reference,
        call,
      );
      const layer = selectRecipeLayer(manifest);
      const document = await readBlob(source, layer, reference, call);
      const found = await collectAll(source, digest, call);
      const signatures: EvidenceSignature[] = [];
      const files: PackFile[] = [
        { path: `${folder}/manifest.json`, bytes: content.bytes },
        { path: `${folder}/recipe.yaml`, bytes: document },
      ];
      for (const artifact of found.evidence) {
        for (const reading of readEvidence(artifact, digest)) {
          if ('flaw' in reading || signatures.length === mostSignatures) continue;
          if (!isCounted(reading, keys)) continue;
          const path = `${folder}/signature-${signatures.length + 1}`;
          const bytes = artifact.layout === 'bundle' ? artifact.layers[0]?.bytes : undefined;
          const { predicateType } = reading;
          const signed = toSignedFiles(
            { path, kind: 'recipe', about: [reference], subjects: [digest] },
            reading,
            keys,
            bytes && { bytes, predicateType },
          );
          signatures.push(signed.signature);
          files.push(...signed.files);
        }
      }
      return { recipe: { ...named, documentDigest: layer.digest }, signatures, files };
    } catch (error) {
      call.signal?.throwIfAborted();
      if (!isSvcError(error)) throw error;
      missing = error.code;
    }
  }
  return { recipe: { ...identity, missing }, signatures: [], files: [] };
}
