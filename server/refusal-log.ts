import { toOrigin } from '../src/account/throttle.ts';
import { catalogue } from '../src/base/catalogue.ts';
import { isKnownCode } from '../src/base/error.ts';
import type { LogFields, Report } from '../src/base/report.ts';

/** A refusal as it is logged. */
export interface Refusal {
  /** Code of the catalogue or of the Distribution specification. */
  readonly code: string;
  readonly status: number;
  readonly params?: unknown;
  readonly detail?: unknown;
}

/** Period in which the records of one origin are counted, in milliseconds. */
const period = 60_000;
/** Refusals of one origin in a period that get a record of their own. */
const alone = 12;
/** Origins counted at once; further ones are counted together. */
const maxOrigins = 10_000;
const others = 'others';

interface Count {
  readonly since: number;
  total: number;
  /** Number of refusals without a record of their own, by code. */
  readonly summed: Map<string, number>;
}

/**
 * Logs refusals: the first twelve per minute of each origin one by one, with the correlation id of the
 * request, the rest as one sum. This limits the growth of the log.
 */
export class RefusalLog implements Disposable {
  readonly #report: Report;
  readonly #now: () => number;
  readonly #origins = new Map<string, Count>();
  readonly #timer: NodeJS.Timeout;

  /** @param now monotonic clock in milliseconds */
  constructor(report: Report, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#now = now;
    this.#timer = setInterval(() => this.sum(), period / 6);
    this.#timer.unref();
  }

  /**
   * Logs or counts one refusal.
   *
   * @param fields fields of the record, if it is logged on its own
   */
  record(address: string, { code, status, params, detail }: Refusal, fields: LogFields): void {
    this.#meter(code);
    const known = toOrigin(address);
    const origin = this.#origins.has(known) || this.#origins.size < maxOrigins ? known : others;
    let count = this.#origins.get(origin);
    if (count === undefined || this.#isOver(count)) {
      if (count !== undefined) this.#end(origin, count);
      count = { since: this.#now(), total: 0, summed: new Map() };
      this.#origins.set(origin, count);
    }
    count.total += 1;
    if (count.total <= alone) {
      this.#report.log('info', 'request refused', {
        ...fields,
        origin: address,
        code,
        status,
        params,
        detail,
      });
    } else count.summed.set(code, (count.summed.get(code) ?? 0) + 1);
  }

  /** Counts a refusal by policy or a failed verification. A code of the Distribution specification is neither. */
  #meter(code: string): void {
    if (!isKnownCode(code)) return;
    const { class: kind } = catalogue[code];
    if (kind === 'policy') this.#report.meter.add('svc_policy_rejections_total', 1, { code });
    if (kind === 'verification') this.#report.meter.add('svc_verification_failures_total', 1, { code });
  }

  /** Logs the sums of the periods that are over. */
  sum(): void {
    for (const [origin, count] of this.#origins) if (this.#isOver(count)) this.#end(origin, count);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    for (const [origin, count] of this.#origins) this.#end(origin, count);
  }

  #isOver({ since }: Count): boolean {
    return this.#now() - since >= period;
  }

  #end(origin: string, { total, summed }: Count): void {
    this.#origins.delete(origin);
    if (total <= alone) return;
    const codes = Object.fromEntries(summed);
    this.#report.log('info', 'further requests refused', { origin, count: total - alone, codes });
  }
}
