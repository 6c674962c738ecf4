import { availableParallelism } from 'node:os';
import type { DigestAlgorithm } from '../../base/digest.ts';
import { IdleThread } from './idle-thread.ts';

/** Bytes of a file from which a thread pays. */
const leastBytes = 4 << 20;

/** Hashes the blocks of one file, in their order, on a thread. */
export interface BlockHash {
  /** Takes the next block, in memory that threads share; resolves when the block may be filled again. Never fails. */
  update(block: Uint8Array): Promise<void>;
  /** Ends the file. @returns hexadecimal digits; undefined when the thread has failed: the caller reads the file again */
  digest(): Promise<string | undefined>;
  /** Ends the file without a result. Never fails. */
  abort(): void;
}

const shared = new IdleThread();
let files = 0;

/**
 * Starts to hash a file beside the calling thread, which then has time for what arrives.
 *
 * @param size bytes of the file
 * @param thread that hashes; without it all files share one
 * @returns undefined for a small file, and where no other processor is
 */
export function openBlockHash(
  algorithm: DigestAlgorithm,
  size: number,
  thread: Pick<IdleThread, 'ask' | 'hold' | 'release'> = shared,
): BlockHash | undefined {
  if (size < leastBytes || availableParallelism() < 2) return undefined;
  files += 1;
  const file = files;
  thread.hold();
  let isFirst = true;
  let isWhole = true;
  let isOpen = true;
  const end = (): void => {
    isOpen = false;
    thread.release();
  };
  return {
    async update(block) {
      if (!isWhole) return;
      const starts = isFirst ? algorithm : undefined;
      isFirst = false;
      // a thread that was started meanwhile does not know the file
      if ((await thread.ask((it) => it.hashBlock(file, block, starts))) !== true) isWhole = false;
    },
    async digest() {
      const hex = isFirst ? undefined : await thread.ask((it) => it.endBlocks(file));
      end();
      return isWhole ? hex : undefined;
    },
    abort() {
      if (!isOpen) return;
      end();
      if (!isFirst) void thread.ask((it) => it.endBlocks(file));
    },
  };
}
