import { createHash, type Hash } from 'node:crypto';
import type { TarMember } from '../../disk/tar/reader.ts';
import { TarReader } from '../../disk/tar/reader.ts';
import { filesetLimits } from '../limits.ts';
import { isRpmName, isUnsignedRpm, rpmHeadBytes } from '../package-check/rpm-signature.ts';
import type { TreeBuilder } from './tree-builder.ts';

/** Reads the bytes of one uncompressed layer and adds its entries to the tree. */
export interface LayerScanner {
  /** @throws TarError */
  write(chunk: Buffer): void;
  /** Skips content of the current file. @returns bytes skipped, at most `most` */
  passContent(most: number): number;
  /** @throws TarError when the layer is truncated */
  end(): void;
}

/** Number of entries that may still follow, in all layers together. */
export interface EntryBudget {
  left: number;
}

const noDigest = new Uint8Array();

/**
 * Creates the scanner of a layer. It hashes every file, as clients identify files by their digest, and notes the packages
 * that have no signature of their own.
 *
 * @param options `hashes`: false for a tree that is only judged. Default true
 */
export function createLayerScanner(
  builder: TreeBuilder,
  budget: EntryBudget,
  { hashes = true }: { readonly hashes?: boolean } = {},
): LayerScanner {
  let hash: Hash | undefined;
  /** The beginning of a package. */
  const head = Buffer.alloc(rpmHeadBytes);
  let filled = 0;
  let isPackage = false;
  const reader = new TarReader(
    {
      begin: ({ type, path }) => {
        hash = hashes && type === 'file' ? createHash('sha256') : undefined;
        isPackage = hash !== undefined && isRpmName(path);
        filled = 0;
      },
      content: (chunk) => {
        hash?.update(chunk);
        if (isPackage) filled += chunk.copy(head, filled);
      },
      end: (member: TarMember) => {
        const digest = hash?.digest();
        builder.add(member, hashes ? digest : noDigest);
        if (isPackage && isUnsignedRpm(head.subarray(0, filled))) builder.noteUnsigned(digest!);
      },
    },
    { headers: budget.left, extensionBytes: filesetLimits.extensionBytes },
  );
  return {
    write: (chunk) => reader.write(chunk),
    passContent: (most) => reader.passContent(most),
    end: () => {
      reader.end();
      budget.left -= reader.headers;
    },
  };
}
