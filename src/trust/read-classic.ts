import { keylessFlaw } from '../attest/bundle.ts';
import { decodeBase64 } from '../attest/encoding.ts';
import { checkSimpleSigning, signatureAnnotation } from '../attest/simple-signing.ts';
import { type Digest, digestAlgorithm, hashBytes } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { ImageManifest } from '../oci/manifest.ts';
import { mediaTypes } from '../oci/media-types.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { leftOutFlaw, type Reading } from './claim.ts';
import type { SignatureEvidence } from './model.ts';

const certificateAnnotation = 'dev.sigstore.cosign/certificate';

/**
 * Reads the classic cosign layout: every layer is a SimpleSigning payload with its signature in an annotation of the
 * manifest. Annotations and digests come from the bytes of the manifest.
 */
export function readClassic(
  evidence: SignatureEvidence,
  manifest: ImageManifest,
  subject: Digest,
): readonly Reading[] {
  if (manifest.layers.length === 0)
    return [
      { flaw: rule(['a signature artifact without layers', fr`un artefact de signature sans couche`]) },
    ];
  return manifest.layers.map((layer, i) => {
    const { isLeftOut, bytes } = evidence.layers[i] ?? {};
    return isLeftOut ? { flaw: leftOutFlaw } : readClassicLayer(layer, bytes, subject);
  });
}

/** Reads one signature of the classic layout: first the layer's descriptor, then its payload. */
export function readClassicLayer(layer: Descriptor, bytes: Buffer | undefined, subject: Digest): Reading {
  if (layer.mediaType !== mediaTypes.simpleSigning)
    return {
      flaw: rule(['a layer of type {mediaType}', fr`une couche de type {mediaType}`], {
        mediaType: layer.mediaType.slice(0, 100),
      }),
    };
  const signature = decodeBase64(layer.annotations?.[signatureAnnotation]);
  if (!signature)
    return {
      flaw: rule(
        [
          'no base64 signature in the annotation {signatureAnnotation}',
          fr`pas de signature en base64 dans l’annotation {signatureAnnotation}`,
        ],
        { signatureAnnotation },
      ),
    };
  if (bytes === undefined)
    return { flaw: rule(['its payload could not be read', fr`son contenu n’a pas pu être lu`]) };
  if (hashBytes(bytes, digestAlgorithm(layer.digest)) !== layer.digest)
    return {
      flaw: rule([
        'its payload does not have the digest of its layer',
        fr`son contenu n’a pas l’empreinte de sa couche`,
      ]),
    };
  const flaw = checkSimpleSigning(bytes, subject);
  if (flaw !== undefined) return { flaw };
  const isKeyless = layer.annotations?.[certificateAnnotation] !== undefined;
  return { signed: bytes, signature, ...(isKeyless ? { remark: keylessFlaw } : {}) };
}
