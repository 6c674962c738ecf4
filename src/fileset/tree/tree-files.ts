import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestAlgorithm, digestHex } from '../../base/digest.ts';
import { syncFolder } from '../../disk/atomic-file.ts';
import { openRegular } from '../../disk/guarded-open.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { hashPlain } from '../read-plain.ts';

/**
 * The merged indexes on disk: one file per image, named by the digest of its manifest and its own digest. Opening
 * detects a damaged index.
 */
export class TreeFiles {
  readonly #folder: string;

  /** @param folder exists, and is used by this process only */
  constructor(folder: string) {
    this.#folder = folder;
  }

  static isName(name: string): boolean {
    return /^tree-sha(?:256|512)-[0-9a-f]+-[0-9a-f]{64}\.sqlite$/.test(name);
  }

  /** Returns a temporary path for a new index. */
  temporary(): string {
    return join(this.#folder, `tree-${randomBytes(6).toString('hex')}.tmp`);
  }

  #prefix(image: Digest): string {
    return `tree-${digestAlgorithm(image)}-${digestHex(image)}-`;
  }

  async #names(image: Digest): Promise<readonly string[]> {
    const prefix = this.#prefix(image);
    return (await readdir(this.#folder)).filter((name) => name.startsWith(prefix) && TreeFiles.isName(name));
  }

  /** Returns the path of an undamaged index of an image; removes damaged ones. */
  async find(image: Digest, options?: CallOptions): Promise<string | undefined> {
    for (const name of await this.#names(image)) {
      const path = join(this.#folder, name);
      await using file = await openFile(path);
      const { digest } = await hashPlain(file.handle, 'sha256', options);
      if (name === `${this.#prefix(image)}${digestHex(digest)}.sqlite`) return path;
      await unlink(path);
    }
    return undefined;
  }

  /** Makes a complete index durable and gives it its name. @returns its path */
  async publish(image: Digest, temporary: string, options?: CallOptions): Promise<string> {
    await using file = await openFile(temporary);
    await file.handle.sync();
    const { digest } = await hashPlain(file.handle, 'sha256', options);
    const path = join(this.#folder, `${this.#prefix(image)}${digestHex(digest)}.sqlite`);
    await rename(temporary, path);
    await syncFolder(this.#folder);
    return path;
  }

  async remove(image: Digest): Promise<void> {
    for (const name of await this.#names(image)) await unlink(join(this.#folder, name));
  }

  /** Removes the indexes of all images but these. */
  async retain(images: ReadonlySet<Digest>): Promise<void> {
    const kept = [...images].map((image) => this.#prefix(image));
    for (const name of await readdir(this.#folder)) {
      if (TreeFiles.isName(name) && !kept.some((prefix) => name.startsWith(prefix)))
        await unlink(join(this.#folder, name));
    }
  }
}

/** @throws SVC-STO-001 */
async function openFile(path: string): Promise<{ readonly handle: FileHandle } & AsyncDisposable> {
  const handle = await openRegular(path, constants.O_RDONLY);
  return { handle, [Symbol.asyncDispose]: () => handle.close() };
}
