import { Writable } from 'node:stream';
import { escapeText } from '../../src/base/escape.ts';
import { fr, type Language, speak } from '../../src/base/language.ts';
import { Rate } from '../../src/base/rate.ts';
import { formatByteSize } from '../../src/base/size.ts';

interface ProgressState {
  /** Name of the current work: an ingredient, a stage. */
  readonly label: string;
  readonly bytesDone: number;
  /** Absent or 0 while the total is unknown. */
  readonly bytesTotal?: number | undefined;
  /** Item count, for example `3/12`. */
  readonly items?: string | undefined;
}

/** Shows progress on stderr: on a terminal one line that is updated, elsewhere a line at intervals. */
export interface Progress extends Disposable {
  update(state: ProgressState): void;
  /** Stream for other output during the progress, so that it does not mix with the progress line. */
  readonly stream: Writable;
  /** Removes the progress line and shows no further progress. */
  stop(): void;
}

interface ProgressOptions {
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Default: English. */
  readonly language?: Language;
  readonly now?: () => number;
  /** Milliseconds between lines without a terminal. Default: 10 000. */
  readonly quietInterval?: number;
}

const clearLine = '\r\u001b[2K';
const redrawInterval = 100;

/** Opens the progress of one operation. */
export function openProgress(options: ProgressOptions): Progress {
  const { stderr, language = 'en', now = () => performance.now(), quietInterval = 10_000 } = options;
  const isTerminal = stderr.isTTY === true;
  const rate = new Rate();
  let drawn = '';
  // without a terminal the first line is written after one interval, so that short work prints none
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
      const line = renderProgress(state, rate.perSecond, language);
      if (!isTerminal) {
        stderr.write(`${line}\n`);
        return;
      }
      // a terminal of unknown width reports 0
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

/** Renders a progress line: `alpine 3/12  1.5 GiB of 4 GiB  37 %  120 MiB/s  22 s left`. */
export function renderProgress(
  state: ProgressState,
  bytesPerSecond: number,
  language: Language = 'en',
): string {
  const text = speak(language);
  const size = (bytes: number): string => formatByteSize(bytes, language);
  const { label, bytesDone, bytesTotal = 0, items } = state;
  const parts = [escapeText(label) + (items === undefined ? '' : ` ${items}`)];
  if (bytesTotal > 0) {
    const percent = Math.min(100, Math.floor((bytesDone / bytesTotal) * 100));
    const [done, total] = [size(bytesDone), size(bytesTotal)];
    parts.push(text(`${done} of ${total}`, fr`${done} sur ${total}`), text(`${percent} %`, fr`${percent} %`));
  } else if (bytesDone > 0) parts.push(size(bytesDone));
  if (bytesPerSecond > 0) {
    parts.push(`${size(bytesPerSecond)}/s`);
    const left = (bytesTotal - bytesDone) / bytesPerSecond;
    const time = formatSeconds(left);
    if (left > 0) parts.push(text(`${time} left`, fr`reste ${time}`));
  }
  return parts.join('  ');
}

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
