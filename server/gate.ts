import type { BigIntStats } from 'node:fs';
import type { Digest } from '../src/base/digest.ts';

/** Reason why the gate is closed. */
export interface GateRefusal {
  readonly code: 'SVC-MED-030' | 'SVC-MED-032';
  readonly mediaId?: string | undefined;
}

/** Decides what of the store may be served. The gate of an instance on its own store is always open. */
export interface Gate {
  /** Whether content must be verified before it is served. */
  readonly guarded: boolean;
  /** Whether bytes of the store are hashed while they are sent. */
  readonly rehash: boolean;
  /** Returns the reason why the gate is closed, undefined when it is open. */
  refusal(): GateRefusal | undefined;
  allowsRepository(repository: string): boolean;
  allowsTag(repository: string, tag: string): boolean;
  /** Returns the only digest that verified recipes give to a tag, whatever the store says; absent: the store decides. */
  digestOf?(repository: string, tag: string): Digest | undefined;
  allowsManifest(repository: string, digest: Digest): boolean;
  allowsBlob(repository: string, digest: Digest): boolean;
  /**
   * Whether an open file is the same file that was verified. When bytes are hashed while they are sent, a
   * part is sent of such a file only.
   */
  isVerifiedFile(digest: Digest, stats: BigIntStats): boolean;
  /** Called when bytes to be sent do not have their digest: withdraws everything that reaches them. */
  onAltered(digest: Digest): void;
}
