import { constants } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { actors } from '../base/report.ts';
import { openRegular } from '../disk/guarded-open.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { listLedgerYears, toCustodyFolder } from './ledger-files.ts';
import type { Custody, CustodyEntry, OpenIntent } from './model.ts';

/** An empty file, which is as old as the first work that was done without the ledger. */
const toPath = (folder: string): string => join(folder, 'paused');

/** Remembers that work is done without a ledger which has lines. Where that is impossible, the work is done nevertheless. */
async function notePause(stateRoot: string): Promise<void> {
  const folder = toCustodyFolder(stateRoot);
  try {
    if ((await listLedgerYears(folder)).length === 0) return;
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    const file = await openRegular(toPath(folder), O_WRONLY | O_CREAT | O_EXCL, 0o600);
    await file.close();
  } catch {
    // it is there already, or the ledger is not writable
  }
}

/**
 * Finds out whether work was done without the ledger since its last line.
 *
 * @param folder of the ledger
 * @returns the event about it, and a function that forgets it
 * @throws the operating system's error
 */
export async function findPause(
  folder: string,
): Promise<{ readonly entry: CustodyEntry; forget(): Promise<void> } | undefined> {
  const path = toPath(folder);
  try {
    const { mtime } = await stat(path);
    return {
      entry: { type: 'resumed', actor: actors.system, details: { since: mtime.toISOString() } },
      forget: () => rm(path),
    };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

const openIntent: OpenIntent = { end: async () => {}, fail: async () => {} };

/** Keeps no lines, and remembers for the next one that work was done without it. */
export function createPausedCustody(stateRoot: string): Custody {
  return {
    open: async () => {},
    record: async () => {
      await notePause(stateRoot);
      return undefined;
    },
    begin: async () => {
      await notePause(stateRoot);
      return openIntent;
    },
    during: async (_entry, work) => {
      await notePause(stateRoot);
      return work(undefined);
    },
  };
}
