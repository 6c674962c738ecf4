import type { Report } from '../base/report.ts';
import { writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { toSvcError } from '../text/error.ts';

/** Milliseconds between a change and its write: no request waits for the disk. */
const writeDelay = 60_000;

interface LateRecordOptions {
  readonly path: string;
  readonly report: Report;
  /** Names the record in the log: `record of sign-ins`. */
  readonly title: string;
  /** Whether a stored text is kept. */
  readonly isText: (text: string) => boolean;
}

/** A file with one text by name, which is written a minute after a change. A crash may lose the last minute. */
export class LateRecord {
  readonly #options: LateRecordOptions;
  /** Texts that are not written. */
  readonly #fresh = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: LateRecordOptions) {
    this.#options = options;
  }

  set(name: string, text: string): void {
    this.#fresh.set(name, text);
    this.#timer ??= setTimeout(() => void this.flush(), writeDelay).unref();
  }

  /** The text of each name. Unknown or unreadable ones are absent. */
  async read(): Promise<ReadonlyMap<string, string>> {
    return new Map([...(await this.#readStored()), ...this.#fresh]);
  }

  async #readStored(): Promise<ReadonlyMap<string, string>> {
    const { path, report, title, isText } = this.#options;
    const known = new Map<string, string>();
    try {
      const stored: unknown = JSON.parse(await readPlainText(path));
      if (typeof stored === 'object' && stored !== null)
        for (const [name, text] of Object.entries(stored))
          if (typeof text === 'string' && isText(text)) known.set(name, text);
    } catch (error) {
      if (!isAbsent(error)) report.log('warn', `The ${title} cannot be read`, { path });
    }
    return known;
  }

  /** Writes new texts. A failure is logged; never throws. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#fresh.size === 0) return;
    const { path, report, title } = this.#options;
    const written = [...this.#fresh];
    const stored = await this.#readStored();
    try {
      if (written.some(([name, text]) => stored.get(name) !== text))
        await writeStateFile(path, `${JSON.stringify(Object.fromEntries([...stored, ...written]))}\n`);
      for (const [name, text] of written) if (this.#fresh.get(name) === text) this.#fresh.delete(name);
    } catch (error) {
      report.log('warn', `The ${title} cannot be written`, { path, code: toSvcError(error).code });
    }
  }
}
