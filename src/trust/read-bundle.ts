import { readBundle as readBundleBytes } from '../attest/bundle.ts';
import { isSubjectNamed } from '../attest/statement.ts';
import { type Digest, digestAlgorithm, hashBytes } from '../base/digest.ts';
import { effectiveArtifactType, type ImageManifest } from '../oci/manifest.ts';
import { isBundleType } from '../oci/media-types.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import type { Reading } from './claim.ts';
import type { SignatureEvidence } from './model.ts';

/**
 * Reads the bundle layout: one layer with a Sigstore bundle whose DSSE envelope contains an in-toto statement
 * that names the subject.
 */
export function readBundle(
  evidence: SignatureEvidence,
  manifest: ImageManifest,
  subject: Digest,
): readonly Reading[] {
  return [readOne(evidence, manifest, subject)];
}

function readOne(evidence: SignatureEvidence, manifest: ImageManifest, subject: Digest): Reading {
  if (manifest.subject?.digest !== subject)
    return {
      flaw: rule(['its manifest refers to another subject', fr`son manifeste désigne un autre sujet`]),
    };
  const [layer] = manifest.layers;
  if (layer === undefined || manifest.layers.length !== 1)
    return {
      flaw: rule([
        'a bundle artifact has exactly one layer',
        fr`un artefact de bundle a exactement une couche`,
      ]),
    };
  if (!isBundleType(layer.mediaType))
    return {
      flaw: rule(['a layer of type {mediaType}', fr`une couche de type {mediaType}`], {
        mediaType: layer.mediaType.slice(0, 100),
      }),
    };
  const bytes = evidence.layers[0]?.bytes;
  if (bytes === undefined)
    return { flaw: rule(['its bundle could not be read', fr`son bundle n’a pas pu être lu`]) };
  if (hashBytes(bytes, digestAlgorithm(layer.digest)) !== layer.digest)
    return {
      flaw: rule([
        'its bundle does not have the digest of its layer',
        fr`son bundle n’a pas l’empreinte de sa couche`,
      ]),
    };
  const read = readBundleBytes(bytes);
  if ('flaw' in read) {
    const { flaw, statement } = read;
    const { predicateType } = statement ?? {};
    // a statement about another subject says nothing about this one
    if (predicateType === undefined || !isSubjectNamed(statement!, subject)) return { flaw };
    return { flaw, predicateType };
  }
  if (!isSubjectNamed(read, subject))
    return { flaw: rule(['it signs another subject', fr`elle signe un autre sujet`]) };
  const { signed, signature, predicateType, hint } = read;
  if (!isBundleType(effectiveArtifactType(manifest)))
    return {
      flaw: rule([
        'its artifact type is not a Sigstore bundle',
        fr`son type d’artefact n’est pas un bundle Sigstore`,
      ]),
      predicateType,
    };
  return { signed, signature, predicateType, ...(hint === undefined ? {} : { hint }) };
}
