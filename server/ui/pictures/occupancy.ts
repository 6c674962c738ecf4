import type { Occupancy } from '../../../src/contract/recipe.ts';
import type { Volume } from '../../../src/contract/status.ts';
import { occupancy } from '../../../src/text/words/occupancy.ts';
import { type Html, html } from '../html.ts';
import { bar } from '../parts/bar.ts';
import type { PageCall } from '../ui-route.ts';

interface Measured {
  readonly measured: Pick<Occupancy, 'bytes' | 'thresholdBytes' | 'exceeded'>;
  /** Undefined when the volume cannot be asked. */
  readonly volume: Volume | undefined;
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`;

/** A label that begins at a place of the bar, or ends there in its second half. @param at from 0 to 1 */
function atTick(at: number, text: string): Html {
  const space = (share: number): Html =>
    html`<svg width="${percent(share)}" height="1" aria-hidden="true" focusable="false"></svg>`;
  return at > 0.5
    ? html`<p class="occupancy-tick occupancy-tick-before"><span>${text}</span>${space(1 - at)}</p>`
    : html`<p class="occupancy-tick">${space(at)}<span>${text}</span></p>`;
}

/**
 * How full the store is. The length of the bar is the most that the store may use. This is its bytes and the free bytes
 * of its volume, or its threshold if that is more.
 */
export function occupancyBar({ words: { say, format } }: PageCall, { measured, volume }: Measured): Html {
  const { bytes, thresholdBytes, exceeded } = measured;
  const length = Math.max(1, bytes + (volume?.freeBytes ?? 0), thresholdBytes ?? 0);
  const mark = thresholdBytes === undefined ? {} : { mark: thresholdBytes / length };
  const label =
    thresholdBytes === undefined
      ? html`<p class="occupancy-tick">${say(occupancy.noThreshold)}</p>`
      : atTick(
          thresholdBytes / length,
          say(exceeded ? occupancy.over : occupancy.threshold, { threshold: thresholdBytes }),
        );
  return html`<div class="occupancy">
<p class="occupancy-figure"><span><strong>${format.size(bytes)}</strong> <span class="muted">${say(occupancy.used)}</span></span>${volume === undefined ? '' : html`<span class="muted">${say(occupancy.free, { free: volume.freeBytes })}</span>`}</p>
${bar({ parts: [{ kind: exceeded ? 'warn' : 'done', share: bytes / length }], ...mark })}
${label}
</div>`;
}
