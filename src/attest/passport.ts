import type { Digest } from '../base/digest.ts';
import { type Passport, passportLimit, passportPredicate } from '../contract/passport.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { type OwnStatement, readOwnStatement, type StatementSigner, signStatement } from './own-statement.ts';
import { ownPredicates } from './predicate-types.ts';

/** A passport as read. Its signature is not verified: `findSigner` does. */
export interface ReadPassport extends Omit<OwnStatement<Passport>, 'predicate'> {
  readonly passport: Passport;
}

/** Path of the passport of a medium, relative to its root. */
export const passportPath = '_svc/passport.sigstore.json';

/**
 * Signs a passport, as a Sigstore bundle that `cosign verify-blob-attestation` accepts for `media.jsonl`.
 *
 * @param manifest digest of `media.jsonl`
 */
export function writePassport(passport: Passport, manifest: Digest, signer: StatementSigner): Buffer {
  const predicate = passport as unknown as Readonly<Record<string, unknown>>;
  const subjects = [{ name: 'media.jsonl', digest: manifest }];
  return signStatement({ subjects, predicateType: ownPredicates.passport, predicate }, signer);
}

/**
 * Reads a passport. Its size is checked before anything is decoded.
 *
 * @returns the rule that the bytes break, if they are not a passport
 */
export function readPassport(bytes: Buffer): ReadPassport | { readonly flaw: Rule } {
  if (bytes.length > passportLimit)
    return { flaw: rule(['larger than {limit:size}', fr`plus de {limit:size}`], { limit: passportLimit }) };
  const read = readOwnStatement(bytes, ownPredicates.passport, passportPredicate);
  if ('flaw' in read) return read;
  const { predicate: passport, ...statement } = read;
  return { ...statement, passport };
}
