import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';

/** A daily window on a clock on the wall, in minutes of the day; one that ends before it begins lasts over midnight. */
export interface DailyWindow {
  readonly from: number;
  /** At most 1440. */
  readonly to: number;
}

/** When transfers run. */
export interface WindowPlan {
  readonly windows: readonly DailyWindow[];
  /** Name in the IANA database. */
  readonly timeZone: string;
}

/** Windows of one list at most. */
const mostWindows = 24;
const minute = 60_000;
const day = 24 * 60 * minute;

const form = /^([01][0-9]|2[0-3]):([0-5][0-9])-(?:([01][0-9]|2[0-3]):([0-5][0-9])|24:00)$/;

/** The rule that the text of one window breaks, if any. */
export function checkWindow(text: string): Rule | undefined {
  const window = parseWindow(text);
  if (window === undefined)
    return rule([
      'must be HH:MM-HH:MM on a clock of 24 hours, such as 22:00-06:00',
      fr`doit être HH:MM-HH:MM sur 24 heures, comme 22:00-06:00`,
    ]);
  return window.from === window.to
    ? rule([
        'is empty: it ends when it begins; the whole day is 00:00-24:00',
        fr`est vide : elle finit quand elle commence ; la journée entière s’écrit 00:00-24:00`,
      ])
    : undefined;
}

function parseWindow(text: string): DailyWindow | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, fromHour, fromMinute, toHour, toMinute] = match;
  return {
    from: Number(fromHour) * 60 + Number(fromMinute),
    to: toHour === undefined ? 1440 : Number(toHour) * 60 + Number(toMinute),
  };
}

/** The parts of a window within one day. */
function toParts({ from, to }: DailyWindow): readonly (readonly [number, number])[] {
  if (from < to) return [[from, to]];
  return to === 0
    ? [[from, 1440]]
    : [
        [from, 1440],
        [0, to],
      ];
}

const overlap = (a: DailyWindow, b: DailyWindow): boolean =>
  toParts(a).some(([from, to]) => toParts(b).some(([start, end]) => from < end && start < to));

/**
 * The first rule that a list of windows breaks as a whole, if any: how many there are, and whether two overlap. Windows
 * that touch each other are one. Texts that are no windows are left to {@link checkWindow}.
 */
export function checkWindowList(texts: readonly string[]): Rule | undefined {
  if (texts.length === 0)
    return rule([
      'must name a window; the whole day is 00:00-24:00',
      fr`doit citer une fenêtre ; la journée entière s’écrit 00:00-24:00`,
    ]);
  if (texts.length > mostWindows)
    return rule(['must have at most {most} windows', fr`doit avoir au plus {most} fenêtres`], {
      most: mostWindows,
    });
  const windows = texts.map(parseWindow);
  for (const [index, window] of windows.entries()) {
    const other = windows
      .slice(0, index)
      .findIndex((earlier) => window !== undefined && earlier !== undefined && overlap(earlier, window));
    if (other >= 0)
      return rule(
        ['windows {first} and {second} overlap', fr`les fenêtres {first} et {second} se chevauchent`],
        { first: other + 1, second: index + 1 },
      );
  }
  return undefined;
}

/** The rule that the name of a time zone breaks, if any. */
export function checkTimeZone(name: string): Rule | undefined {
  const broken = rule([
    'must be a time zone of the IANA database, such as UTC or Europe/Paris',
    fr`doit être un fuseau horaire de la base IANA, comme UTC ou Europe/Paris`,
  ]);
  // an offset is accepted by the runtime, but follows no clock change
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return broken;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return undefined;
  } catch {
    return broken;
  }
}

/** Parses windows that obey the rules above. */
export function toWindowPlan(texts: readonly string[], timeZone: string): WindowPlan {
  return { windows: texts.flatMap((text) => parseWindow(text) ?? []), timeZone };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds by which the clocks of a zone are ahead of UTC at an instant. */
function offsetAt(timeZone: string, instant: number): number {
  if (timeZone === 'UTC') return 0;
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const whole = Math.floor(instant / 1000) * 1000;
  const parts = Object.fromEntries(
    format.formatToParts(whole).map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
  const shown = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
  return shown - whole;
}

const toLocal = (instant: number, offset: number): number => (((instant + offset) % day) + day) % day;

/**
 * Whether a window is open. Local time decides: an hour that a clock change skips is in no window, and a repeated one
 * is in the window twice.
 *
 * @param instant milliseconds since the epoch
 */
export function isOpenAt({ windows, timeZone }: WindowPlan, instant: number): boolean {
  const at = toLocal(instant, offsetAt(timeZone, instant));
  return windows.some((window) =>
    toParts(window).some(([from, to]) => at >= from * minute && at < to * minute),
  );
}

/**
 * When the windows open, while they are closed, or close, while they are open, next.
 *
 * @param instant milliseconds since the epoch
 * @returns undefined when that never happens
 */
export function nextChange(plan: WindowPlan, instant: number): number | undefined {
  const open = isOpenAt(plan, instant);
  const edges = plan.windows.flatMap(({ from, to }) => [from * minute, (to * minute) % day]);
  let at = instant;
  // a day has two edges for each window, and a clock change may leave one out
  for (let tries = 0; tries <= (mostWindows + 1) * 4; tries += 1) {
    const offset = offsetAt(plan.timeZone, at);
    const local = toLocal(at, offset);
    let next = at + Math.min(...edges.map((edge) => (edge > local ? edge - local : edge - local + day)));
    if (offsetAt(plan.timeZone, next) !== offset) next = findClockChange(plan.timeZone, at, next);
    if (isOpenAt(plan, next) !== open) return next;
    at = next;
  }
  return undefined;
}

/** The first instant of another offset, between one before the clock change and one not before it. */
function findClockChange(timeZone: string, before: number, after: number): number {
  const offset = offsetAt(timeZone, before);
  let low = before;
  let high = after;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(timeZone, middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}
