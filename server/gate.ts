import type { BigIntStats } from 'node:fs';
import type { Digest } from '../src/base/digest.ts';
import type { ViewGate } from '../src/view/parts.ts';

/** Decides which content of the store may be served. The gate of an instance on its own store is always open. */
export interface Gate extends ViewGate {
  /** Another object whenever the gate may allow something else of the same store. */
  readonly mark: object;
  /** Whether bytes of the store are hashed while they are sent. */
  readonly rehash: boolean;
  /** Returns the only digest that verified recipes give to a tag, even against the store; absent: the store decides. */
  digestOf?(repository: string, tag: string): Digest | undefined;
  allowsBlob(repository: string, digest: Digest): boolean;
  /**
   * Whether an open file is the same file that was verified. When bytes are hashed while they are sent, a
   * part is sent of such a file only.
   */
  isVerifiedFile(digest: Digest, stats: BigIntStats): boolean;
  /** Called when bytes to be sent do not have their digest: withdraws everything that reaches them. */
  onAltered(digest: Digest): void;
}
