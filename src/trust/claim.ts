import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** One well-formed signature that names the subject. It is not verified yet. */
export interface Claim {
  readonly signed: Buffer;
  readonly signature: Buffer;
  /** Predicate type of the signed statement; absent in the classic layout, which has none. */
  readonly predicateType?: string;
  /** Key hint from the unsigned part of the signature; used in messages only. */
  readonly hint?: string;
  /** Why verification with a key must fail, where that is known. */
  readonly remark?: Rule;
}

/** A signature that is not usable, with the reason. */
interface Flaw {
  readonly flaw: Rule;
  /** Predicate type of the statement, if it is readable. */
  readonly predicateType?: string;
}

export type Reading = Claim | Flaw;

/** Why a signature that a limit of the search excluded claims nothing. */
export const leftOutFlaw = rule(['it was left out by the search', fr`la recherche l’a laissée de côté`]);

export const signatureLimits = {
  /**
   * Most signatures of one subject, well-formed and naming it, that a search reads for each layout. The limits are
   * separate, so that signatures of one layout never displace those of the other.
   */
  read: 10_000,
  /** Most signatures of one subject that are copied for each layout; of bundles, besides those that verify. */
  count: 1024,
  /** Most referrers of one subject that are looked at although their list gives them another type, in each of two classes. */
  unannounced: 256,
  /** Bytes of one signature. */
  bytes: 1_048_576,
  /** Bytes of all signatures of one subject. */
  totalBytes: 67_108_864,
  /** Bytes of the classic signatures of one subject. */
  classicBytes: 33_554_432,
} as const;
