import { createHash, type Hash } from 'node:crypto';
import type { Commit, Opening } from './codec.ts';
import { parseRecords, toTag } from './codec.ts';
import type { LedgerReader } from './reader.ts';

const digits = 8;

/** Returns the file name of a generation: short and lower case, so that it is the same on every filesystem. */
export function formatGenerationName(ledger: string, generation: number): string {
  return `${ledger}-${String(generation).padStart(digits, '0')}.jsonl`;
}

/** @returns undefined when the name is not that of a generation of this ledger */
export function parseGenerationName(ledger: string, name: string): number | undefined {
  if (!name.startsWith(`${ledger}-`) || !name.endsWith('.jsonl')) return undefined;
  const number = name.slice(ledger.length + 1, -'.jsonl'.length);
  const generation = number.length === digits && /^[0-9]+$/.test(number) ? Number(number) : 0;
  return generation > 0 ? generation : undefined;
}

/** A file that was found intact from its beginning to the end of its commit line. */
export interface CommittedGeneration {
  readonly kind: 'committed';
  readonly opening: Opening;
  readonly commit: Commit;
  /** Offset behind the commit line. */
  readonly end: number;
  /** Hash of the bytes up to `end`. */
  readonly hash: Hash;
  /** The first record of the file, not parsed further. */
  readonly first: unknown;
}

interface UncommittedGeneration {
  readonly kind: 'uncommitted';
  readonly opening: Opening | undefined;
  /** Whether all of the file was read: it is a leftover, and not damaged. */
  readonly isWhole: boolean;
}

/**
 * Determines whether a file was committed: its commit line must be present and cover exactly the bytes before it.
 *
 * @param reader at the beginning of the file
 */
export async function inspectGeneration(
  reader: LedgerReader,
  ledger: string,
  generation: number,
): Promise<CommittedGeneration | UncommittedGeneration> {
  const hash = createHash('sha256');
  let opening: Opening | undefined;
  let first: unknown;
  let sequence = 0;
  let tag = '';
  for (;;) {
    const entry = await reader.next();
    if (entry === 'end') return { kind: 'uncommitted', opening, isWhole: true };
    if (entry === 'bad') break;
    const { header } = entry;
    if (header.generation !== generation) break;
    if (header.kind === 'opening') {
      if (opening || header.ledger !== ledger) break;
      opening = header;
      sequence = header.predecessor?.sequence ?? 0;
    } else if (!opening) {
      break;
    } else if (header.kind === 'batch') {
      if (header.sequence !== sequence + 1 || header.after !== tag) break;
      sequence = header.sequence;
      first ??= parseRecords(entry.payload, header.records)?.[0];
    } else {
      const { length, sha256 } = header;
      if (header.sequence !== sequence || length !== entry.offset) break;
      if (hash.copy().digest('hex') !== sha256) break;
      hash.update(entry.raw);
      return { kind: 'committed', opening, commit: header, end: reader.offset, hash, first };
    }
    tag = toTag(header);
    hash.update(entry.raw);
  }
  return { kind: 'uncommitted', opening, isWhole: false };
}

/**
 * Returns whether an uncommitted file shows that it was committed once: it is then damaged, not a leftover. Reads the
 * whole file, in any state.
 */
export async function showsUse(reader: LedgerReader, ledger: string, generation: number): Promise<boolean> {
  const marker = Buffer.from(`{"commit":`);
  const member = `,"generation":${generation},`;
  let carried = Buffer.alloc(0);
  reader.seek(0);
  for await (const piece of reader.bytesTo(reader.size)) {
    const bytes = Buffer.concat([carried, piece]);
    for (let at = bytes.indexOf(marker); at >= 0; at = bytes.indexOf(marker, at + 1)) {
      if (bytes.toString('latin1', at, at + 64).includes(member)) return true;
    }
    carried = Buffer.from(bytes.subarray(Math.max(0, bytes.length - 64)));
  }
  // creating a ledger writes exactly one batch, so a second one proves use
  return (await reader.findIntact(ledger, generation, 0, 1)) !== undefined;
}
