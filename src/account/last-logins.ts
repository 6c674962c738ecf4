import { join } from 'node:path';
import type { Report } from '../base/report.ts';
import { LateRecord } from './late-record.ts';

/** The last sign-in of each account. */
export class LastLogins {
  readonly #record: LateRecord;
  /** The last sign-ins that this process has seen, as RFC 3339, written or not. */
  readonly #seen = new Map<string, string>();

  constructor(stateRoot: string, report: Report) {
    const path = join(stateRoot, 'logins');
    this.#record = new LateRecord({ path, report, title: 'record of sign-ins', isText: () => true });
  }

  record(name: string, at: Date): void {
    const text = at.toISOString();
    this.#seen.set(name, text);
    this.#record.set(name, text);
  }

  /** The times of the last sign-ins (RFC 3339) by account name. Unknown or unreadable times are absent. */
  read(): Promise<ReadonlyMap<string, string>> {
    return this.#record.read();
  }

  /** The times that `read` returned, updated by the sign-ins since. */
  overlay(known: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    return new Map([...known, ...this.#seen]);
  }

  /** Writes new sign-ins. A failure is logged; never throws. */
  flush(): Promise<void> {
    return this.#record.flush();
  }
}
