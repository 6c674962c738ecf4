import { allocateAligned } from './aligned-memory.ts';

const blockBytes = 512 << 10;
const filesAtOnce = 12;
/** Blocks that a file may have beyond its first, all files together. */
const spareBlocks = 12;

/** The blocks of one file. */
export interface BlockLease {
  /** @returns undefined where the file has one and no other can be spared: one that it has given back comes again */
  take(): Buffer | undefined;
  give(block: Buffer): void;
  /** After the last block has been given back. */
  end(): void;
}

let blocks: Buffer[] | undefined;
let files = 0;
/** Files that may still come, and files that have no block at the moment: one is kept for each. */
let owed = filesAtOnce;

function allocateBlocks(): Buffer[] {
  const count = filesAtOnce + spareBlocks;
  const memory = allocateAligned(count * blockBytes);
  return Array.from({ length: count }, (_, i) => memory.subarray(i * blockBytes, (i + 1) * blockBytes));
}

/** Blocks of page-aligned memory for one more file: at least one, and more while few files are written. */
export function leaseBlocks(): BlockLease | undefined {
  if (files === filesAtOnce) return undefined;
  files += 1;
  blocks ??= allocateBlocks();
  const free = blocks;
  let held = 0;
  return {
    take() {
      if (held > 0 && free.length <= owed) return undefined;
      if (held === 0) owed -= 1;
      held += 1;
      return free.pop();
    },
    give(block) {
      held -= 1;
      if (held === 0) owed += 1;
      free.push(block);
    },
    end() {
      files -= 1;
    },
  };
}
