import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { fromErrorRecord } from '../base/error.ts';
import type { PackMessage, PackThreadData, TreeMeasure } from './pack-thread.ts';
import { packThreadUrl } from './pack-thread-url.ts';

export type { TreeMeasure } from './pack-thread.ts';

/** A tree that has been looked at as a whole and waits to be packed. */
export interface TreePack extends AsyncDisposable {
  readonly measure: TreeMeasure;
  /**
   * The archive of the tree, once: `measure.bytes` bytes in chunks that nobody else uses. It ends only when the whole tree
   * is still what it was at first.
   *
   * @throws SVC-FIL-001
   */
  chunks(): AsyncGenerator<Buffer>;
}

/** Messages with chunks between reading and hashing. */
const messagesUnderWay = 4;

/**
 * Looks at a whole tree in a thread of its own, and gets ready to pack it as one uncompressed tar archive. The archive
 * tells names, types, permissions, content and the targets of links, in the order of the names: it is the same on every
 * machine, whoever owns the files, whenever they were written, in whatever order the system lists them.
 *
 * @param root real path of a folder
 * @throws SVC-FIL-001 (unreadable, over a limit), SVC-FIL-002 (unsafe; up to 20 more reasons are in its detail)
 */
export async function openTreePack(root: string, signal?: AbortSignal): Promise<TreePack> {
  signal?.throwIfAborted();
  const welcome = new Int32Array(new SharedArrayBuffer(4));
  const workerData: PackThreadData = { root, welcome: welcome.buffer };
  const worker = new Worker(packThreadUrl, {
    workerData,
    // what is looked at is garbage at once
    resourceLimits: { maxYoungGenerationSizeMb: 32 },
  });
  const messages = on(worker, 'message', { close: ['exit'], ...(signal ? { signal } : {}) });
  const next = async (): Promise<PackMessage> => {
    const { value, done } = await messages.next().catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : error;
    });
    if (done) throw new Error('the thread that packs has ended');
    const message = value[0] as PackMessage;
    if ('error' in message) throw fromErrorRecord(message.error);
    return message;
  };
  const grant = (count: number): void => {
    Atomics.add(welcome, 0, count);
    Atomics.notify(welcome, 0);
  };
  const end = async (): Promise<void> => {
    await worker.terminate();
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    const first = await next();
    if (!('measure' in first)) throw new Error('the thread that packs speaks out of turn');
    return {
      measure: first.measure,
      async *chunks() {
        grant(messagesUnderWay);
        for (let message = await next(); !('end' in message); message = await next()) {
          if (!('chunks' in message)) throw new Error('the thread that packs speaks out of turn');
          let left = message.length;
          for (const chunk of message.chunks) {
            const count = Math.min(left, chunk.byteLength);
            yield Buffer.from(chunk, 0, count);
            left -= count;
          }
          grant(1);
        }
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
