// A thread that packs one tree: it reads synchronously, which is twice as fast, and nobody waits for it meanwhile.
import { constants, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type ErrorRecord, svcError, toErrorRecord } from '../base/error.ts';
import { liesAt } from '../disk/lies-at.ts';
import { tarEnd } from '../disk/tar-header.ts';
import { filesetLimits } from './limits.ts';
import { createArchiveBuilder, measureEntry } from './pack-archive.ts';
import { changed, type TreeEntry, walkTree } from './pack-walk.ts';

export interface PackThreadData {
  /** Real path of the root. */
  readonly root: string;
  /** One number: how many messages with chunks are welcome. */
  readonly welcome: SharedArrayBuffer;
}

/** What a tree holds, and the bytes of its archive. */
export interface TreeMeasure {
  readonly files: number;
  readonly directories: number;
  readonly symlinks: number;
  readonly bytes: number;
}

/** The measure comes first, then the chunks, then the word that the tree held still; or an error at any time. */
export type PackMessage =
  | { readonly measure: TreeMeasure }
  | { readonly chunks: readonly ArrayBuffer[]; readonly length: number }
  | { readonly end: true }
  | { readonly error: ErrorRecord };

/** What is refused besides the first, told with it. */
const moreRefused = 20;
const chunksAtOnce = 4;

const port = parentPort!;
const { root, welcome } = workerData as PackThreadData;
const welcomed = new Int32Array(welcome);

const post = (message: PackMessage, transfer: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer as ArrayBuffer[]);

/** Stamps of the entries, in the order of the walk. */
class Stamps {
  #stamps = new Int32Array(1024);
  #length = 0;

  add({ stamp }: TreeEntry): void {
    if (this.#length === this.#stamps.length) {
      const grown = new Int32Array(2 * this.#length);
      grown.set(this.#stamps);
      this.#stamps = grown;
    }
    this.#stamps[this.#length] = stamp;
    this.#length += 1;
  }

  /** Walks the tree again, and holds every entry to what it was. @throws SVC-FIL-001 */
  *walkAgain(folder: number, open: boolean): Generator<TreeEntry> {
    const refuse = (path: string): never => {
      throw svcError('SVC-FIL-001', { path, rule: changed });
    };
    let at = 0;
    for (const entry of walkTree(folder, { open, refuse })) {
      if (at >= this.#length || this.#stamps[at] !== entry.stamp) refuse(entry.path);
      at += 1;
      yield entry;
    }
    if (at !== this.#length) refuse('.');
  }
}

function openRoot(): number {
  try {
    const folder = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    if (liesAt(folder, root)) return folder;
  } catch (cause) {
    throw svcError('SVC-FIL-001', { path: root, rule: 'it cannot be read as a folder' }, { cause });
  }
  throw svcError('SVC-FIL-001', { path: root, rule: 'it is reached through a link' });
}

/** Looks at everything once: what would be refused is refused before anything is written. */
function measure(folder: number, stamps: Stamps): TreeMeasure {
  const refused: { readonly path: string; readonly rule: string }[] = [];
  let count = 0;
  const refuse = (path: string, rule: string): void => {
    count += 1;
    if (refused.length <= moreRefused) refused.push({ path, rule });
  };
  const counts = { file: 0, folder: 0, link: 0 };
  let headers = 0;
  let bytes = tarEnd.length;
  for (const entry of walkTree(folder, { open: false, refuse })) {
    const own = measureEntry(entry);
    headers += own.headers;
    if (headers > filesetLimits.entries)
      throw svcError('SVC-FIL-001', { path: '.', rule: `more than ${filesetLimits.entries} entries` });
    bytes += own.bytes;
    counts[entry.type] += 1;
    stamps.add(entry);
  }
  const [first, ...others] = refused;
  if (first !== undefined) {
    const lines = others.map(({ path, rule }) => `${path}: ${rule}`);
    if (count > refused.length) lines.push(`and ${count - refused.length} more`);
    throw svcError('SVC-FIL-002', first, lines.length === 0 ? {} : { detail: lines.join('\n') });
  }
  return { files: counts.file, directories: counts.folder, symlinks: counts.link, bytes };
}

/** Waits until a message with chunks is welcome. */
function awaitWelcome(): void {
  while (Atomics.load(welcomed, 0) === 0) Atomics.wait(welcomed, 0, 0);
  Atomics.sub(welcomed, 0, 1);
}

/** Hands chunks on, a few at a time: each message wakes somebody. */
function createOutlet(): { emit(chunk: Buffer): void; flush(): void } {
  let chunks: ArrayBuffer[] = [];
  let length = 0;
  const flush = (): void => {
    if (chunks.length === 0) return;
    awaitWelcome();
    post({ chunks, length }, chunks);
    chunks = [];
    length = 0;
  };
  return {
    flush,
    emit(chunk) {
      chunks.push(chunk.buffer as ArrayBuffer);
      length += chunk.length;
      if (chunks.length === chunksAtOnce) flush();
    },
  };
}

function pack(): void {
  const folder = openRoot();
  const stamps = new Stamps();
  post({ measure: measure(folder, stamps) });
  const outlet = createOutlet();
  const archive = createArchiveBuilder(outlet.emit);
  for (const entry of stamps.walkAgain(folder, true)) archive.add(entry);
  archive.end();
  outlet.flush();
  for (const _ of stamps.walkAgain(folder, false));
  post({ end: true });
}

try {
  pack();
} catch (error) {
  post({ error: toErrorRecord(error) });
}
