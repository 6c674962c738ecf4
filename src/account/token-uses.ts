import { join } from 'node:path';
import type { Report } from '../base/report.ts';
import { LateRecord } from './late-record.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The last UTC day on which each token was used. A use changes nothing after the first of its day, so that a busy token costs
 * one write a day.
 */
export class TokenUses {
  readonly #record: LateRecord;
  /** Days since the epoch, of the uses that this process has seen. */
  readonly #seen = new Map<string, number>();

  constructor(stateRoot: string, report: Report) {
    this.#record = new LateRecord({
      path: join(stateRoot, 'token-uses'),
      report,
      title: 'record of uses of tokens',
      isText: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text),
    });
  }

  /** @param wall milliseconds since the epoch; called for every request with a token */
  record(name: string, wall: number): void {
    const day = Math.floor(wall / dayMs);
    if (this.#seen.get(name) === day) return;
    this.#seen.set(name, day);
    this.#record.set(name, new Date(day * dayMs).toISOString().slice(0, 10));
  }

  /** The last day of each token, such as `2026-11-22`. Unknown or unreadable ones are absent. */
  read(): Promise<ReadonlyMap<string, string>> {
    return this.#record.read();
  }

  /** Writes new days. A failure is logged; never throws. */
  flush(): Promise<void> {
    return this.#record.flush();
  }
}
