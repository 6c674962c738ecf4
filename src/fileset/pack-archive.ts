import { readSync } from 'node:fs';
import {
  measureTarHeader,
  putTarHeader,
  tarBlockBytes,
  tarEnd,
  tarPadding,
  toTarHeader,
} from '../disk/tar/header.ts';
import { svcError } from '../text/error.ts';
import { changed, type TreeEntry } from './pack-walk.ts';

/** Target of an archive: one chunk after the other, each of whole blocks. */
export interface ChunkSink {
  /** Returns the next chunk to fill. */
  take(): Buffer;
  /** Passes on the last taken chunk, filled up to `bytes`; only the last chunk of all may be partly filled. */
  put(bytes: number): void;
}

/** Builds an archive in chunks. */
interface ArchiveBuilder {
  /** Appends an entry, with the content of its open file. @throws SVC-FIL-001 when the file has changed */
  add(entry: TreeEntry): void;
  /** Appends the end of the archive, and passes on the last chunk. */
  end(): void;
}

/** Returns the bytes of an archive that an entry takes. */
export function measureEntry(entry: TreeEntry): { readonly headers: number; readonly bytes: number } {
  const length = measureTarHeader(entry);
  const { size } = entry;
  return { headers: length > tarBlockBytes ? 2 : 1, bytes: length + size + tarPadding(size) };
}

/** Creates a builder that writes to `sink`, and takes its first chunk at once. */
export function createArchiveBuilder(sink: ChunkSink): ArchiveBuilder {
  let chunk = sink.take();
  let at = 0;
  const advance = (count: number): void => {
    at += count;
    if (at < chunk.length) return;
    sink.put(at);
    chunk = sink.take();
    at = 0;
  };
  const append = (bytes: Buffer): void => {
    for (let done = 0; done < bytes.length; ) {
      const count = bytes.copy(chunk, at, done);
      done += count;
      advance(count);
    }
  };
  const appendFile = ({ fd, size, path }: TreeEntry): void => {
    for (let left = size; left > 0; ) {
      const count = readSync(fd, chunk, at, Math.min(left, chunk.length - at), null);
      if (count === 0) throw svcError('SVC-FIL-001', { path, rule: changed });
      left -= count;
      advance(count);
    }
  };
  const pad = (count: number): void => {
    chunk.fill(0, at, at + count);
    advance(count);
  };
  return {
    add(entry) {
      // entries begin at a block, so that one block more, or its padding, always fits
      if (putTarHeader(entry, chunk, at)) advance(tarBlockBytes);
      else append(toTarHeader(entry));
      if (entry.type === 'file') appendFile(entry);
      if (entry.size > 0) pad(tarPadding(entry.size));
    },
    end() {
      append(tarEnd);
      if (at > 0) sink.put(at);
    },
  };
}
