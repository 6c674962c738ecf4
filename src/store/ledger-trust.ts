import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { LedgerOptions, LedgerState } from './ledger.ts';
import { type Author, toAuthor } from './ledger-codec.ts';
import type { CommittedGeneration } from './ledger-generation.ts';
import { LedgerReader } from './ledger-reader.ts';

/** How what is remembered of a medium relates to a ledger on it. */
export type PrefixMatch = 'unknown' | 'matches' | 'superseded' | 'differs';

/** The part of a file that has been judged in whole. */
export interface TrustedPart {
  /** Bytes before it have been hashed in whole and need no look of their own. */
  readonly end: number;
  /** Over those bytes. */
  readonly hash: Hash;
  readonly prefix: PrefixMatch;
  /** Who wrote the batch at this offset; undefined: it is judged by itself. */
  authorAt(offset: number): Author | undefined;
}

/**
 * Judges the beginning of a ledger file in one go: up to the commit line by what that says, and further by what is
 * remembered of the medium.
 */
export async function findTrustedPart<R>(
  options: Pick<LedgerOptions<R>, 'key' | 'parse' | 'remembered'>,
  file: FileHandle,
  size: number,
  generation: number,
  committed: CommittedGeneration | undefined,
): Promise<TrustedPart> {
  const none = { end: 0, hash: createHash('sha256'), authorAt: () => undefined };
  if (!committed) return { ...none, prefix: 'unknown' };
  const first = options.parse(committed.first);
  const remembered = first === undefined ? undefined : options.remembered?.(first);
  const author = toAuthor(committed.commit, options.key);
  const snapshot = {
    end: committed.end,
    hash: committed.hash,
    authorAt: (offset: number) => (offset < committed.end ? author : undefined),
  };
  if (!remembered) return { ...snapshot, prefix: 'unknown' };
  if (remembered.generation < generation) return { ...snapshot, prefix: 'superseded' };
  if (!isWithin(remembered, generation, committed.end, size)) return { ...snapshot, prefix: 'differs' };
  const hash = committed.hash.copy();
  const reader = new LedgerReader(file, size);
  reader.seek(committed.end);
  for await (const piece of reader.bytesTo(remembered.length)) hash.update(piece);
  if (hash.copy().digest('hex') !== remembered.sha256) return { ...snapshot, prefix: 'differs' };
  const authorAt = (offset: number): Author | undefined =>
    offset < remembered.length ? 'verified' : undefined;
  return { end: remembered.length, hash, authorAt, prefix: 'matches' };
}

function isWithin(remembered: LedgerState, generation: number, end: number, size: number): boolean {
  return remembered.generation === generation && remembered.length >= end && remembered.length <= size;
}
