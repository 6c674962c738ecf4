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

/**
 * How full the store is. The length of the bar is the most that the store may use. This is its bytes and the free bytes
 * of its volume, or its threshold if that is more.
 */
export function occupancyBar({ words: { say, format } }: PageCall, { measured, volume }: Measured): Html {
  const { bytes, thresholdBytes, exceeded } = measured;
  const length = Math.max(1, bytes + (volume?.freeBytes ?? 0), thresholdBytes ?? 0);
  const mark = thresholdBytes === undefined ? {} : { mark: thresholdBytes / length };
  return html`<div class="occupancy">
<p class="occupancy-figure"><strong>${format.size(bytes)}</strong> <span class="muted">${say(occupancy.used)}</span></p>
${bar({ parts: [{ kind: exceeded ? 'warn' : 'done', share: bytes / length }], ...mark })}
<p class="occupancy-scale"><span>${
    thresholdBytes === undefined
      ? say(occupancy.noThreshold)
      : say(exceeded ? occupancy.over : occupancy.threshold, { threshold: thresholdBytes })
  }</span>${volume === undefined ? '' : html`<span>${say(occupancy.free, { free: volume.freeBytes })}</span>`}</p>
</div>`;
}
