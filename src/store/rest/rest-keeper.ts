import { join } from 'node:path';
import { Serial } from '../../base/concurrency.ts';
import type { Report } from '../../base/report.ts';
import { removeDurably } from '../../disk/remove-durably.ts';
import { indexPath } from '../../oci/layout.ts';
import { mediumManifestPath } from './media-manifest.ts';
import { findRestFiles, RestAbandoned } from './rest-files.ts';

/** Milliseconds without a change after which the files are written automatically. */
const quiet = 5_000;

interface RestKeeperOptions {
  readonly root: string;
  /** Whether the files are written automatically after a time without changes. */
  readonly isAutomatic: () => boolean;
  readonly writeIndex: (signal: AbortSignal) => Promise<void>;
  /** Returns false when there is nothing to write yet (no sync has recorded its zone). */
  readonly writeManifest: (signal: AbortSignal) => Promise<boolean>;
  readonly report: Report;
}

/**
 * State of one of the files. `doubtful`: writing or removing it failed, so that it may exist with obsolete content.
 * Like a `whole` file it is removed before the next change, and like an `absent` file it is written again.
 */
type RestState = 'absent' | 'doubtful' | 'whole';

const toRestState = (exists: boolean): RestState => (exists ? 'whole' : 'absent');

/**
 * Maintains the rest files, `index.json` and `media.jsonl`. They are durably removed before the store
 * changes, and written again when no change is under way. A rest file on disk therefore always matches the
 * store, also after a kill or a power cut.
 */
export class RestKeeper {
  readonly #options: RestKeeperOptions;
  readonly #serial = new Serial();
  #index: RestState = 'absent';
  #manifest: RestState = 'absent';
  #writing: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastWriting = 0;
  #active = 0;
  #isStopped = false;

  constructor(options: RestKeeperOptions) {
    this.#options = options;
  }

  /** Finds the files of an earlier process. */
  async start(): Promise<void> {
    const found = await findRestFiles(this.#options.root);
    this.#index = toRestState(found.index);
    this.#manifest = toRestState(found.manifest);
    if (!found.index) this.#wait();
  }

  /**
   * Runs a change of the store. The rest files are removed before it starts, and not written while it runs.
   *
   * @param scope `ledger` when content and tags do not change: `index.json` is kept
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
    const { root } = this.#options;
    const isIndexInTheWay = () => scope === 'content' && this.#index !== 'absent';
    if (!isIndexInTheWay() && this.#manifest === 'absent' && this.#writing === undefined) return;
    this.#writing?.abort();
    await this.#serial.run(async () => {
      // `media.jsonl` lists `index.json`, so it is removed first.
      if (this.#manifest !== 'absent') {
        this.#manifest = 'doubtful';
        await removeDurably(join(root, mediumManifestPath));
        this.#manifest = 'absent';
      }
      if (!isIndexInTheWay()) return;
      this.#index = 'doubtful';
      await removeDurably(join(root, indexPath));
      this.#index = 'absent';
    });
  }

  /** Writes the missing rest files; a change that starts meanwhile cancels the writing. */
  async write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#serial.run(async () => {
      // While a change runs its result is unknown; the end of the change schedules another write.
      if ((this.#index === 'whole' && this.#manifest === 'whole') || this.#active > 0) return;
      const start = performance.now();
      const writing = new AbortController();
      this.#writing = writing;
      const before = { index: this.#index, manifest: this.#manifest };
      try {
        await this.#writeMissing(writing.signal);
      } catch (error) {
        if (!(error instanceof RestAbandoned)) throw error;
        // nothing was renamed into place
        if (this.#index === 'doubtful') this.#index = before.index;
        if (this.#manifest === 'doubtful') this.#manifest = before.manifest;
        this.#options.report.log('debug', 'writing index.json abandoned: the store changes');
      } finally {
        this.#writing = undefined;
        this.#lastWriting = performance.now() - start;
      }
    });
  }

  /** Runs work that reads the whole store, unless a change is under way; a change that starts meanwhile aborts its signal. */
  async atRest(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    await this.#serial.run(async () => {
      if (this.#active > 0) return;
      const writing = new AbortController();
      this.#writing = writing;
      try {
        await work(writing.signal);
      } finally {
        this.#writing = undefined;
      }
    });
  }

  async #writeMissing(signal: AbortSignal): Promise<void> {
    const { writeIndex, writeManifest } = this.#options;
    if (this.#index !== 'whole') {
      this.#index = 'doubtful';
      await writeIndex(signal);
      this.#index = 'whole';
    }
    if (this.#manifest === 'whole') return;
    const before = this.#manifest;
    this.#manifest = 'doubtful';
    const isWritten = await writeManifest(signal);
    this.#manifest = isWritten ? 'whole' : before;
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
          this.#options.report.log('warn', 'index.json could not be written', { error });
        });
      },
      Math.max(quiet, 10 * this.#lastWriting),
    );
    this.#timer.unref();
  }
}
