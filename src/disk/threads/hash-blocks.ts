import { createHash, type Hash } from 'node:crypto';
import type { DigestAlgorithm } from '../../base/digest.ts';

/** What a thread is asked to do with a file that it is given block by block. */
export interface BlockRequest {
  /** Number of the file. */
  readonly file: number;
  /** Absent at the end of the file. */
  readonly block?: Uint8Array;
  /** With the first block. */
  readonly starts?: DigestAlgorithm | undefined;
}

/** Files of which more blocks are expected. */
const files = new Map<number, Hash>();

/** @returns whether the block was hashed with all before it; at the end the checksum as hexadecimal digits */
export function hashBlocks({ file, block, starts }: BlockRequest): boolean | string | undefined {
  if (starts !== undefined) files.set(file, createHash(starts));
  const hash = files.get(file);
  if (block !== undefined) {
    hash?.update(block);
    return hash !== undefined;
  }
  files.delete(file);
  return hash?.digest('hex');
}
