import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '../base/clock.ts';
import { type Digest, digestAlgorithm, digestHex } from '../base/digest.ts';
import type { Report } from '../base/report.ts';
import { verified } from '../base/stream/verified.ts';
import { syncFolder } from '../disk/atomic-file.ts';
import { openRegular } from '../disk/guarded-open.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { TarError } from '../disk/tar/error.ts';
import { createWriteBehind } from '../disk/write-behind.ts';
import { toWriteError } from '../disk/write-error.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { svcError } from '../text/error.ts';
import type { Compression } from './inflate.ts';
import type { OpenBlob } from './model.ts';
import { hashPlain } from './read-plain.ts';
import { unpackedLimit, unpackPieces } from './unpack-pieces.ts';

/** Milliseconds; precision of the time of the last use. */
const useGrain = 60_000;
/** Bytes of room that are checked at a time. */
const stepBytes = 1 << 20;

/** Free room of the volume of the folder. */
export interface Room {
  /** Returns whether `bytes` more can be written. */
  has(bytes: number): Promise<boolean>;
  /** @throws SVC-STO-004, SVC-STO-005, unless a lack of room is only reported */
  require(bytes: number): Promise<void>;
}

interface UnpackedLayersOptions {
  /** An existing folder that only this process uses. */
  readonly folder: string;
  readonly room: Room;
  readonly report: Report;
}

interface UnpackOptions {
  readonly openBlob: OpenBlob;
  readonly compression: Compression;
  /** Called with the unpacked bytes; the piece is valid until the promise resolves. @throws TarError */
  readonly take?: (piece: Buffer) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compressed layers, each unpacked once to an uncompressed archive, never to a tree of files. When there is no room for
 * another archive, the least recently used ones are removed.
 */
export class UnpackedLayers {
  readonly #options: UnpackedLayersOptions;
  /** Files in use, which must not be removed. */
  readonly #pinned = new Map<string, number>();

  constructor(options: UnpackedLayersOptions) {
    this.#options = options;
  }

  #path(layer: Digest): string {
    return join(this.#options.folder, `layer-${digestAlgorithm(layer)}-${digestHex(layer)}.tar`);
  }

  /** Returns whether a file name of the folder is that of an archive. */
  static isName(name: string): boolean {
    return /^layer-sha(?:256|512)-[0-9a-f]+\.tar$/.test(name);
  }

