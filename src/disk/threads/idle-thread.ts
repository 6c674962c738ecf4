import { type HashThread, type HashThreads, startHashThreads } from './hash-threads.ts';

/** Milliseconds without use after which the thread is ended. */
const idleAfter = 60_000;

/**
 * A thread that is started when it is needed first, ends when it is idle, and keeps the process alive only while an answer
 * is awaited.
 */
export class IdleThread {
  #threads: HashThreads | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asked = 0;
  #held = 0;

  /** Asks the thread. @returns undefined when no thread can be started or it has failed: the caller does the work itself */
  async ask<T>(question: (thread: HashThread) => Promise<T>): Promise<T | undefined> {
    clearTimeout(this.#idle);
    this.#asked += 1;
    this.#threads ??= startHashThreads(1);
    const threads = this.#threads;
    try {
      // without a server, nothing else keeps a command alive until the answer
      threads.ref();
      return await question(threads.pool[0]!);
    } catch {
      // the next question starts another thread
      await this.#end(threads);
      return undefined;
    } finally {
      this.#asked -= 1;
      if (this.#asked === 0) this.#threads?.unref();
      this.#endLater();
    }
  }

  /** Keeps the thread, which has something of the caller, until `release` is called once. */
  hold(): void {
    this.#held += 1;
  }

  release(): void {
    this.#held -= 1;
    this.#endLater();
  }

  #endLater(): void {
    clearTimeout(this.#idle);
    const threads = this.#threads;
    if (threads === undefined || this.#asked + this.#held > 0) return;
    this.#idle = setTimeout(() => void this.#end(threads), idleAfter).unref();
  }

  async #end(threads: HashThreads): Promise<void> {
    if (this.#threads === threads) this.#threads = undefined;
    await threads.end();
  }
}
