import { mkdir } from 'node:fs/promises';
import type { Digest } from '../../../src/base/digest.ts';
import { silentReport } from '../../../src/base/report.ts';
import { openCopyPool } from '../../../src/disk/threads/copy-pool.ts';
import type { RangeHashes } from '../../../src/engine/delivery/hash-ranges.ts';
import type { Delivery, WrittenPart } from '../../../src/engine/delivery/model.ts';
import { writePart } from '../../../src/engine/delivery/write-part.ts';
import { writeMedium } from '../../../src/operation/delivery/write-medium.ts';
import type { Store } from '../../../src/store/model.ts';

type Writing = Parameters<typeof writeMedium>[0];

/** Writes the recipes of a store onto disks, as the command does. */
export const writeMediumOf = (
  options: Pick<Writing, 'store' | 'sent' | 'zone' | 'folders' | 'policy'> & Partial<Writing>,
): ReturnType<typeof writeMedium> =>
  writeMedium({
    recipes: [],
    marginPercent: 0,
    actor: 'test',
    report: silentReport,
    version: '0.0.0-test',
    preflightDisabled: false,
    ...options,
  });

/**
 * Writes one part of a delivery, as the command does with it alone.
 *
 * @param part from 1
 * @param known digest of the manifest that was written before
 * @param beforeCopy called before each large file is copied
 * @param ranges hashes of the segments of all parts
 * @param onCopied as of `writePart`
 */
export async function writePartOf(
  store: Store,
  delivery: Delivery,
  path: string,
  part = 1,
  signal?: AbortSignal,
  known?: Digest,
  beforeCopy?: () => Promise<void>,
  ranges?: RangeHashes,
  onCopied?: () => void,
): Promise<WrittenPart> {
  await mkdir(path, { recursive: true });
  await using own = openCopyPool({ signal });
  const pool = Object.create(own, {
    copy: {
      value: async (job: Parameters<typeof own.copy>[0]) => {
        await beforeCopy?.();
        return own.copy(job);
      },
    },
  });
  const writtenAt = '2026-02-03T04:05:06.000Z';
  const options = { store, delivery, part, path, writtenAt, version: '0.0.0-test', pool, signal, known };
  return await writePart({ ...options, ranges, onCopied });
}