  /**
   * Opens the uncompressed archive of a layer if the layer has been unpacked; the caller closes it.
   *
   * @param bytes minimum length: a shorter archive is ignored
   * @throws SVC-STO-001
   */
  async open(layer: Digest, bytes = 0): Promise<FileHandle | undefined> {
    const path = this.#path(layer);
    let file: FileHandle;
    try {
      file = await openRegular(path, constants.O_RDONLY);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
    const { size, mtimeMs } = await file.stat();
    if (size < bytes) {
      await file.close();
      await unlink(path).catch(() => undefined);
      return undefined;
    }
    // records the time of the last use, by which archives are evicted
    const now = new Date(systemClock.wall());
    if (now.getTime() - mtimeMs > useGrain) await file.utimes(now, now).catch(() => undefined);
    return file;
  }

  /**
   * Unpacks a layer, checking its digest, size and growth. Leaves no file if a check fails.
   *
   * @throws TarError for a layer that cannot be unpacked or grows too much, SVC-SIG-002, SVC-STO-001, SVC-STO-004,
   *   SVC-STO-005
   */
  async unpack(layer: Descriptor, options: UnpackOptions): Promise<void> {
    const path = this.#path(layer.digest);
    const temporary = join(this.#options.folder, `unpacking-${randomBytes(6).toString('hex')}.tmp`);
    this.#pinned.set(path, (this.#pinned.get(path) ?? 0) + 1);
    try {
      const file = await open(temporary, 'wx', 0o600).catch((error: unknown) => {
        throw toWriteError(error, path);
      });
      try {
        await this.#fill(file, layer, options);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
      await syncFolder(this.#options.folder);
    } catch (error) {
      // before the file is removed, so that the free space in the error is that of the failure
      const refusal = error instanceof TarError ? error : toWriteError(error, path);
      await unlink(temporary).catch(() => undefined);
      throw options.signal?.aborted ? error : refusal;
    } finally {
      const users = this.#pinned.get(path)! - 1;
      if (users > 0) this.#pinned.set(path, users);
      else this.#pinned.delete(path);
    }
  }

  async #fill(file: FileHandle, layer: Descriptor, options: UnpackOptions): Promise<void> {
    const { openBlob, compression, take, signal } = options;
    const most = unpackedLimit(layer);
    // an archive is seldom smaller than the layer; how much larger is not known yet
    await this.#makeRoom(Math.min(layer.size, most));
    await using blob = await openBlobOf(openBlob, layer.digest);
    const behind = createWriteBehind(file, 0);
    let written = 0;
    let granted = 0;
    const unpacking = pipeline(
      blob.file.createReadStream({ autoClose: false, highWaterMark: 1 << 20 }),
      verified({ digest: layer.digest, size: layer.size }),
      async (source: AsyncIterable<Buffer>) => {
        for await (const piece of unpackPieces(source, compression, layer)) {
          while (written + piece.length > granted) {
            const step = Math.min(stepBytes, most - granted);
            await this.#makeRoom(step);
            granted += step;
          }
          await take?.(piece);
          written += piece.length;
          await behind.write(piece, true);
        }
      },
      { signal },
    );
    await unpacking.catch(async (error: unknown) => {
      // for bytes with a wrong digest, the digest is reported, not the format
      if (error instanceof TarError) await requireDigest(blob.file, layer, signal);
      throw error;
    });
    await behind.settle();
  }

  /** @throws SVC-STO-004, SVC-STO-005 */
  async #makeRoom(needed: number): Promise<void> {
    const { room } = this.#options;
    while (!(await room.has(needed))) if (!(await this.#evict())) return room.require(needed);
  }

  /** Removes the least recently used archive. False: there is none to remove. */
  async #evict(): Promise<boolean> {
    const { folder, report } = this.#options;
    let oldest: { readonly path: string; readonly at: number; readonly bytes: number } | undefined;
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (!UnpackedLayers.isName(name) || this.#pinned.has(path)) continue;
      const { mtimeMs: at, size: bytes } = await stat(path);
      if (oldest === undefined || at < oldest.at) oldest = { path, at, bytes };
    }
    if (oldest === undefined) return false;
    await unlink(oldest.path);
    report.log('info', 'an unpacked layer was removed to make room', {
      path: oldest.path,
      bytes: oldest.bytes,
    });
    return true;
  }

  /** Removes the archive of a layer, unless it is in use. */
  async remove(layer: Digest): Promise<void> {
    const path = this.#path(layer);
    if (!this.#pinned.has(path)) await rm(path, { force: true });
  }

  /** Removes the archives of all layers but these. */
  async retain(layers: ReadonlySet<Digest>): Promise<void> {
    const kept = new Set([...layers].map((layer) => this.#path(layer)));
    for (const name of await readdir(this.#options.folder)) {
      const path = join(this.#options.folder, name);
      if (UnpackedLayers.isName(name) && !kept.has(path) && !this.#pinned.has(path)) await unlink(path);
    }
  }
}

async function openBlobOf(openBlob: OpenBlob, digest: Digest) {
  const { file } = await openBlob(digest);
  return { file, [Symbol.asyncDispose]: () => file.close() };
}

/** @throws SVC-SIG-002 */
async function requireDigest(
  file: FileHandle,
  { digest: expected }: Descriptor,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { digest: actual } = await hashPlain(file, digestAlgorithm(expected), { signal });
  if (actual !== expected) throw svcError('SVC-SIG-002', { reference: expected, expected, actual });
}
