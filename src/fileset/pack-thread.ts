// A thread that packs one tree. It reads synchronously, which is twice as fast and blocks no other work.

import { constants, openSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { toUnreadableFolder } from '../disk/named-file-error.ts';
import { liesAt } from '../disk/place/lies-at.ts';
import { type ErrorRecord, svcError, toErrorRecord } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { type ChunkSink, createArchiveBuilder } from './pack-archive.ts';
import { HeldEntries } from './pack-held.ts';
import { measureTree, type TreeMeasure } from './pack-look.ts';
import { awaitChunk, chunkAt, type PackRing } from './pack-ring.ts';
import { PackStamps } from './pack-stamps.ts';

/** Request to the thread, sent once. */
export interface PackOrder {
  /** Real path of the root. */
  readonly root: string;
  /** Number of files and folders that may stay open while the tree is packed. */
  readonly hold: number;
  readonly ring: PackRing;
}

/** The measure comes first, then bytes in the ring, then confirmation that the tree did not change; or an error. */
export type PackMessage =
  | { readonly measure: TreeMeasure; readonly hasPackages: boolean }
  | { readonly bytes: number }
  | { readonly end: true }
  | { readonly error: ErrorRecord };

/** Chunks per message: each message wakes the other thread. */
const chunksAMessage = 4;

const port = parentPort!;
const post = (message: PackMessage): void => port.postMessage(message);

function openRoot(root: string): number {
  try {
    const folder = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    if (liesAt(folder, root)) return folder;
  } catch (cause) {
    throw svcError('SVC-FIL-001', { path: root, rule: toUnreadableFolder(cause) }, { cause });
  }
  throw svcError('SVC-FIL-001', {
    path: root,
    rule: rule(['it is a symbolic link', fr`c’est un lien symbolique`]),
  });
}

/** Fills the ring, and reports several chunks per message. */
function createOutlet(ring: PackRing): ChunkSink & { flush(): void } {
  let taken = 0;
  let bytes = 0;
  const flush = (): void => {
    if (bytes > 0) post({ bytes });
    bytes = 0;
  };
  return {
    flush,
    take() {
      awaitChunk(ring);
      taken += 1;
      return chunkAt(ring, taken - 1);
    },
    put(filled) {
      bytes += filled;
      if (taken % chunksAMessage === 0) flush();
    },
  };
}

function pack({ root, hold, ring }: PackOrder): void {
  const folder = openRoot(root);
  const stamps = new PackStamps();
  const held = new HeldEntries(folder, hold, systemClock.wall());
  post(measureTree(folder, stamps, held));
  const outlet = createOutlet(ring);
  const archive = createArchiveBuilder(outlet);
  for (const entry of held) archive.add(entry);
  for (const entry of stamps.walkAgain(folder, { open: true, from: held.length })) archive.add(entry);
  archive.end();
  outlet.flush();
  for (const _ of stamps.walkAgain(folder, { from: held.areUnchanged() ? held.length : 0 }));
  post({ end: true });
  held.close();
}

port.once('message', (order: PackOrder) => {
  try {
    pack(order);
  } catch (error) {
    post({ error: toErrorRecord(error) });
  }
});
