import { type Bounds, type Holder, Shares } from '../../src/base/shares/shares.ts';
import { otherCallers } from './holder.ts';

/** Period in which the records of one caller are counted, in milliseconds. */
const period = 60_000;

/** Unwritten records of one caller in a period, counted by their message. */
interface Sum {
  readonly holder: Pick<Holder, 'name'>;
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Limits the records that callers cause in a minute. Beyond its share, the records of a caller are counted, and told as one
 * sum when the minute is over. Callers for which no record is left are counted together.
 */
export class RecordBudget implements Disposable {
  readonly #bounds: Bounds;
  readonly #tell: (sum: Sum) => void;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  readonly #summed = new Map<string, Map<string, number>>();
  #shares: Shares;
  #since: number;

  /** @param now monotonic clock in milliseconds */
  constructor(bounds: Bounds, tell: (sum: Sum) => void, now: () => number) {
    this.#bounds = bounds;
    this.#tell = tell;
    this.#now = now;
    this.#shares = new Shares(bounds);
    this.#since = now();
    this.#timer = setInterval(() => this.sum(), period / 6);
    this.#timer.unref();
  }

  /** Counts a record. @returns whether it is written on its own */
  isAlone(holder: Holder, saying: string): boolean {
    this.sum();
    if (this.#shares.tryTake(holder)) return true;
    const name = this.#shares.of(holder) > 0 ? holder.name : otherCallers;
    const counts = this.#summed.get(name) ?? new Map<string, number>();
    this.#summed.set(name, counts);
    counts.set(saying, (counts.get(saying) ?? 0) + 1);
    return false;
  }

  /** Tells the sums once the period is over. */
  sum(): void {
    if (this.#now() - this.#since >= period) this.#end();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#end();
  }

  #end(): void {
    const summed = [...this.#summed];
    this.#summed.clear();
    this.#shares = new Shares(this.#bounds);
    this.#since = this.#now();
    for (const [name, counts] of summed) this.#tell({ holder: { name }, counts });
  }
}
