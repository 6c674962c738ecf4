import { allocateAligned } from './aligned-memory.ts';

const blockBytes = 512 << 10;
const filesAtOnce = 12;
/** Blocks that all files together may have beyond one each. */
const spareBlocks = 12;

/** The blocks of one file. */
interface BlockLease {
  /** @returns undefined when the file has a block and no other can be spared: one that it returns becomes available again */
  take(): Buffer | undefined;
  give(block: Buffer): void;
  /** Ends the lease, after the last block was returned. */
  end(): void;
}

let blocks: Buffer[] | undefined;
let files = 0;
/** Blocks kept back: one for each file that may still open, and one for each open file without a block. */
let owed = filesAtOnce;

function allocateBlocks(): Buffer[] {
  const count = filesAtOnce + spareBlocks;
  const memory = allocateAligned(count * blockBytes);
  return Array.from({ length: count }, (_, i) => memory.subarray(i * blockBytes, (i + 1) * blockBytes));
}

/** Leases blocks of page-aligned memory to one more file: at least one, and more while few files are being written. */
export function leaseBlocks(): BlockLease | undefined {
  if (files === filesAtOnce) return undefined;
  files += 1;
  blocks ??= allocateBlocks();
  const free = blocks;
  const held = new Set<Buffer>();
  return {
    take() {
      if (held.size > 0 && free.length <= owed) return undefined;
      if (held.size === 0) owed -= 1;
      const block = free.pop()!;
      held.add(block);
      return block;
    },
    give(block) {
      // two files would write one memory
      if (!held.delete(block)) throw new Error('a block is given back that is not on lease');
      if (held.size === 0) owed += 1;
      free.push(block);
    },
    end() {
      if (held.size > 0) throw new Error('a lease ends before its blocks are back');
      files -= 1;
    },
  };
}
