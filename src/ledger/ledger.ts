import type { Steps } from '../base/pacer.ts';
import type { Report } from '../base/report.ts';
import type { PreparedRecords } from './prepared-records.ts';
import { readLedger } from './read-ledger.ts';
import type { PrefixMatch } from './trusted-part.ts';
import { LedgerWriter } from './writer.ts';

/** End of a ledger: identifies the ledger, and everything before that end, when it is opened again. */
export interface LedgerState {
  /** Number of the file, from 1; 0 before the first record. */
  readonly generation: number;
  /** Bytes up to the end of the last whole batch. */
  readonly length: number;
  /** Number of the last batch; compaction continues it. */
  readonly sequence: number;
  /** SHA-256 (hex) of the first `length` bytes. */
  readonly sha256: string;
}

/** The end of a ledger with everything that reading on from there needs. */
export interface LedgerPlace extends LedgerState {
  readonly records: number;
  readonly batches: number;
  /** Number of records before it that `parse` refused. */
  readonly unreadable: number;
  /** Tag of the last entry. */
  readonly tag: string;
}

/** Number of batches by the key under which they were written. */
export interface LedgerAuthors {
  /** Under this instance's key, or inside the remembered prefix. */
  readonly verified: number;
  /** Without any key. */
  readonly unkeyed: number;
  /** Under another key, or altered after they were written. */
  readonly foreign: number;
}

/** Reads lines in a form that needs no JSON. Each of its records is one that `parse` accepts, and means the same. */
export interface PlainRecords {
  /**
   * Keeps the record of a line, from `start` to its line feed at `end`. Nothing is applied before the whole batch was read.
   *
   * @returns false when the line has another form: it is read as JSON
   */
  keep(bytes: Buffer, start: number, end: number): boolean;
  /** Applies the oldest kept record; called in the order of all records. */
  apply(): void;
  /** Forgets the kept records: those of a batch that does not count were not applied. */
  clear(): void;
}

export interface LedgerOptions<R> {
  /** Real path of the store's root. */
  readonly root: string;
  /** Folder of the ledgers, relative to the root. */
  readonly folder: string;
  /** `content` or `recipe`: the files are `<name>-<generation>.jsonl`. */
  readonly name: string;
  /** The key of this instance. Without a key, batches are written unkeyed. */
  readonly key?: Buffer | undefined;
  /**
   * False refuses every change. Opening changes nothing in either case: a torn tail and the leftovers of an interrupted
   * compaction are removed just before the first append.
   */
  readonly writable: boolean;
  /** Reads one record, which on a medium is hostile input; undefined for anything else, which is never written either. */
  readonly parse: (value: unknown) => R | undefined;
  /** Called with every record, in order, while the ledger is opened. */
  readonly onRecord: (record: R) => void;
  /** Reads records of a common form without JSON, for speed alone. */
  readonly plain?: PlainRecords;
  /**
   * Returns the remembered state of the medium that the first record names; called at most once, when there is a record.
   * The prefix that the state describes is hashed and compared; only later batches are verified one by one.
   */
  readonly remembered?: (first: R) => LedgerState | undefined;
  /**
   * A place up to which the records are known already. Reading starts there if the file has exactly the bytes before it,
   * the remembered state covers them, and `take` returns true; otherwise at the beginning.
   */
  readonly known?: { readonly place: LedgerPlace; readonly take: () => Promise<boolean> } | undefined;
  /** Continues after damage with every later batch that verifies: for a repair, which ends in `compact`. */
  readonly salvage?: boolean;
  readonly report: Report;
}

/**
 * An append-only file of records in batches. An appended record is durable; a record whose append failed or was
 * interrupted is not in the ledger.
 */
