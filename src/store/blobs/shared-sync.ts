/** Shares one sync between concurrent callers: each call waits for a sync that started after the call. */
export class SharedSync {
  readonly #sync: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  run(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#start();
      return this.#running;
    }
    this.#next ??= this.#running.then(
      () => this.#follow(),
      () => this.#follow(),
    );
    return this.#next;
  }

  #follow(): Promise<void> {
    this.#next = undefined;
    this.#running = this.#start();
    return this.#running;
  }

  #start(): Promise<void> {
    const run = this.#sync().finally(() => {
      if (this.#running === run) this.#running = undefined;
    });
    return run;
  }
}
