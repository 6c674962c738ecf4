import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { type Author, isIntact, parseRecords, plain, toAuthor, toTag } from './codec.ts';
import { type CommittedGeneration, formatGenerationName } from './generation.ts';
import type { LedgerOptions } from './ledger.ts';
import { type Entry, LedgerReader } from './reader.ts';
import { findTrustedPart, type PrefixMatch } from './trusted-part.ts';
import type { LedgerTip } from './write-generation.ts';

export type ReadOptions<R> = Omit<LedgerOptions<R>, 'report'>;

/** Result of reading a ledger; generation 0 means that there is no ledger. */
export interface LedgerReading extends LedgerTip {
  readonly path: string;
  /** Other generations in the folder, which do not count. */
  readonly leftovers: readonly number[];
  /** Identity of the file that was read; the file is compared with it before it is written. */
  readonly identity: BigIntStats | undefined;
  /** Whether the file is under a key. */
  readonly keyed: boolean;
  readonly authors: Readonly<Record<Author, number>>;
  readonly prefix: PrefixMatch;
  readonly unreadable: number;
  readonly damage: { readonly path: string; readonly offset: number } | undefined;
  readonly lost: readonly { readonly offset: number; readonly bytes: number }[];
  readonly truncatedTail: { readonly offset: number; readonly bytes: number } | undefined;
}

/**
 * Reads one file to its end and passes its records on. Entries must follow each other without a gap. At a gap, an
 * intact later entry means damage, unless it was written before the entries of the gap were synced. None means a torn
 * tail.
 *
 * @param committed the part that the commit line covers; without it every batch is verified by itself
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
  /** Set after a gap, where only the sequence can be compared, not the tag. */
  let resumed = false;

  const known =
    trusted.hasKnown && !options.salvage && (await options.known!.take()) ? options.known!.place : undefined;
  if (known !== undefined) {
    ({ sequence, records, batches, unreadable, length, tag } = known);
    authors.verified = batches;
    keyed = true;
    reader.seek(length);
  }

  const isPlain =
    options.plain && ((bytes: Buffer, from: number, to: number) => options.plain!.keep(bytes, from, to));

  /** @returns the records of an entry that is valid at this place, none for a header; undefined when it is not valid */
  const accept = ({ header, offset, payload }: Entry): unknown[] | undefined => {
    if (header.generation !== generation) return undefined;
    if (header.kind === 'opening') return offset === 0 && header.ledger === name ? [] : undefined;
    if (header.kind === 'commit') return committed && offset < committed.end ? [] : undefined;
    const follows = header.sequence === sequence + 1 && header.after === tag;
    if (tag === '' || !(follows || (resumed && header.sequence > sequence))) return undefined;
    if (offset >= trusted.end && !isIntact(name, header, payload)) return undefined;
    options.plain?.clear();
    return parseRecords(payload, header.records, isPlain);
  };

  for (;;) {
    const offset = reader.offset;
    const entry = await reader.next();
    if (entry === 'end') {
      // the file is intact up to its end, but has no valid commit line
      if (!committed) damage ??= { path, offset };
      break;
    }
    const values = entry === 'bad' ? undefined : accept(entry);
    if (entry === 'bad' || !values) {
      // an entry that is intact but was not accepted must be skipped, or the search would find it again
      const from = resumed ? offset + 1 : offset;
      const proof = await reader.findIntact(name, generation, from, sequence, true);
      const torn = proof === undefined && committed !== undefined && offset >= committed.end;
      if (torn && !damage) break;
      damage ??= { path, offset };
      if (!options.salvage) break;
      const later = await reader.findIntact(name, generation, from, sequence);
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
        if (value === plain) {
          options.plain!.apply();
          continue;
        }
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
