import { type FileHandle, open } from 'node:fs/promises';

/**
 * A file that only grows. Texts handed in while one is being written go out together in one write, and those that
 * asked for it share one sync.
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

  /** Resolves when the text is written, and on the disk when `durable`. */
  append(text: string, durable: boolean): Promise<void> {
    this.#texts.push(text);
    this.#durable ||= durable;
    if (!this.#next) {
      this.#next = this.#tail.then(() => this.#write());
      this.#tail = this.#next.catch(() => undefined);
    }
    return this.#next;
  }

  /** Waits for what was handed in, then closes the file. A later `append` opens it again. */
  async close(): Promise<void> {
    await this.#tail;
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async #write(): Promise<void> {
    const text = this.#texts.join('');
    const durable = this.#durable;
    this.#texts = [];
    this.#durable = false;
    this.#next = undefined;
    this.#handle ??= await open(this.#path, 'a', 0o600);
    await this.#handle.appendFile(text);
    if (durable) await this.#handle.datasync();
  }
}
