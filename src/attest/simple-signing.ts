import type { Digest } from '../base/digest.ts';
import { isJsonObject } from '../base/json/json-object.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { parseJsonObject } from './encoding.ts';

// the classic layout of cosign: the SimpleSigning payload of the containers signature format

/** Annotation of a classic signature layer with the signature, base64. */
export const signatureAnnotation = 'dev.cosignproject.cosign/signature';

const imageSignature = 'cosign container image signature';

/**
 * Writes the payload of a classic signature. The same arguments give the same bytes.
 *
 * @param reference `<host>/<path>` of the subject; for information, no verifier depends on it
 */
export function toSimpleSigning(subject: Digest, reference: string): Buffer {
  return Buffer.from(
    JSON.stringify({
      critical: {
        identity: { 'docker-reference': reference },
        image: { 'docker-manifest-digest': subject },
        type: imageSignature,
      },
      optional: null,
    }),
  );
}

/** @returns the rule that a payload breaks; undefined when it approves the subject */
export function checkSimpleSigning(bytes: Buffer, subject: Digest): Rule | undefined {
  const critical = parseJsonObject(bytes)?.critical;
  if (!isJsonObject(critical) || !isJsonObject(critical.image))
    return rule(['its payload is not SimpleSigning', fr`son contenu n’est pas du SimpleSigning`]);
  if (critical.type !== imageSignature)
    return rule([
      'its payload is not of the type of an image signature',
      fr`son contenu n’est pas du type d’une signature d’image`,
    ]);
  if (critical.image['docker-manifest-digest'] !== subject)
    return rule(['it signs another subject', fr`elle signe un autre sujet`]);
  return undefined;
}
