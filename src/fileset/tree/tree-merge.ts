import { Worker } from 'node:worker_threads';
import { TarError } from '../../disk/tar/error.ts';
import { toStartError } from '../../disk/threads/start-error.ts';
import { restoreRule } from '../../text/rule.ts';
import { pieceBytes, type TreeAnswer, type TreeRequest } from './tree-messages.ts';
import { treeThreadUrl } from './tree-thread-url.ts';

/** Milliseconds after which an unused thread ends and releases its memory. */
const idle = 5000;

interface TreeThread {
  readonly worker: Worker;
  /** The requests of each merge that are not answered yet. */
  readonly merges: Map<number, PromiseWithResolvers<number>[]>;
  hasAnswered: boolean;
}

let thread: TreeThread | undefined;
let ending: NodeJS.Timeout | undefined;
let lastId = 0;

/** @throws SVC-STO-014 */
function startThread(path: string): TreeThread {
  let worker: Worker;
  try {
    worker = new Worker(treeThreadUrl);
  } catch (error) {
    throw toStartError(error, path);
  }
  const started: TreeThread = { worker, merges: new Map(), hasAnswered: false };
  const fail = (error: unknown): void => {
    if (thread === started) thread = undefined;
    const failure = started.hasAnswered ? error : toStartError(error, path);
    for (const waiting of started.merges.values())
      for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on('error', fail).on('exit', () => fail(new Error('the thread that merges layers has ended')));
  worker.on('message', (answer: TreeAnswer) => {
    started.hasAnswered = true;
    const waiting = started.merges.get(answer.id)?.shift();
    if ('passed' in answer) waiting?.resolve(answer.passed);
    else waiting?.reject(toError(answer));
  });
  thread = started;
  return started;
}

function toError(answer: Exclude<TreeAnswer, { passed: number }>): Error {
  if ('refused' in answer) return new TarError(restoreRule(answer.refused.rule), answer.refused.path);
  const { message, code, errcode } = answer.failed;
  return Object.assign(new Error(message), { code, errcode });
}

/** The merge of the layers of one image in a thread. After an error only `Symbol.asyncDispose` may be called. */
export interface TreeMerge extends AsyncDisposable {
  /** Starts a layer, which is higher than the one before. */
  beginLayer(layer: number): Promise<void>;
  /**
   * Passes bytes of the layer on; the piece may be reused when the call returns. An error may be thrown by a later call.
   *
   * @throws TarError, the errors of SQLite
   */
  write(piece: Buffer): Promise<void>;
  /**
   * As `write`, and asks how many of the bytes behind the piece are content of a file, which is then passed over.
   *
   * @param piece not larger than `pieceBytes`
   */
  writeAndPass(piece: Buffer, behind: number): Promise<number>;
  /** @throws TarError also when the layer is truncated */
  endLayer(): Promise<void>;
  /** Completes the tree. @throws TarError, the errors of SQLite */
  end(): Promise<void>;
}

/**
 * Opens a merge of layers.
 *
 * @param path of the table to create; empty for a temporary one
 * @param options `hashes`: false for a tree that is only judged
 * @throws SVC-STO-014, the errors of SQLite
 */
export async function openTreeMerge(path: string, options: { readonly hashes: boolean }): Promise<TreeMerge> {
  clearTimeout(ending);
  const used = thread ?? startThread(path);
  lastId += 1;
  const id = lastId;
  const waiting: PromiseWithResolvers<number>[] = [];
  used.merges.set(id, waiting);
  used.worker.ref();
  const ask = (order: TreeRequest['order']): Promise<number> => {
    const answer = Promise.withResolvers<number>();
    // the call that awaits the answer throws the refusal of the thread
    answer.promise.catch(() => {});
    if (thread !== used) answer.reject(new Error('the thread that merges layers has ended'));
    else {
      waiting.push(answer);
      used.worker.postMessage({ id, order } satisfies TreeRequest);
    }
    return answer.promise;
  };
  const pieces = new SharedArrayBuffer(2 * pieceBytes);
  const room = Buffer.from(pieces);
  /** Answers for the pieces in the two slots. */
  const busy: Promise<number>[] = [Promise.resolve(0), Promise.resolve(0)];
  let slot = 0;
  /** Waits for a free slot. @returns the answer, which is not awaited */
  const put = async (piece: Buffer, behind?: number): Promise<{ readonly answer: Promise<number> }> => {
    slot = 1 - slot;
    await busy[slot];
    room.set(piece, slot * pieceBytes);
    const bytes = piece.length;
    const answer = ask({ do: 'piece', slot, bytes, ...(behind === undefined ? {} : { behind }) });
    busy[slot] = answer;
    return { answer };
  };
  const close = async (): Promise<void> => {
    await ask({ do: 'close' }).catch(() => {});
    used.merges.delete(id);
    if (used.merges.size > 0) return;
    used.worker.unref();
    ending = setTimeout(() => void endThread(used), idle).unref();
  };
  try {
    await ask({ do: 'open', path, pieces, hashes: options.hashes });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    beginLayer: async (layer) => {
      await ask({ do: 'layer', layer });
    },
    write: async (piece) => {
      for (let at = 0; at < piece.length; at += pieceBytes) await put(piece.subarray(at, at + pieceBytes));
    },
    writeAndPass: async (piece, behind) => (await put(piece, behind)).answer,
    endLayer: async () => {
      await Promise.all(busy);
      await ask({ do: 'end-layer' });
    },
    end: async () => {
      await ask({ do: 'end' });
    },
    [Symbol.asyncDispose]: close,
  };
}

async function endThread(used: TreeThread): Promise<void> {
  if (used.merges.size > 0) return;
  if (thread === used) thread = undefined;
  await used.worker.terminate();
}
