import type { KeyObject } from 'node:crypto';
import type { Digest } from '../base/digest.ts';
import type { ManifestContent } from '../oci/ports.ts';
import type { Rule } from '../text/rule.ts';

/**
 * One configured public key. `fingerprint` is the SHA-256 of the key's DER (SubjectPublicKeyInfo), lower-case
 * hexadecimal.
 */
export interface TrustRoot {
  readonly name: string;
  readonly key: KeyObject;
  readonly fingerprint: string;
  /** Predicate types that approve under this key, in addition to that of `cosign sign`. */
  readonly predicates?: readonly string[];
}

export interface TrustScope {
  readonly name: string;
  /** Globs on the nominal path of a recipe or of its cookbook, as `toScopePath` returns it. */
  readonly repositories: readonly string[];
  readonly allowUnsigned: boolean;
  /** Names of the roots accepted in this scope; absent: all. */
  readonly roots?: readonly string[];
}

export interface TrustPolicy {
  readonly roots: readonly TrustRoot[];
  readonly scopes: readonly TrustScope[];
  /** Names of the roots configured by URL without a local copy. */
  readonly missing: readonly string[];
}

/** One signature artifact as found, with its bytes. */
export interface SignatureEvidence {
  readonly layout: 'classic' | 'bundle';
  /** The tag it was found under (`.sig` or fallback), if any. */
  readonly tag?: string;
  readonly manifest: ManifestContent;
  /** Payload layers, each with its manifest annotations and bytes. */
  readonly layers: readonly {
    readonly mediaType: string;
    readonly annotations: Readonly<Record<string, string>>;
    readonly bytes: Buffer;
    /** A limit of the search excluded it. */
    readonly isLeftOut?: boolean;
    /** It was requested, and its source does not have it, or has other bytes. */
    readonly isMissing?: boolean;
  }[];
}

type SignatureReason = 'none' | 'untrusted' | 'malformed' | 'no-roots';

export type SignatureVerdict =
  | {
      readonly outcome: 'verified';
      readonly keyFingerprint: string;
      readonly root: string;
      readonly layout: 'classic' | 'bundle';
      readonly signature: Digest;
      readonly trustScope?: string;
    }
  | { readonly outcome: 'unsigned-admitted'; readonly trustScope: string }
  | {
      readonly outcome: 'refused';
      readonly reason: SignatureReason;
      readonly fingerprints: readonly string[];
      readonly detail?: Rule;
      /** Predicate types of the attestations found, which do not approve. */
      readonly attested?: readonly string[];
      /** The limit for which the lists of referrers were not read whole. */
      readonly crowded?: Rule;
      readonly trustScope?: string;
    };
