import type { Link, LinkForecast } from '../contract/link.ts';
import type { LinkRecord } from './link.ts';

/** Bytes that a plan moves over the link. */
interface PlannedTransfer {
  readonly recipes: readonly unknown[];
  readonly problems: readonly unknown[];
  readonly totals: { readonly transferBytes: number };
  readonly promotion?: { readonly bytes: number; readonly unasked: number };
}

export function showLink({ rateLimit, windows }: LinkRecord): Link {
  const { effective, timeZone, open, changesAt } = windows;
  return {
    bytesPerSecond: rateLimit.bytesPerSecond,
    ...(effective.length === 0 ? {} : { windows: effective, timeZone }),
    open,
    changesAt,
  };
}

/**
 * Effect of the link on a transfer. The cap counts received and pushed bytes as one sum.
 *
 * @returns undefined when neither a cap nor windows are set
 */
export function forecastLink(record: LinkRecord, planned: PlannedTransfer): LinkForecast | undefined {
  const view = showLink(record);
  const { bytesPerSecond, windows } = view;
  if (bytesPerSecond === undefined && windows === undefined) return undefined;
  const isUnknown = planned.recipes.length === 0 && planned.problems.length > 0;
  if (bytesPerSecond === undefined || isUnknown) return view;
  return { ...view, ...toDuration(planned, bytesPerSecond) };
}

function toDuration(
  { totals, promotion = { bytes: 0, unasked: 0 } }: PlannedTransfer,
  bytesPerSecond: number,
): Required<Pick<LinkForecast, 'seconds' | 'accuracy'>> {
  const toSeconds = (bytes: number): number => Math.ceil(bytes / bytesPerSecond);
  // an upper limit cannot be added to a lower one
  if (promotion.unasked > 0) return { seconds: toSeconds(totals.transferBytes), accuracy: 'at-least' };
  return {
    seconds: toSeconds(totals.transferBytes + promotion.bytes),
    accuracy: promotion.bytes > 0 ? 'at-most' : 'about',
  };
}
