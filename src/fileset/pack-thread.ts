// A thread that packs one tree: it reads synchronously, which is twice as fast, and nobody waits for it meanwhile.
import { constants, openSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { type ErrorRecord, svcError, toErrorRecord } from '../base/error.ts';
import { liesAt } from '../disk/lies-at.ts';
import { createArchiveBuilder } from './pack-archive.ts';
import { lookAtTree, type TreeMeasure } from './pack-look.ts';
import { PackStamps } from './pack-stamps.ts';

/** What the thread is told, once. */
export interface PackOrder {
  /** Real path of the root. */
  readonly root: string;
  /** One number: how many messages with chunks are welcome. */
  readonly welcome: SharedArrayBuffer;
}

/** The measure comes first, then the chunks, then the word that the tree held still; or an error at any time. */
export type PackMessage =
  | { readonly measure: TreeMeasure }
  | { readonly chunks: readonly ArrayBuffer[]; readonly length: number }
  | { readonly end: true }
  | { readonly error: ErrorRecord };

const chunksAtOnce = 4;

const port = parentPort!;

const post = (message: PackMessage, transfer: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer as ArrayBuffer[]);

function openRoot(root: string): number {
  try {
    const folder = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    if (liesAt(folder, root)) return folder;
  } catch (cause) {
    throw svcError('SVC-FIL-001', { path: root, rule: 'it cannot be read as a folder' }, { cause });
  }
  throw svcError('SVC-FIL-001', { path: root, rule: 'it is reached through a link' });
}

/** Waits until a message with chunks is welcome. */
function awaitWelcome(welcomed: Int32Array): void {
  while (Atomics.load(welcomed, 0) === 0) Atomics.wait(welcomed, 0, 0);
  Atomics.sub(welcomed, 0, 1);
}

/** Hands chunks on, a few at a time: each message wakes somebody. What comes before it is opened waits, and goes at once. */
function createOutlet(welcomed: Int32Array): { emit(chunk: Buffer): void; open(): void; flush(): void } {
  let chunks: ArrayBuffer[] = [];
  let length = 0;
  let isOpen = false;
  const send = (): void => {
    if (chunks.length > 0) post({ chunks, length }, chunks);
    chunks = [];
    length = 0;
  };
  const flush = (): void => {
    if (chunks.length > 0) awaitWelcome(welcomed);
    send();
  };
  return {
    flush,
    open() {
      isOpen = true;
      send();
    },
    emit(chunk) {
      chunks.push(chunk.buffer as ArrayBuffer);
      length += chunk.length;
      if (isOpen && chunks.length === chunksAtOnce) flush();
    },
  };
}

function pack({ root, welcome }: PackOrder): void {
  const folder = openRoot(root);
  const stamps = new PackStamps();
  const outlet = createOutlet(new Int32Array(welcome));
  const archive = createArchiveBuilder(outlet.emit);
  const { measure, packed } = lookAtTree(folder, stamps, archive);
  post({ measure });
  const isWhole = packed === stamps.length;
  if (isWhole) archive.end();
  outlet.open();
  if (!isWhole) {
    let at = 0;
    for (const entry of stamps.walkAgain(folder, () => at >= packed)) {
      if (at >= packed) archive.add(entry);
      at += 1;
    }
    archive.end();
    outlet.flush();
  }
  for (const _ of stamps.walkAgain(folder));
  post({ end: true });
}

port.once('message', (order: PackOrder) => {
  try {
    pack(order);
  } catch (error) {
    post({ error: toErrorRecord(error) });
  }
});
