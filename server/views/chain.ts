import { stat } from 'node:fs/promises';
import { systemClock } from '../../src/base/clock.ts';
import type { Digest } from '../../src/base/digest.ts';
import { requireSetting } from '../../src/base/require-setting.ts';
import { checkLedger, type LedgerPlace, listLedgerFiles } from '../../src/custody/check-ledger.ts';
import { toCustodyFolder } from '../../src/custody/ledger-files.ts';
import { toReadError } from '../../src/disk/read-error.ts';
import { type SvcError, svcError } from '../../src/text/error.ts';
import type { ViewParts } from './parts.ts';

/** What is known of the chain of the custody ledger. */
export interface ChainState {
  /** Number of lines that follow each other from the first one on. */
  readonly lines: number;
  /** SHA-256 of the last of them, with its line feed. */
  readonly digest: Digest;
  /** Offset of the next reading; absent when the ledger was read to its end. */
  readonly next?: LedgerPlace | undefined;
  /** The first broken line. */
  readonly error?: SvcError;
  /** When the last part was read, in milliseconds. */
  readonly at: number;
  /** Whether one part has not all of it. */
  readonly isLong: boolean;
  /** The sizes and times of its files when the reading began. */
  readonly files: string;
}

/** Milliseconds after which a long ledger, or one whose files did not change, is read again. */
const lasting = 600_000;

/** Checks that are under way, each with its last state: a long ledger is read in parts. */
const checks = new WeakMap<ViewParts['instance'], Promise<ChainState | undefined>>();

/**
 * Checks a further part of the chain of the custody ledger. A check that came to its end begins anew once the files have
 * changed, of a long ledger and of unchanged files after some minutes.
 *
 * @param most bytes of lines
 * @returns undefined without a ledger
 * @throws SVC-CFG-001 without a state folder, SVC-STO-001, SVC-STO-014
 */
export async function readChain(
  { instance }: Pick<ViewParts, 'instance'>,
  most: number,
): Promise<ChainState | undefined> {
  const before = checks.get(instance);
  const check = (async () => {
    const last = await before?.catch(() => undefined);
    const at = systemClock.wall();
    const isFresh = last !== undefined && !last.next && !last.error && at - last.at < lasting;
    if (isFresh && last.isLong) return last;
    const from = last?.next;
    const root = requireSetting('state.root', instance.context.config.state.root);
    const files = await listLedgerFiles(toCustodyFolder(root));
    if (files.length === 0) return undefined;
    const stats = await Promise.all(
      files.map((path) => stat(path).catch((error) => Promise.reject(toReadError(error, path)))),
    );
    const marks = stats
      .map(({ ino, size, mtimeMs, ctimeMs }) => [ino, size, mtimeMs, ctimeMs].join())
      .join(' ');
    if (isFresh && last.files === marks) return last;
    const { lines, head, broken, next } = await checkLedger(files, { from, most });
    const isLong = from !== undefined || next !== undefined;
    return {
      lines,
      digest: head.digest,
      next,
      at,
      isLong,
      files: marks,
      ...(broken ? { error: svcError('SVC-CUS-001', broken) } : {}),
    };
  })();
  checks.set(instance, check);
  return check;
}
