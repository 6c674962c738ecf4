import { Readable } from 'node:stream';
import { type Digest, hashBytes } from '../../base/digest.ts';
import { FileStream } from '../../disk/file-stream.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { svcError } from '../../text/error.ts';
import { putArchive } from './put-archive.ts';

/** Keeps archives of charts by their digests while a chart is put together from them. */
export interface ArchiveShelf {
  /** @param onBytes called with the number of bytes of each chunk */
  put(
    bytes: AsyncIterable<Buffer>,
    onBytes?: (count: number) => void,
  ): Promise<{ readonly digest: Digest; readonly size: number }>;
  open(digest: Digest): Promise<Readable>;
}

/** A shelf in the store; no tag reaches its archives. Its errors are those of the store. */
export function toStoreShelf(store: Store): ArchiveShelf {
  return {
    put: (bytes, onBytes = () => {}) => putArchive(store, bytes, onBytes),
    open: async (digest) => {
      const { file, size } = await openBlob(store, digest);
      return new FileStream(file, size);
    },
  };
}

/** A shelf in memory, for programs without a store. */
export class MemoryShelf implements ArchiveShelf {
  readonly #archives = new Map<Digest, Buffer>();
  readonly #limit: number;
  readonly #named: string;
  #bytes = 0;

  /**
   * @param limit bytes of all archives
   * @param named owner of the archives, for errors
   */
  constructor(limit: number, named: string) {
    this.#limit = limit;
    this.#named = named;
  }

  /** @throws SVC-VAL-002 when the archives become larger than the limit, errors of the input */
  async put(bytes: AsyncIterable<Buffer>, onBytes: (count: number) => void = () => {}) {
    const chunks: Buffer[] = [];
    let size = 0;
    let isKept = false;
    try {
      for await (const chunk of bytes) {
        size += chunk.length;
        this.#bytes += chunk.length;
        if (this.#bytes > this.#limit)
          throw svcError('SVC-VAL-002', { limit: this.#limit, file: this.#named });
        chunks.push(Buffer.from(chunk));
        onBytes(chunk.length);
      }
      const archive = Buffer.concat(chunks);
      const digest = hashBytes(archive);
      isKept = !this.#archives.has(digest);
      this.#archives.set(digest, archive);
      return { digest, size };
    } finally {
      if (!isKept) this.#bytes -= size;
    }
  }

  async open(digest: Digest): Promise<Readable> {
    return Readable.from([this.read(digest)]);
  }

  /** @throws Error for an archive that is not there */
  read(digest: Digest): Buffer {
    const archive = this.#archives.get(digest);
    if (archive === undefined) throw new Error(`no archive ${digest}`);
    return archive;
  }
}
