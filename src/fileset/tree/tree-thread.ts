// A thread that merges the layers of images. It parses archives and writes SQLite synchronously, which would block the
// event loop for as long as the layers take. Several images can be merged in turn.
import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { TarError } from '../../disk/tar/error.ts';
import { filesetLimits } from '../limits.ts';
import { createLayerScanner, type LayerScanner } from './layer-scanner.ts';
import { TreeBuilder } from './tree-builder.ts';
import { pieceBytes, type TreeAnswer, type TreeOrder, type TreeRequest } from './tree-messages.ts';

interface Merge {
  readonly database: DatabaseSync;
  readonly pieces: Uint8Array;
  /** @returns bytes of content to pass over after a piece */
  run(order: TreeOrder): number;
}

/** @throws TarError, the errors of SQLite */
function openMerge(path: string, pieces: SharedArrayBuffer, hashes: boolean): Merge {
  const database = new DatabaseSync(path);
  // the file is used only when it is complete and has been synced
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384');
  database.exec('BEGIN EXCLUSIVE');
  const builder = new TreeBuilder(database);
  const budget = { left: filesetLimits.entries };
  let scanner: LayerScanner;
  return {
    database,
    pieces: new Uint8Array(pieces),
    run(order) {
      switch (order.do) {
        case 'layer':
          builder.beginLayer(order.layer);
          scanner = createLayerScanner(builder, budget, { hashes });
          return 0;
        case 'piece':
          scanner.write(Buffer.from(pieces, order.slot * pieceBytes, order.bytes));
          return order.behind === undefined ? 0 : scanner.passContent(order.behind);
        case 'end-layer':
          scanner.end();
          builder.endLayer();
          return 0;
        case 'end':
          builder.end({ isRead: hashes });
          database.exec('COMMIT');
          return 0;
      }
    },
  };
}

const merges = new Map<number, Merge>();

function drop(id: number): void {
  merges.get(id)?.database.close();
  merges.delete(id);
}

function answer({ id, order }: TreeRequest): TreeAnswer {
  try {
    if (order.do === 'open') {
      merges.set(id, openMerge(order.path, order.pieces, order.hashes));
      return { id, passed: 0 };
    }
    if (order.do === 'close') {
      drop(id);
      return { id, passed: 0 };
    }
    return { id, passed: merges.get(id)!.run(order) };
  } catch (error) {
    drop(id);
    if (error instanceof TarError) return { id, refused: { rule: error.rule, path: error.path } };
    const { message, code, errcode } = error as Error & { code?: string; errcode?: number };
    return { id, failed: { message, code, errcode } };
  }
}

parentPort!.on('message', (request: TreeRequest) => parentPort!.postMessage(answer(request)));
