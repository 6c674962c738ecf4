import { createHash, type Hash } from 'node:crypto';
import type { TarMember } from '../disk/tar-reader.ts';
import { TarReader } from '../disk/tar-reader.ts';
import { filesetLimits } from './limits.ts';
import type { TreeBuilder } from './tree-builder.ts';

/** Takes the bytes of one plain layer and puts what is in it into the tree. */
export interface LayerScanner {
  /** @throws TarError */
  write(chunk: Buffer): void;
  /** @throws TarError when the layer is cut off */
  end(): void;
}

/** Entries that may still come, of all layers together. */
export interface EntryBudget {
  left: number;
}

/** Hashes every file on its way: its digest is what clients know it by. */
export function createLayerScanner(builder: TreeBuilder, budget: EntryBudget): LayerScanner {
  let hash: Hash | undefined;
  const reader = new TarReader(
    {
      begin: ({ type }) => {
        hash = type === 'file' ? createHash('sha256') : undefined;
      },
      content: (chunk) => {
        hash?.update(chunk);
      },
      end: (member: TarMember) => builder.add(member, hash?.digest()),
    },
    { headers: budget.left, extensionBytes: filesetLimits.extensionBytes },
  );
  return {
    write: (chunk) => reader.write(chunk),
    end: () => {
      reader.end();
      budget.left -= reader.headers;
    },
  };
}
