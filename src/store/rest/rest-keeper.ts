import { join } from 'node:path';
import { Serial } from '../../base/concurrency.ts';
import type { Report } from '../../base/report.ts';
import { removeDurably } from '../../disk/remove-durably.ts';
import { indexPath } from '../../oci/layout.ts';
import { mediumManifestPath } from './media-manifest.ts';
import { findRestFiles, RestAbandoned } from './rest-files.ts';

/** Quiet time before the rest is written by itself, in milliseconds. */
const quiet = 5_000;

interface RestKeeperOptions {
  readonly root: string;
  /** Whether the rest is written after a quiet time without being asked for. */
  readonly isAutomatic: () => boolean;
  readonly writeIndex: (signal: AbortSignal) => Promise<void>;
  /** False: there is nothing to say yet (no sync has recorded its zone). */
  readonly writeManifest: (signal: AbortSignal) => Promise<boolean>;
  readonly report: Report;
}

/**
 * What is known of a file of the rest. `doubtful`: writing or removing it failed, so that it may stand without being
 * true; it is removed before the next change as a whole one is, and written again as an absent one is.
 */
type RestState = 'absent' | 'doubtful' | 'whole';

const toStanding = (isThere: boolean): RestState => (isThere ? 'whole' : 'absent');

/**
 * Keeps the rest: its files are gone, durably, before the store changes, and are written again when it has come to
 * rest. What is on disk is therefore never a lie, whenever the process or the power ends.
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

  /** Sees what an earlier process left. */
  async start(): Promise<void> {
    const found = await findRestFiles(this.#options.root);
    this.#index = toStanding(found.index);
    this.#manifest = toStanding(found.manifest);
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
    const { root } = this.#options;
    const isIndexInTheWay = () => scope === 'content' && this.#index !== 'absent';
    if (!isIndexInTheWay() && this.#manifest === 'absent' && this.#writing === undefined) return;
    this.#writing?.abort();
    await this.#serial.run(async () => {
      // The manifest covers the index: it goes first.
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

  /** Writes what is missing; a change that comes in between makes it end without result. */
  async write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#serial.run(async () => {
      // What is under way ends in a state that nobody has seen yet: whoever changed it asks again.
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
