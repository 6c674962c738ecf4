import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { toDigest } from '../../base/digest.ts';
import { isSvcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { textParam } from '../../text/text-param.ts';
import { openGuarded } from '../guarded-open.ts';
import type { HashJob, HashOutcome } from './hash-file.ts';

interface HashPacedOptions {
  /** Awaited after each read of at most 1 MiB, so that the caller can limit the rate. An exception ends the reading. */
  readonly pace?: ((bytes: number) => Promise<void>) | undefined;
}

const readBytes = 1 << 20;

/**
 * Hashes one file below a root as `hashFile` does, but yields to the event loop after each MiB. For few files, or a
 * slow walk, in a serving process.
 *
 * @param root real path of the root
 * @throws the errors of `pace`
 */
export async function hashPaced(
  root: string,
  job: HashJob,
  { pace }: HashPacedOptions = {},
): Promise<HashOutcome> {
  let file: FileHandle;
  try {
    file = await openGuarded(root, job.path);
  } catch (error) {
    return toUnread(error);
  }
  try {
    const before = await readSafely(() => file.stat({ bigint: true }));
    if (!('ino' in before)) return before;
    if (job.size !== undefined && before.size !== BigInt(job.size))
      return { problem: 'size', actual: Number(before.size) };
    const hash = createHash(job.algorithm);
    // one byte more than a small file has, so that the read shows its end
    const buffer = Buffer.allocUnsafe(Math.min(readBytes, Number(before.size) + 1));
    let total = 0;
    for (;;) {
      const read = await readSafely(() => file.read(buffer, 0, buffer.length, null));
      if ('problem' in read) return read;
      if (read.bytesRead === 0) break;
      hash.update(buffer.subarray(0, read.bytesRead));
      total += read.bytesRead;
      await pace?.(read.bytesRead);
    }
    const after = await readSafely(() => file.stat({ bigint: true }));
    if (!('ino' in after)) return after;
    if (BigInt(total) !== before.size || !isSame(before, after))
      return {
        problem: 'changed',
        detail: rule(['the file changed while it was read', fr`le fichier a changé pendant la lecture`]),
      };
    const identity = { device: before.dev, inode: before.ino, size: total, ctimeNs: before.ctimeNs };
    return { digest: toDigest(job.algorithm, hash), identity };
  } finally {
    await file.close();
  }
}

/** Converts an error of `openGuarded`, or of reading the opened file, to a hash outcome. */
export function toUnread(error: unknown): {
  readonly problem: 'missing' | 'unreadable';
  readonly detail: string | Rule;
} {
  const code = codeOf(isSvcError(error) ? error.cause : error);
  const detail = code ?? (isSvcError(error) ? textParam(error, 'detail') : undefined) ?? 'unknown';
  return { problem: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable', detail };
}

function isSame(before: BigIntStats, after: BigIntStats): boolean {
  return after.size === before.size && after.ctimeNs === before.ctimeNs;
}

async function readSafely<T>(
  work: () => Promise<T>,
): Promise<T | { readonly problem: 'unreadable'; readonly detail: string }> {
  try {
    return await work();
  } catch (error) {
    return { problem: 'unreadable', detail: codeOf(error) ?? 'unknown' };
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
