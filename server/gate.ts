import type { BigIntStats } from 'node:fs';
import type { Digest } from '../src/base/digest.ts';

/** Why a surface is closed. */
export interface GateRefusal {
  readonly code: 'SVC-MED-030' | 'SVC-MED-032';
  readonly mediaId?: string | undefined;
}

/** What may be served from the store. An instance on its own store has a gate that is always open. */
export interface Gate {
  /** Whether what is served must first have been cleared by a verification. */
  readonly guarded: boolean;
  /** Whether bytes of the store are hashed again while they are sent. */
  readonly rehash: boolean;
  /** Undefined: the surface is open. */
  refusal(): GateRefusal | undefined;
  allowsRepository(repository: string): boolean;
  allowsTag(repository: string, tag: string): boolean;
  allowsManifest(repository: string, digest: Digest): boolean;
  allowsBlob(repository: string, digest: Digest): boolean;
  /** Whether an open file is the very one whose bytes were verified: of bytes that are hashed again, only then may a part be sent. */
  isVerifiedFile(digest: Digest, stats: BigIntStats): boolean;
  /** Bytes that were about to be sent are not what they were: whatever reaches them is withdrawn. */
  onAltered(digest: Digest): void;
}