export interface Ledger<R> extends AsyncDisposable {
  /** Path of the current file, for messages. */
  readonly path: string;
  /** Changes with every change of the ledger. */
  readonly head: string;
  /** Number of records in the file, dead ones included. */
  readonly records: number;
  readonly authors: LedgerAuthors;
  /** Whether the file was written under a key. */
  readonly keyed: boolean;
  /**
   * Whether the remembered prefix was found. `unknown`: none is remembered. `superseded`: the file is of a later
   * generation, whose batches were verified one by one.
   */
  readonly prefix: PrefixMatch;
  /** Number of records that `parse` refused. */
  readonly unreadable: number;
  /** Set when a batch fails and a valid one follows: nothing can be appended. */
  readonly damage: { readonly path: string; readonly offset: number } | undefined;
  /** With `salvage`: the ranges of the file that failed verification. */
  readonly lost: readonly { readonly offset: number; readonly bytes: number }[];
  /** Bytes that an interrupted append left after the last whole batch, as found when the ledger was opened. */
  readonly truncatedTail: { readonly offset: number; readonly bytes: number } | undefined;
  /** The end of the records that would survive a power cut. */
  state(): LedgerState;
  /** The same for `known`; undefined while it is not the end of all records, or the file is not under this instance's key. */
  place(): LedgerPlace | undefined;
  /**
   * Appends records as one batch, all or none. Calls made while a batch is being synced share the next sync.
   *
   * @param options `awaitSync`: whether to wait until the records would survive a power cut. Without, the records survive
   *   a kill of the process only; they are synced with the next records whose caller waits, or soon after
   * @throws SVC-STO-002, also for a record that `parse` would refuse; SVC-STO-004, SVC-STO-005; SVC-CFG-001 when the
   *   ledger is under a key other than this instance's
   */
  append(records: readonly R[] | PreparedRecords, options?: { readonly awaitSync?: boolean }): Promise<void>;
  /**
   * Prepares a large batch for `append`, one record in a step: formatting thousands of records at once would hold the
   * event loop.
   *
   * @throws SVC-STO-002 for a record that `parse` would refuse
   */
  prepare(records: readonly R[]): Steps<PreparedRecords>;
  /**
   * Writes the live records as a new generation, which replaces the file once it is durable. Appends wait meanwhile.
   * `snapshot` is called when no append is in progress, and iterated in slices. Records appended before are in the
   * snapshot, waiting ones follow it, and a record that is in both must do no harm. A record that `parse` would refuse
   * ends the compaction, and the old file stays.
   *
   * @param options `key`: the key from now on (adoption; `undefined` for none). `repair`: also compacts a damaged ledger,
   *  which was opened with `salvage`
   */
  compact(
    snapshot: () => Iterable<R>,
    options?: { readonly key?: Buffer | undefined; readonly repair?: boolean },
  ): Promise<void>;
  /**
   * Opens the file for writing, as the first append does; so a file that cannot be written is found before a decision.
   *
   * @throws SVC-STO-002, SVC-STO-007, SVC-CFG-001
   */
  prepareToWrite(): Promise<void>;
  /** Waits until every record appended so far would survive a power cut. @throws SVC-STO-002, SVC-STO-004 */
  sync(): Promise<void>;
  /** @throws SVC-STO-00x when the file may end with a batch that failed and could not be truncated */
  requireWhole(): void;
  /** Returns whether the dead records outweigh the live ones enough for a new generation. */
  shouldCompact(liveRecords: number): boolean;
  /** Waits for appends and compactions in progress. */
  close(): Promise<void>;
}

/**
 * Opens a ledger and passes its records to `onRecord`. Opening changes nothing, even if the ledger is writable; a ledger
 * that does not exist is empty, and the first append creates it.
 *
 * @throws SVC-STO-001 when the ledger cannot be read, or its path is not a regular file
 */
export async function openLedger<R>(options: LedgerOptions<R>): Promise<Ledger<R>> {
  const reading = await readLedger(options);
  const { truncatedTail, damage, path } = reading;
  if (truncatedTail) {
    options.report.log('warn', 'A ledger ends in an interrupted write, which is ignored', {
      path,
      offset: truncatedTail.offset,
      bytes: truncatedTail.bytes,
    });
  }
  if (damage) {
    options.report.log('error', 'A ledger is damaged; it cannot be appended to', { ...damage });
  }
  return new LedgerWriter<R>(options, reading);
}
