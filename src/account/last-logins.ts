import { join } from 'node:path';
import type { Report } from '../base/report.ts';
import { writeStateFile } from '../disk/atomic-file.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { toSvcError } from '../text/error.ts';

/** Milliseconds between two writes: a sign-in does not wait for the disk. */
const writeDelay = 60_000;

/**
 * The last sign-in of each account, kept in memory and written periodically. A crash may lose the last
 * minute.
 */
export class LastLogins {
  readonly #path: string;
  readonly #report: Report;
  readonly #fresh = new Map<string, Date>();
  /** The last sign-ins that this process has seen, written or not. */
  readonly #seen = new Map<string, Date>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(stateRoot: string, report: Report) {
    this.#path = join(stateRoot, 'logins');
    this.#report = report;
  }

  record(name: string, at: Date): void {
    this.#fresh.set(name, at);
    this.#seen.set(name, at);
    this.#timer ??= setTimeout(() => void this.flush(), writeDelay).unref();
  }

  /**
   * Returns the times of the last sign-ins (RFC 3339) by account name. Unknown or unreadable times are
   * absent.
   */
  async read(): Promise<ReadonlyMap<string, string>> {
    const known = new Map<string, string>();
    try {
      const stored: unknown = JSON.parse(await readPlainText(this.#path));
      if (typeof stored === 'object' && stored !== null) {
        for (const [name, at] of Object.entries(stored)) if (typeof at === 'string') known.set(name, at);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.#report.log('warn', 'The record of sign-ins cannot be read', { path: this.#path });
      }
    }
    for (const [name, at] of this.#fresh) known.set(name, at.toISOString());
    return known;
  }

  /** The times that `read` returned, updated by the sign-ins since. */
  overlay(known: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const seen = [...this.#seen].map(([name, at]) => [name, at.toISOString()] as const);
    return new Map([...known, ...seen]);
  }

  /** Writes new sign-ins. A failure is logged; never throws. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#fresh.size === 0) return;
    const written = new Map(this.#fresh);
    try {
      const all = Object.fromEntries(await this.read());
      await writeStateFile(this.#path, `${JSON.stringify(all)}\n`);
      for (const [name, at] of written) if (this.#fresh.get(name) === at) this.#fresh.delete(name);
    } catch (error) {
      this.#report.log('warn', 'The record of sign-ins cannot be written', {
        path: this.#path,
        code: toSvcError(error).code,
      });
    }
  }
}
