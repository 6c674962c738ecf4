import { Writable } from 'node:stream';
import { escapeText } from '../../src/base/escape.ts';
import { formatByteSize } from '../../src/base/size.ts';

interface ProgressState {
  /** What is being done: an ingredient, a stage. */
  readonly label: string;
  readonly bytesDone: number;
  /** Absent or 0 while it is not known. */
  readonly bytesTotal?: number | undefined;
  /** Such as `3/12`. */
  readonly items?: string | undefined;
}

/** Tells how far the work is: one line that is kept up to date on a terminal, a line now and then elsewhere. */
export interface Progress extends Disposable {
  update(state: ProgressState): void;
  /** Where others write meanwhile, so that their lines and the progress line do not mix. */
  readonly stream: Writable;
  /** Takes the progress line away; nothing is shown afterwards. */
  stop(): void;
}

interface ProgressOptions {
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly now?: () => number;
  /** Milliseconds between lines where there is no terminal. */
  readonly quietInterval?: number;
}

const clearLine = '\r\u001b[2K';
const redrawInterval = 100;

/** Opens the progress of one piece of work. */
export function openProgress(options: ProgressOptions): Progress {
  const { stderr, now = () => performance.now(), quietInterval = 10_000 } = options;
  const isTerminal = stderr.isTTY === true;
  const rate = new Rate();
  let drawn = '';
  // the first line elsewhere comes after one interval: short work stays silent
  let last = isTerminal ? Number.NEGATIVE_INFINITY : now();
  let stopped = false;

  const erase = (): void => {
    if (drawn !== '') stderr.write(clearLine);
  };
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      erase();
      stderr.write(chunk);
      if (drawn !== '') stderr.write(drawn);
      done();
    },
  });
  return {
    stream,
    update(state) {
      if (stopped) return;
      const time = now();
      rate.add(time, state.bytesDone);
      if (time - last < (isTerminal ? redrawInterval : quietInterval)) return;
      last = time;
      const line = renderProgress(state, rate.perSecond);
      if (!isTerminal) {
        stderr.write(`${line}\n`);
        return;
      }
      // a terminal that does not know its width says 0
      const width = (stderr.columns || 80) - 1;
      const shown = line.length > width ? `${line.slice(0, Math.max(0, width - 1))}…` : line;
      stderr.write(`${clearLine}${shown}`);
      drawn = shown;
    },
    stop() {
      if (stopped) return;
      erase();
      drawn = '';
      stopped = true;
    },
    [Symbol.dispose]() {
      this.stop();
    },
  };
}

/** `alpine 3/12  1.5 GiB of 4 GiB  37 %  120 MiB/s  22 s left`. */
export function renderProgress(state: ProgressState, bytesPerSecond: number): string {
  const { label, bytesDone, bytesTotal = 0, items } = state;
  const parts = [escapeText(label) + (items === undefined ? '' : ` ${items}`)];
  if (bytesTotal > 0) {
    const percent = Math.min(100, Math.floor((bytesDone / bytesTotal) * 100));
    parts.push(`${formatByteSize(bytesDone)} of ${formatByteSize(bytesTotal)}`, `${percent} %`);
  } else if (bytesDone > 0) parts.push(formatByteSize(bytesDone));
  if (bytesPerSecond > 0) {
    parts.push(`${formatByteSize(bytesPerSecond)}/s`);
    const left = (bytesTotal - bytesDone) / bytesPerSecond;
    if (left > 0) parts.push(`${formatSeconds(left)} left`);
  }
  return parts.join('  ');
}

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Bytes per second over about the last five seconds. */
class Rate {
  readonly #samples: { time: number; bytes: number }[] = [];

  add(time: number, bytes: number): void {
    const newest = this.#samples.at(-1);
    if (newest !== undefined && (bytes < newest.bytes || time - newest.time < 50)) {
      if (bytes < newest.bytes) this.#samples.length = 0;
      else return;
    }
    this.#samples.push({ time, bytes });
    while (this.#samples.length > 2 && time - this.#samples[0]!.time > 5000) this.#samples.shift();
  }

  get perSecond(): number {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.time <= first.time) return 0;
    return ((last.bytes - first.bytes) / (last.time - first.time)) * 1000;
  }
}
