import type { LinkRecord } from './link.ts';

/** What everybody may know of the link to other hosts. */
export interface LinkView {
  /** The cap of all transfers together; absent without one. */
  readonly bytesPerSecond?: number;
  /** The daily windows; absent when transfers run at any time. */
  readonly windows?: readonly string[];
  /** That of the windows. */
  readonly timeZone?: string;
  /** Whether transfers run now. */
  readonly open: boolean;
  /** When that changes (RFC 3339 UTC); absent when it never does. */
  readonly changesAt?: string;
}

/** The link, and how long it takes to fetch something. */
export interface LinkForecast extends LinkView {
  /** Seconds of transfer under the cap, without the hours between windows; absent without a cap. */
  readonly seconds?: number;
}

export function showLink({ rateLimit, windows }: LinkRecord): LinkView {
  const { effective, timeZone, open, changesAt } = windows;
  return {
    ...(rateLimit.bytesPerSecond === undefined ? {} : { bytesPerSecond: rateLimit.bytesPerSecond }),
    ...(effective.length === 0 ? {} : { windows: effective, timeZone }),
    open,
    ...(changesAt === undefined ? {} : { changesAt }),
  };
}

/** What the link means for a transfer. @returns undefined when neither a cap nor windows are set */
export function forecastLink(record: LinkRecord, bytes: number): LinkForecast | undefined {
  const view = showLink(record);
  const { bytesPerSecond, windows } = view;
  if (bytesPerSecond === undefined && windows === undefined) return undefined;
  return { ...view, ...(bytesPerSecond === undefined ? {} : { seconds: Math.ceil(bytes / bytesPerSecond) }) };
}
