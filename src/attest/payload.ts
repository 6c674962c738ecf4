import type { Digest } from '../base/digest.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { parseJsonObject, repeatedMemberOf } from './encoding.ts';
import { parsePreAuthEncoding, payloadType, preAuthEncoding } from './envelope.ts';
import { signPredicate } from './predicate-types.ts';
import { checkSimpleSigning, toSimpleSigning } from './simple-signing.ts';
import { isSubjectNamed, readStatement, toStatementBytes } from './statement.ts';

export const signatureLayouts = ['bundle', 'classic'] as const;
export type SignatureLayout = (typeof signatureLayouts)[number];

/** The payload that approves a recipe when a key signs it. */
export interface ApprovalPayload {
  readonly layout: SignatureLayout;
  /** The statement or the SimpleSigning document, as it is stored. */
  readonly document: Buffer;
  /** The exact bytes that the key signs. */
  readonly signed: Buffer;
}

/**
 * Makes the payload that approves a manifest, as `cosign sign` does. The same arguments give the same bytes.
 *
 * @param subject digest of the manifest
 * @param repository `<host>/<path>`; the classic layout names it, for information
 */
export function toApproval(subject: Digest, repository: string, layout: SignatureLayout): ApprovalPayload {
  if (layout === 'classic') {
    const document = toSimpleSigning(subject, repository);
    return { layout, document, signed: document };
  }
  const document = toStatementBytes({
    subjects: [{ digest: subject }],
    predicateType: signPredicate,
    predicate: {},
  });
  return { layout, document, signed: preAuthEncoding(payloadType, document) };
}

/**
 * Reads signed bytes back, of either layout.
 *
 * @returns the payload, or the broken rule if it does not approve the subject
 */
export function parseApproval(signed: Buffer, subject: Digest): ApprovalPayload | { readonly rule: Rule } {
  const document = parsePreAuthEncoding(signed);
  const repeated = repeatedMemberOf(document ?? signed);
  if (repeated !== undefined)
    return {
      rule: rule(
        ['its payload has the member {repeated} twice', fr`son contenu a deux fois le membre {repeated}`],
        { repeated },
      ),
    };
  if (document === undefined) {
    const broken = refuseForeign(signed) ?? checkSimpleSigning(signed, subject);
    return broken === undefined ? { layout: 'classic', document: signed, signed } : { rule: broken };
  }
  const statement = readStatement(document);
  if (!statement)
    return {
      rule: rule([
        'its payload is not an in-toto statement of a known type',
        fr`son contenu n’est pas une déclaration in-toto d’un type connu`,
      ]),
    };
  if (!isSubjectNamed(statement, subject))
    return { rule: rule(['it signs another subject', fr`elle signe un autre sujet`]) };
  if (statement.predicateType !== signPredicate)
    return {
      rule: rule(
        [
          'an attestation of type {type}, which approves nothing',
          fr`une attestation de type {type}, qui n’approuve rien`,
        ],
        { type: statement.predicateType ?? 'none' },
      ),
    };
  return { layout: 'bundle', document, signed };
}

/** @returns the rule that bytes break which are of neither layout, or of a bundle and changed */
function refuseForeign(signed: Buffer): Rule | undefined {
  if (signed.subarray(0, 6).toString('latin1') === 'DSSEv1')
    return rule([
      'its payload begins as that of a bundle (DSSEv1), and its type or a length does not fit: it was changed',
      fr`son contenu commence comme celui d’un bundle (DSSEv1), et son type ou une longueur ne concorde pas : il a été modifié`,
    ]);
  if (parseJsonObject(signed) === undefined)
    return rule([
      'its payload is neither that of a bundle nor SimpleSigning',
      fr`son contenu n’est ni celui d’un bundle ni du SimpleSigning`,
    ]);
  return undefined;
}
