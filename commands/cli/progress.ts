import { Writable } from 'node:stream';
import { Rate } from '../../src/base/rate.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';
import { formatByteSize } from '../../src/text/size.ts';

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
  /** Removes the progress line until the next update, before other output on the terminal. */
  clear(): void;
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
/** Milliseconds after which a line equal to the last one is written again, without a terminal. */
const sameInterval = 600_000;

/** Opens the progress of one operation. */
export function openProgress(options: ProgressOptions): Progress {
  const { stderr, language = 'en', now = () => performance.now(), quietInterval = 10_000 } = options;
  const isTerminal = stderr.isTTY === true;
  const rate = new Rate();
  let drawn = '';
  // without a terminal the first line is written after one interval, so that short work prints none
  let last = isTerminal ? Number.NEGATIVE_INFINITY : now();
  let stopped = false;
  let told = '';
  let toldAt = 0;

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
      if (!isTerminal) {
        const line = renderProgress(state, rate.perSecond, language);
        if (line === told && time - toldAt < sameInterval) return;
        toldAt = time;
        told = line;
        stderr.write(`${line}\n`);
        return;
      }
      // a terminal of unknown width reports 0
      const shown = renderProgress(state, rate.perSecond, language, (stderr.columns || 80) - 1);
      stderr.write(`${clearLine}${shown}`);
      drawn = shown;
    },
    clear() {
      erase();
      drawn = '';
    },
    stop() {
      if (stopped) return;
      this.clear();
      stopped = true;
    },
    [Symbol.dispose]() {
      this.stop();
    },
  };
}

/** Shortest label that still identifies a transfer, in characters. */
const shortLabel = 12;

/**
 * Renders a progress line: `alpine 3/12  1.5 GiB of 4 GiB  37 %  120 MiB/s  22 s left`. Where it is too long, the label
 * is shortened. Then the amount, the rate, the label and the share are left out, in this order. The time left goes last.
 *
 * @param width columns; default: no limit
 */
export function renderProgress(
  state: ProgressState,
  bytesPerSecond: number,
  language: Language = 'en',
  width: number = Number.POSITIVE_INFINITY,
): string {
  const { amount, share, rate, left } = toParts(state, bytesPerSecond, language);
  const { items } = state;
  const label = escapeText(state.label);
  const count = items === undefined ? '' : ` ${items}`;
  const join = (...parts: readonly (string | undefined)[]): string =>
    parts.filter((part) => part !== undefined).join('  ');
  const withLabel = (...parts: readonly (string | undefined)[]): string => {
    const whole = join(`${label}${count}`, ...parts);
    const excess = whole.length - width;
    if (excess <= 0 || label.length - excess < Math.min(label.length, shortLabel)) return whole;
    return join(`${label.slice(0, label.length - excess - 1)}…${count}`, ...parts);
  };
  const forms = [
    withLabel(amount, share, rate, left),
    withLabel(share, rate, left),
    withLabel(share, left),
    join(share, left),
    join(left),
  ];
  const fitting = forms.find((form) => form !== '' && form.length <= width);
  if (fitting !== undefined) return fitting;
  return `${(left ?? withLabel(share)).slice(0, Math.max(0, width - 1))}…`;
}

/** The parts of a progress line, after its label. */
function toParts({ bytesDone, bytesTotal = 0 }: ProgressState, bytesPerSecond: number, language: Language) {
  const text = speak(language);
  const size = (bytes: number): string => formatByteSize(bytes, language);
  const [done, total] = [size(bytesDone), size(bytesTotal)];
  const seconds = (bytesTotal - bytesDone) / bytesPerSecond;
  const isTimed = bytesPerSecond > 0 && seconds > 0;
  const percent = Math.min(100, Math.floor((bytesDone / bytesTotal) * 100));
  const time = isTimed ? formatSeconds(seconds) : '';
  return {
    amount:
      bytesTotal > 0
        ? text(`${done} of ${total}`, fr`${done} sur ${total}`)
        : bytesDone > 0
          ? done
          : undefined,
    share: bytesTotal > 0 ? text(`${percent} %`, fr`${percent} %`) : undefined,
    rate: bytesPerSecond > 0 ? `${size(bytesPerSecond)}/s` : undefined,
    left: isTimed ? text(`${time} left`, fr`reste ${time}`) : undefined,
  };
}

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
