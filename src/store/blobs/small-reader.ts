import { type HashThreads, startHashThreads } from '../../disk/threads/hash-threads.ts';
import type { SmallFile, SmallFiles } from '../../disk/threads/read-small.ts';

/** Milliseconds without a request after which the thread is ended. */
const idleAfter = 60_000;

/**
 * Reads many small files of a store with one message to a thread. Opening, reading and closing them here would hold the
 * event loop for longer than sending their bytes. The thread is started when it is needed first, ends when it is idle,
 * and keeps the process alive only while an answer is awaited.
 */
export class SmallReader {
  readonly #root: string;
  #threads: HashThreads | undefined;
  #idle: NodeJS.Timeout | undefined;
  #users = 0;

  /** @param root real path of the store */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Reads files that have their digests.
   *
   * @returns undefined when no thread can be started or it has failed: the caller reads the files one by one
   */
  async read(files: readonly SmallFile[]): Promise<SmallFiles | undefined> {
    clearTimeout(this.#idle);
    this.#users += 1;
    try {
      this.#threads ??= startHashThreads(1);
      // without a server, nothing else keeps a command alive until the answer
      this.#threads.ref();
      return await this.#threads.pool[0]!.readSmall(this.#root, files);
    } catch {
      // the next call starts another thread
      await this.#end();
      return undefined;
    } finally {
      this.#users -= 1;
      if (this.#users === 0) {
        this.#threads?.unref();
        this.#idle = setTimeout(() => void this.#end(), idleAfter).unref();
      }
    }
  }

  async #end(): Promise<void> {
    const threads = this.#threads;
    this.#threads = undefined;
    await threads?.end();
  }
}
