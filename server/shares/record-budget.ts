import { type Bounds, type Holder, Shares } from '../../src/base/shares/shares.ts';
import { otherCallers } from './holder.ts';

/** Period in which the records of one caller are counted, in milliseconds. */
const period = 60_000;

/** Unwritten records of one caller in a period, summed up by their kind. */
interface Sums<S> {
  readonly holder: Pick<Holder, 'name'>;
  readonly sums: ReadonlyMap<string, S>;
}

interface RecordBudgetOptions<E, S> {
  /** Adds a record to the sum of its kind. */
  readonly add: (sum: S | undefined, event: E) => S;
  readonly tell: (sums: Sums<S>) => void;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/**
 * Limits the records that callers cause in a minute. Beyond its share, the records of a caller are counted, and told as
 * sums when the minute is over. Callers for which no record is left are counted together.
 */
export class RecordBudget<E, S> implements Disposable {
  readonly #bounds: Bounds;
  readonly #options: RecordBudgetOptions<E, S>;
  readonly #timer: NodeJS.Timeout;
  readonly #summed = new Map<string, Map<string, S>>();
  #shares: Shares;
  #since: number;

  constructor(bounds: Bounds, options: RecordBudgetOptions<E, S>) {
    this.#bounds = bounds;
    this.#options = options;
    this.#shares = new Shares(bounds);
    this.#since = options.now();
    this.#timer = setInterval(() => this.sum(), period / 6);
    this.#timer.unref();
  }

  /** Counts a record. @returns whether it is written on its own */
  isAlone(holder: Holder, kind: string, event: E): boolean {
    this.sum();
    if (this.#shares.tryTake(holder)) return true;
    const name = this.#shares.of(holder) > 0 ? holder.name : otherCallers;
    const sums = this.#summed.get(name) ?? new Map<string, S>();
    this.#summed.set(name, sums);
    sums.set(kind, this.#options.add(sums.get(kind), event));
    return false;
  }

  /** Tells the sums once the period is over. */
  sum(): void {
    if (this.#options.now() - this.#since >= period) this.#end();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#end();
  }

  #end(): void {
    const summed = [...this.#summed];
    this.#summed.clear();
    this.#shares = new Shares(this.#bounds);
    this.#since = this.#options.now();
    for (const [name, sums] of summed) this.#options.tell({ holder: { name }, sums });
  }
}
