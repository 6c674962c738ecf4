import type { KeyObject } from 'node:crypto';
import type { Evidence } from '../../contract/evidence.ts';

/** A file of a pack. */
export interface PackFile {
  /** With `/`, relative to the pack. */
  readonly path: string;
  readonly bytes: Buffer;
}

/** A key under which signatures of the pack are verified. */
export interface EvidenceKey {
  readonly name: string;
  readonly key: KeyObject;
  readonly fingerprint: string;
  /** Predicate types that approve recipes under it, in addition to that of `cosign sign`. */
  readonly predicates?: readonly string[];
}

export type EvidenceSignature = Evidence['signatures'][number];

/** Signed content with its files, as far as it is in the pack. */
export interface Collected {
  readonly signatures: readonly EvidenceSignature[];
  readonly files: readonly PackFile[];
}
