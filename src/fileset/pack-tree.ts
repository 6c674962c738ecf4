import { on } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { fromErrorRecord } from '../base/error.ts';
import type { TreeMeasure } from './pack-look.ts';
import { chunkAt, createPackRing, openPackRing, ringChunkBytes } from './pack-ring.ts';
import type { PackMessage, PackOrder } from './pack-thread.ts';
import { startPackThread } from './start-pack-thread.ts';

export type { TreeMeasure } from './pack-look.ts';

/** A tree that has been looked at as a whole and waits to be packed. */
export interface TreePack extends AsyncDisposable {
  readonly measure: TreeMeasure;
  /**
   * The archive of the tree, once: `measure.bytes` bytes. It ends only when the whole tree is still what it was at first.
   *
   * @throws SVC-FIL-001
   */
  chunks(): AsyncGenerator<PackChunk>;
}

/** A piece of an archive, in memory that is used again. */
export interface PackChunk {
  readonly bytes: Buffer;
  /** Says that it has served. Chunks may serve in any order, but there are few: without this no more come. */
  readonly giveBack: () => void;
}

/**
 * Looks at a whole tree in a thread of its own, and gets ready to pack it as one uncompressed tar archive. The archive
 * tells names, types, permissions, content and the targets of links, in the order of the names: it is the same on every
 * machine, whoever owns the files, whenever they were written, in whatever order the system lists them.
 *
 * @param root real path of a folder
 * @param thread one that was started before, for this tree alone
 * @throws SVC-FIL-001 (unreadable, over a limit), SVC-FIL-002 (unsafe; up to 20 more reasons are in its detail)
 */
export async function openTreePack(
  root: string,
  signal?: AbortSignal,
  thread: Worker = startPackThread(),
): Promise<TreePack> {
  const end = async (): Promise<void> => {
    await thread.terminate();
  };
  if (signal?.aborted) {
    await end();
    throw signal.reason;
  }
  const ring = createPackRing();
  thread.ref();
  const messages = on(thread, 'message', { close: ['exit'], ...(signal ? { signal } : {}) });
  const next = async (): Promise<PackMessage> => {
    const { value, done } = await messages.next().catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : error;
    });
    if (done) throw new Error('the thread that packs has ended');
    const message = value[0] as PackMessage;
    if ('error' in message) throw fromErrorRecord(message.error);
    return message;
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    thread.postMessage({ root, ring } satisfies PackOrder);
    const first = await next();
    if (!('measure' in first)) throw new Error('the thread that packs speaks out of turn');
    return {
      measure: first.measure,
      async *chunks() {
        const giveBack = openPackRing(ring);
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
