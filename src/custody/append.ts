import { constants } from 'node:fs';
import { chown, type FileHandle, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock, toStamp } from '../base/clock.ts';
import { Serial } from '../base/concurrency.ts';
import { hashBytes } from '../base/digest.ts';
import { openRegular } from '../disk/guarded-open.ts';
import { acquireLock } from '../disk/lock.ts';
import { makeStateFolder } from '../disk/make-folder.ts';
import { syncFolder } from '../disk/sync-folder.ts';
import { writeAll } from '../disk/write-all.ts';
import { toWriteError } from '../disk/write-error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { type CustodyRoots, findRootsChange } from './known-roots.ts';
import { listLedgerYears, toCustodyFolder, toLedgerPath } from './ledger-files.ts';
import { type CustodyHead, type WrittenLine, writeLine } from './line.ts';
import type { NewLine } from './model.ts';
import { findPause } from './pause.ts';
import { type LedgerEnd, readEnd, readHead } from './read-head.ts';
import { toLines } from './to-lines.ts';

/** Appends lines, durably. */
export interface LedgerWriter {
  /**
   * Appends lines with one write. They are durable when this returns. Without lines, only the ledger is looked at.
   *
   * @returns the head that they make
   * @throws SVC-CUS-001 for a ledger that is broken at its end; SVC-STO-002, SVC-STO-004, SVC-STO-007, SVC-STO-014. No
   *   line is then in the ledger
   */
  append(lines: readonly NewLine[]): Promise<CustodyHead>;
}

export interface WriterOptions {
  /** Folder of the state. */
  readonly stateRoot: string;
  readonly site: string;
  /** The trust roots: the first line that is appended follows one about their change, if they changed. */
  readonly roots?: CustodyRoots | undefined;
  readonly clock?: Pick<Clock, 'wall'> | undefined;
}

/** Milliseconds for which a writer waits for that of another process. */
const patience = 10_000;

/**
 * Creates the writer of a ledger. Nothing is opened before the first line. Processes that share the state take turns: a lock
 * is held from the reading of the head until the lines are durable.
 *
 * A line that a killed process did not finish is overwritten, and the next line names its bytes.
 */
export function createLedgerWriter({
  stateRoot,
  site,
  roots,
  clock = systemClock,
}: WriterOptions): LedgerWriter {
  const folder = toCustodyFolder(stateRoot);
  const turns = new Serial();
  let areRootsSettled = roots === undefined;

  /** A file of root would lock out the instance, which runs as the owner of the state. */
  async function giveToOwner(path: string): Promise<void> {
    if (process.geteuid?.() !== 0) return;
    const { uid, gid } = await stat(stateRoot);
    await chown(path, uid, gid);
  }

  /**
   * Opens the file of the year, or a later one: a clock that was set back does not reorder the lines. An unfinished line is
   * replaced in its own file, also when the year is over.
   */
  async function openNewest(): Promise<{ file: FileHandle; path: string; end: LedgerEnd }> {
    const newest = (await listLedgerYears(folder)).at(-1) ?? 0;
    const year = new Date(clock.wall()).getUTCFullYear();
    if (newest > 0) {
      const opened = await openYear(newest);
      if (newest >= year || opened.end.rest.length > 0) return opened;
      await opened.file.close();
    }
    const opened = await openYear(year);
    await giveToOwner(opened.path);
    await syncFolder(folder);
    return opened;
  }

  /** Lines never go through a link: the file behind it may belong to something else. */
  async function openYear(year: number): Promise<{ file: FileHandle; path: string; end: LedgerEnd }> {
    const path = toLedgerPath(folder, year);
    const file = await openRegular(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      return { file, path, end: await readEnd(file, path) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  function toBytes(lines: readonly NewLine[], before: CustodyHead, rest: Buffer): readonly WrittenLine[] {
    const written: WrittenLine[] = [];
    const ts = toStamp(clock);
    for (const [i, line] of lines.entries()) {
      const torn = i === 0 && rest.length > 0 ? { bytes: rest.length, digest: hashBytes(rest) } : undefined;
      written.push(writeLine({ ...line, ts, site, torn }, written.at(-1) ?? before));
    }
    return written;
  }

  async function append(given: readonly NewLine[]): Promise<CustodyHead> {
    await makeStateFolder(folder);
    await giveToOwner(folder);
    const lockPath = join(folder, 'custody.lock');
    await using _lock = await acquireLock(lockPath, 'exclusive', {
      holder: rule(['custody ledger', fr`journal de garde`]),
      patience,
    });
    await giveToOwner(lockPath);
    const opened = await openNewest();
    await using file = opened.file;
    const { head, size, rest } = opened.end;
    const before = head ?? (await readHead(folder));
    const change = areRootsSettled ? undefined : await findRootsChange(folder, roots!);
    const pause = await findPause(folder);
    const events = [pause, change].flatMap((one) => (one ? toLines(one.entry, { step: 'event' }) : []));
    const lines = [...events, ...given];
    if (lines.length === 0) return before;
    const written = toBytes(lines, before, rest);
    const bytes = Buffer.concat(written.map((line) => line.bytes));
    try {
      // an unfinished line stays unfinished until all bytes that replace it are there
      await writeAll(file, [bytes], size);
      await file.truncate(size + bytes.length);
      await file.datasync();
    } catch (error) {
      // the lines must not count if the operation does not begin
      await file.truncate(size).catch(() => undefined);
      await file.datasync().catch(() => undefined);
      throw toWriteError(error, opened.path, { size: bytes.length, place: 'state' });
    }
    // the next writer tells the change again
    await change?.keep().catch(() => undefined);
    await pause?.forget().catch(() => undefined);
    areRootsSettled = true;
    const { seq, digest } = written.at(-1)!;
    return { seq, digest };
  }

  return {
    append: (lines) =>
      turns.run(async () => {
        try {
          return await append(lines);
        } catch (error) {
          throw toWriteError(error, folder, { place: 'state' });
        }
      }),
  };
}
