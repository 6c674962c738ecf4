import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toSvcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import { writeFileAtomic } from '../disk/atomic-file.ts';

/** Milliseconds between two writings: signing in never waits for the disk. */
const writeDelay = 60_000;

/** When each account last signed in: kept in memory, written now and then beside the accounts. Losing a minute is fine. */
export class LastLogins {
  readonly #path: string;
  readonly #report: Report;
  readonly #fresh = new Map<string, Date>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(stateRoot: string, report: Report) {
    this.#path = join(stateRoot, 'logins');
    this.#report = report;
  }

  record(name: string, at: Date): void {
    this.#fresh.set(name, at);
    this.#timer ??= setTimeout(() => void this.flush(), writeDelay).unref();
  }

  /** By account name, RFC 3339; what is not known, or unreadable, is absent. */
  async read(): Promise<ReadonlyMap<string, string>> {
    const known = new Map<string, string>();
    try {
      const stored: unknown = JSON.parse(await readFile(this.#path, 'utf8'));
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

  /** Writes what is new. A failure is reported, never thrown. */
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
      await writeFileAtomic(this.#path, `${JSON.stringify(all)}\n`, { mode: 0o600 });
      for (const [name, at] of written) if (this.#fresh.get(name) === at) this.#fresh.delete(name);
    } catch (error) {
      this.#report.log('warn', 'The record of sign-ins cannot be written', {
        path: this.#path,
        code: toSvcError(error).code,
      });
    }
  }
}
