import { on } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { toStartError } from '../disk/threads/start-error.ts';
import { fromErrorRecord } from '../text/error.ts';
import type { TreeMeasure } from './pack-look.ts';
import { chunkAt, createPackRing, openPackRing, ringChunkBytes } from './pack-ring.ts';
import type { PackMessage, PackOrder } from './pack-thread.ts';
import { startPackThread } from './start-pack-thread.ts';

export type { TreeMeasure } from './pack-look.ts';

/** A tree that has been checked as a whole and can be packed. */
export interface TreePack extends AsyncDisposable {
  readonly measure: TreeMeasure;
  /** Whether the tree has a package of the platform. */
  readonly hasPackages: boolean;
  /**
   * Returns the archive of the tree, once: `measure.bytes` bytes. It completes only if the tree has not changed since it
   * was checked.
   *
   * @throws SVC-FIL-001
   */
  chunks(): AsyncGenerator<PackChunk>;
}

interface PackHelp {
  /** One that was started before, for this tree alone. */
  readonly thread?: Worker | undefined;
  /** Number of files and folders that may stay open: they are read without another walk. Default: none. */
  readonly hold?: number;
}

/** A piece of an archive, in memory that is reused. */
interface PackChunk {
  readonly bytes: Buffer;
  /** Returns the chunk, in any order. There are few chunks: none follows until some are returned. */
  readonly giveBack: () => void;
}

/**
 * Checks a whole tree in its own thread, and prepares to pack it as one uncompressed tar archive. The archive has
 * names, types, permissions, content and targets of links, in the order of the names. It is the same on every machine,
 * regardless of owners, times and the order of directory entries.
 *
 * @param root real path of a folder
 * @throws SVC-FIL-001 (unreadable, over a limit), SVC-FIL-002 (unsafe; up to 20 more reasons are in its detail)
 */
export async function openTreePack(
  root: string,
  signal?: AbortSignal,
  { thread = startPackThread(), hold = 0 }: PackHelp = {},
): Promise<TreePack> {
  const end = async (): Promise<void> => {
    await thread.terminate();
  };
  if (signal?.aborted) {
    await end();
    throw signal.reason;
  }
  const ring = createPackRing();
  const giveBack = openPackRing(ring);
  thread.ref();
  const messages = on(thread, 'message', { close: ['exit'], signal });
  let hasAnswered = false;
  const next = async (): Promise<PackMessage> => {
    const { value, done } = await messages.next().catch((error: unknown) => {
      if (signal?.aborted) throw signal.reason;
      throw hasAnswered ? error : toStartError(error, root);
    });
    hasAnswered = true;
    if (done) throw new Error('the thread that packs has ended');
    const message = value[0] as PackMessage;
    if ('error' in message) throw fromErrorRecord(message.error);
    return message;
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    thread.postMessage({ root, hold, ring } satisfies PackOrder);
    const first = await next();
    if (!('measure' in first)) throw new Error('the thread that packs speaks out of turn');
    return {
      measure: first.measure,
      hasPackages: first.hasPackages,
      async *chunks() {
        let count = 0;
        for (let message = await next(); !('end' in message); message = await next()) {
          if (!('bytes' in message)) throw new Error('the thread that packs speaks out of turn');
          for (let left = message.bytes; left > 0; left -= ringChunkBytes) {
            const index = count;
            count += 1;
            yield { bytes: chunkAt(ring, index).subarray(0, left), giveBack: () => giveBack(index) };
          }
        }
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
