import type { Report } from '../base/report.ts';
import { readLedger } from './ledger-read.ts';
import type { PrefixMatch } from './ledger-trust.ts';
import { LedgerWriter } from './ledger-writer.ts';

/** Where a ledger ends: enough to recognise it, and everything before, when it comes back. */
export interface LedgerState {
  /** Number of the file, from 1; 0 before the first record. */
  readonly generation: number;
  /** Bytes up to the end of the last whole batch. */
  readonly length: number;
  /** Number of the last batch; compaction continues it. */
  readonly sequence: number;
  /** SHA-256 (hex) of those bytes. */
  readonly sha256: string;
}

/** Who wrote the batches, as far as the key tells. */
export interface LedgerAuthors {
  /** Under our key, or inside the remembered prefix. */
  readonly verified: number;
  /** Without any key. */
  readonly unkeyed: number;
  /** Under a key that is not ours, or altered since. */
  readonly foreign: number;
}

export interface LedgerOptions<R> {
  /** Real path of the store's root. */
  readonly root: string;
  /** Folder of the ledgers, relative to the root. */
  readonly folder: string;
  /** `content` or `recipe`: the files are `<name>-<generation>.jsonl`. */
  readonly name: string;
  /** The key of this instance. Without it what is written is unkeyed. */
  readonly key?: Buffer | undefined;
  /**
   * False refuses every change. Opening changes nothing in either case: torn tails and leftovers of an interrupted
   * compaction go just before the first append.
   */
  readonly writable: boolean;
  /** Reads one record, which on a medium is hostile input; undefined: not one. */
  readonly parse: (value: unknown) => R | undefined;
  /** Told every record in order while the ledger is opened. */
  readonly onRecord: (record: R) => void;
  /**
   * The remembered state of the medium that the first record names; asked once, when there is one. The prefix that it
   * describes is hashed and compared, and only later batches are verified one by one.
   */
  readonly remembered?: (first: R) => LedgerState | undefined;
  /** Goes on after damage with every later batch that verifies: for a repair, which ends in `compact`. */
  readonly salvage?: boolean;
  readonly report: Report;
}

/**
 * An append-only file of records in batches. A record that was appended is durable; one whose append failed or was
 * interrupted is not there.
 */
export interface Ledger<R> extends AsyncDisposable {
  /** The file that counts, as people know it. */
  readonly path: string;
  /** Changes with every change of the ledger. */
  readonly head: string;
  /** Number of records in the file, dead ones included. */
  readonly records: number;
  readonly authors: LedgerAuthors;
  /** Whether anything in the file is under a key. */
  readonly keyed: boolean;
  /**
   * Whether the remembered prefix was found. `unknown`: none is remembered. `superseded`: a later generation stands
   * there, whose batches were verified by themselves.
   */
  readonly prefix: PrefixMatch;
  /** Records that `parse` did not know. */
  readonly unreadable: number;
  /** Set when a batch fails and a valid one follows: nothing can be appended. */
  readonly damage: { readonly path: string; readonly offset: number } | undefined;
  /** With `salvage`: the ranges of the file that verify no more. */
  readonly lost: readonly { readonly offset: number; readonly bytes: number }[];
  /** What an interrupted append left behind the last whole batch, when the ledger was opened. */
  readonly truncatedTail: { readonly offset: number; readonly bytes: number } | undefined;
  state(): LedgerState;
  /**
   * Appends records as one batch, whole or not at all. Calls made while one is being synced share the next sync.
   *
   * @throws SVC-STO-002, SVC-STO-004, SVC-STO-005; SVC-CFG-001 when the ledger is under a key that is not ours
   */
  append(records: readonly R[]): Promise<void>;
  /**
   * Writes the live records as a new generation, which replaces the file when it is durable. Appends wait meanwhile.
   * `snapshot` is asked when nothing is under way, and iterated in slices; records that were appended before are in it,
   * those that wait follow it, and a record in both must do no harm.
   *
   * @param options `key`: the key from now on (adoption; `undefined` for none). `repair`: also a damaged ledger, which
   *   was opened with `salvage`
   */
  compact(
    snapshot: () => Iterable<R>,
    options?: { readonly key?: Buffer | undefined; readonly repair?: boolean },
  ): Promise<void>;
  /** Whether the dead records outweigh the live ones enough for a new generation. */
  /** @throws SVC-STO-00x when a failed batch may stand in the file and could not be taken back: it is not as it is told */
  requireWhole(): void;
  shouldCompact(liveRecords: number): boolean;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/**
 * Opens a ledger and tells its records. Nothing is changed, also when it is writable; a ledger that does not exist is
 * empty, and made by the first append.
 *
 * @throws SVC-STO-001 when it cannot be read, or something else stands in its place
 */
export async function openLedger<R>(options: LedgerOptions<R>): Promise<Ledger<R>> {
  const reading = await readLedger(options);
  const { truncatedTail, damage, path } = reading;
  if (truncatedTail) {
    options.report.log('warn', 'A ledger ends in an interrupted write, which does not count', {
      path,
      offset: truncatedTail.offset,
      bytes: truncatedTail.bytes,
    });
  }
  if (damage) {
    options.report.log('error', 'A ledger is damaged; nothing can be added to it', { ...damage });
  }
  return new LedgerWriter<R>(options, reading);
}
