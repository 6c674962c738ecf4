import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openPlain } from '../disk/plain-file.ts';
import { toWriteError } from '../disk/write-error.ts';

const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

/**
 * An append-only file. Texts that are appended during a write are combined in the next write, with one sync
 * when any of them is durable.
 */
export class AppendFile {
  readonly #path: string;
  #handle: FileHandle | undefined;
  #texts: string[] = [];
  #durable = false;
  #next: Promise<void> | undefined;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Appends text. Resolves when it is written and, if `durable`, synced.
   *
   * @throws SVC-STO-001 when it is not a regular file; SVC-STO-002, SVC-STO-004
   */
  append(text: string, durable: boolean): Promise<void> {
    this.#texts.push(text);
    this.#durable ||= durable;
    if (!this.#next) {
      this.#next = this.#tail.then(() => this.#write());
      this.#tail = this.#next.catch(() => undefined);
    }
    return this.#next;
  }

  /**
   * Waits for all appended text, then closes the file. A later `append` opens it again.
   *
   * @throws SVC-STO-002
   */
  async close(): Promise<void> {
    await this.#tail;
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch((error: unknown) => {
      throw toWriteError(error, this.#path, { place: 'state' });
    });
  }

  async #write(): Promise<void> {
    const text = this.#texts.join('');
    const durable = this.#durable;
    this.#texts = [];
    this.#durable = false;
    this.#next = undefined;
    try {
      this.#handle ??= await openPlain(this.#path, appending, 0o600);
      await this.#handle.appendFile(text);
      if (durable) await this.#handle.datasync();
    } catch (error) {
      throw toWriteError(error, this.#path, { place: 'state' });
    }
  }
}
