import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { LedgerOptions } from './ledger.ts';
import { type Author, isIntact, parseRecords, toAuthor, toTag } from './ledger-codec.ts';
import { type CommittedGeneration, formatGenerationName } from './ledger-generation.ts';
import { type Entry, LedgerReader } from './ledger-reader.ts';
import { findTrustedPart, type PrefixMatch } from './ledger-trust.ts';
import type { LedgerTip } from './write-generation.ts';

export type ReadOptions<R> = Omit<LedgerOptions<R>, 'report'>;

/** What reading a ledger found out; generation 0: there is none. */
export interface LedgerReading extends LedgerTip {
  readonly path: string;
  /** Other generations that stand there and do not count. */
  readonly leftovers: readonly number[];
  /** The file that was read, to be recognised before it is written. */
  readonly identity: BigIntStats | undefined;
  /** Whether what stands there is under a key. */
  readonly keyed: boolean;
  readonly authors: Readonly<Record<Author, number>>;
  readonly prefix: PrefixMatch;
  readonly unreadable: number;
  readonly damage: { readonly path: string; readonly offset: number } | undefined;
  readonly lost: readonly { readonly offset: number; readonly bytes: number }[];
  readonly truncatedTail: { readonly offset: number; readonly bytes: number } | undefined;
}

/**
 * Reads one file through and tells its records. Entries must follow each other without a gap; where one does not, a
 * torn tail and damage are told apart by whether anything intact stands behind.
 *
 * @param committed what the commit line vouches for; without it nothing of the file is taken on trust
 */
export async function loadGeneration<R>(
  options: ReadOptions<R>,
  file: FileHandle,
  identity: BigIntStats,
  generation: number,
  committed: CommittedGeneration | undefined,
): Promise<Omit<LedgerReading, 'leftovers'>> {
  const { name } = options;
  const path = join(options.root, options.folder, formatGenerationName(name, generation));
  const size = Number(identity.size);
  const authors: Record<Author, number> = { verified: 0, unkeyed: 0, foreign: 0 };
  const lost: { offset: number; bytes: number }[] = [];
  const trusted = await findTrustedPart(options, file, size, generation, committed);
  const reader = new LedgerReader(file, size);
  let [sequence, records, batches, unreadable, length] = [0, 0, 0, 0, 0];
  let tag = '';
  let keyed = false;
  let damage: { path: string; offset: number } | undefined;
  /** Set behind a gap: there, only the number can be compared. */
  let resumed = false;

  /** @returns the records of an entry that may stand here, none for a header */
  const accept = ({ header, offset, payload }: Entry): unknown[] | undefined => {
    if (header.generation !== generation) return undefined;
    if (header.kind === 'opening') return offset === 0 && header.ledger === name ? [] : undefined;
    if (header.kind === 'commit') return committed && offset < committed.end ? [] : undefined;
    const follows = header.sequence === sequence + 1 && header.after === tag;
    if (tag === '' || !(follows || (resumed && header.sequence > sequence))) return undefined;
    if (offset >= trusted.end && !isIntact(name, header, payload)) return undefined;
    return parseRecords(payload, header.records);
  };

  for (;;) {
    const offset = reader.offset;
    const entry = await reader.next();
    if (entry === 'end') {
      // complete in itself, but for the commit
      if (!committed) damage ??= { path, offset };
      break;
    }
    const values = entry === 'bad' ? undefined : accept(entry);
    if (entry === 'bad' || !values) {
      // what was found intact and still does not stand must be left behind, or it would be found again
      const from = resumed ? offset + 1 : offset;
      const later = await reader.findIntact(name, generation, from, sequence);
      const torn = later === undefined && committed !== undefined && offset >= committed.end;
      if (torn && !damage) break;
      damage ??= { path, offset };
      if (!options.salvage) break;
      const next = typeof later === 'number' ? later : size;
      lost.push({ offset, bytes: next - offset });
      if (next === size) break;
      reader.seek(next);
      resumed = true;
      tag ||= 'lost';
      continue;
    }
    const { header } = entry;
    resumed = false;
    tag = toTag(header);
    sequence = header.kind === 'opening' ? (header.predecessor?.sequence ?? 0) : header.sequence;
    keyed ||= header.kind !== 'opening' && header.hmac !== undefined;
    if (header.kind === 'batch') {
      batches += 1;
      records += header.records;
      authors[trusted.authorAt(offset) ?? toAuthor(header, options.key)] += 1;
      for (const value of values) {
        const record = options.parse(value);
        if (record === undefined) unreadable += 1;
        else options.onRecord(record);
      }
    }
    if (damage) continue;
    if (offset >= trusted.end) trusted.hash.update(entry.raw);
    length = reader.offset;
  }
  const tail = damage ? 0 : size - length;
  return {
    generation,
    path,
    identity,
    length,
    hash: trusted.hash,
    sequence,
    records,
    batches,
    tag,
    keyed,
    authors,
    prefix: trusted.prefix,
    unreadable,
    damage,
    lost,
    truncatedTail: tail === 0 ? undefined : { offset: length, bytes: tail },
  };
}
