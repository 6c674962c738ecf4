import { join } from 'node:path';
import { Serial } from '../base/concurrency.ts';
import type { Report } from '../base/report.ts';
import { removeDurably } from '../disk/remove-durably.ts';
import { indexPath } from '../oci/layout.ts';
import { mediumManifestPath } from './media-manifest.ts';
import { findRestFiles, RestAbandoned } from './rest-files.ts';

/** Quiet time before the rest is written by itself, in milliseconds. */
const quiet = 5_000;

export interface RestKeeperOptions {
  readonly root: string;
  /** Whether the rest is written after a quiet time without being asked for. */
  readonly isAutomatic: () => boolean;
  readonly writeIndex: (signal: AbortSignal) => Promise<void>;
  /** False: there is nothing to say yet (no sync has recorded its zone). */
  readonly writeManifest: (signal: AbortSignal) => Promise<boolean>;
  readonly report: Report;
}

/**
 * Keeps the rest: its files are gone, durably, before the store changes, and are written again when it has come to
 * rest. What is on disk is therefore never a lie, whenever the process or the power ends.
 */
export class RestKeeper {
  readonly #options: RestKeeperOptions;
  readonly #serial = new Serial();
  #index = false;
  #manifest = false;
  #writing: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastWriting = 0;
  #active = 0;
  #isStopped = false;

  constructor(options: RestKeeperOptions) {
    this.#options = options;
  }

  /** Sees what an earlier process left. */
  async start(): Promise<void> {
    const found = await findRestFiles(this.#options.root);
    this.#index = found.index;
    this.#manifest = found.manifest;
    if (!found.index) this.#wait();
  }

  /**
   * Runs a change of the store: the rest is gone before it starts, and no new one is written while it lasts.
   *
   * @param scope `ledger` when content and tags stay as they are: `index.json` is still true then
   */
  async change<T>(scope: 'content' | 'ledger', work: () => Promise<T>): Promise<T> {
    this.#active += 1;
    try {
      await this.#leave(scope);
      return await work();
    } finally {
      this.#active -= 1;
      this.#wait();
    }
  }

  async #leave(scope: 'content' | 'ledger'): Promise<void> {
    const isIndexInTheWay = () => scope === 'content' && this.#index;
    if (!isIndexInTheWay() && !this.#manifest && this.#writing === undefined) return;
    this.#writing?.abort();
    await this.#serial.run(async () => {
      // The manifest covers the index: it goes first.
      if (this.#manifest) await removeDurably(join(this.#options.root, mediumManifestPath));
      this.#manifest = false;
      if (isIndexInTheWay()) await removeDurably(join(this.#options.root, indexPath));
      if (scope === 'content') this.#index = false;
    });
  }

  /** Writes what is missing; a change that comes in between makes it end without result. */
  async write(): Promise<void> {
    const { writeIndex, writeManifest, report } = this.#options;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#serial.run(async () => {
      // What is under way ends in a state that nobody has seen yet: whoever changed it asks again.
      if ((this.#index && this.#manifest) || this.#active > 0) return;
      const start = performance.now();
      const writing = new AbortController();
      this.#writing = writing;
      try {
        if (!this.#index) await writeIndex(writing.signal);
        this.#index = true;
        if (!this.#manifest) this.#manifest = await writeManifest(writing.signal);
      } catch (error) {
        if (!(error instanceof RestAbandoned)) throw error;
        report.log('debug', 'rest abandoned: the store changes');
      } finally {
        this.#writing = undefined;
        this.#lastWriting = performance.now() - start;
      }
    });
  }

  /** Ends the timer; `write` may still be called. */
  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    if (!this.#options.isAutomatic() || this.#isStopped || this.#active > 0) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.write().catch((error: unknown) => {
          this.#options.report.log('warn', 'the rest could not be written', { error });
        });
      },
      Math.max(quiet, 10 * this.#lastWriting),
    );
    this.#timer.unref();
  }
}
