import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type Author, toAuthor } from './codec.ts';
import type { CommittedGeneration } from './generation.ts';
import type { LedgerOptions, LedgerState } from './ledger.ts';
import { LedgerReader } from './reader.ts';

/** Relation of the remembered state of a medium to the ledger on the medium. */
export type PrefixMatch = 'unknown' | 'matches' | 'superseded' | 'differs';

/** The part of a file that was judged as a whole. */
interface TrustedPart {
  /** Offset; the bytes before it are covered by one hash and are not verified batch by batch. */
  readonly end: number;
  /** Hash of those bytes. */
  readonly hash: Hash;
  readonly prefix: PrefixMatch;
  /** Whether it begins with the bytes before the known place. */
  readonly hasKnown: boolean;
  /** Author of the batch at this offset; undefined when the batch is judged by itself. */
  authorAt(offset: number): Author | undefined;
}

/**
 * Judges the beginning of a ledger file as a whole, up to its commit line by that line, and further by the remembered
 * state.
 */
export async function findTrustedPart<R>(
  options: Pick<LedgerOptions<R>, 'key' | 'parse' | 'remembered' | 'known'>,
  file: FileHandle,
  size: number,
  generation: number,
  committed: CommittedGeneration | undefined,
): Promise<TrustedPart> {
  const none = { end: 0, hash: createHash('sha256'), hasKnown: false, authorAt: () => undefined };
  if (!committed) return { ...none, prefix: 'unknown' };
  const first = options.parse(committed.first);
  const remembered = first === undefined ? undefined : options.remembered?.(first);
  const author = toAuthor(committed.commit, options.key);
  const snapshot = {
    end: committed.end,
    hash: committed.hash,
    hasKnown: false,
    authorAt: (offset: number) => (offset < committed.end ? author : undefined),
  };
  if (!remembered) return { ...snapshot, prefix: 'unknown' };
  if (remembered.generation < generation) return { ...snapshot, prefix: 'superseded' };
  if (!isWithin(remembered, generation, committed.end, size)) return { ...snapshot, prefix: 'differs' };
  const hash = committed.hash.copy();
  const reader = new LedgerReader(file, size);
  reader.seek(committed.end);
  const known = options.known?.place;
  const isCovered = known !== undefined && isWithin(known, generation, committed.end, remembered.length);
  if (isCovered) for await (const piece of reader.bytesTo(known.length)) hash.update(piece);
  const hasKnown = isCovered && hash.copy().digest('hex') === known.sha256;
  for await (const piece of reader.bytesTo(remembered.length)) hash.update(piece);
  if (hash.copy().digest('hex') !== remembered.sha256) return { ...snapshot, prefix: 'differs' };
  const authorAt = (offset: number): Author | undefined =>
    offset < remembered.length ? 'verified' : undefined;
  return { end: remembered.length, hash, hasKnown, authorAt, prefix: 'matches' };
}

function isWithin(remembered: LedgerState, generation: number, end: number, size: number): boolean {
  return remembered.generation === generation && remembered.length >= end && remembered.length <= size;
}
