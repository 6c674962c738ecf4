import type { PlannedRecipe, VolumeCheck } from '../../../src/contract/plan.ts';
import { sync } from '../../../src/text/words/sync.ts';
import type { Words } from '../../../src/text/words/words.ts';
import { type Html, html } from '../html.ts';
import { bar, barShape } from '../parts/bar.ts';

/**
 * Bytes of a recipe: those in the store, and those that a run transfers; a blocked recipe is hatched as a whole.
 *
 * @param largest bytes of the largest recipe: the bars of all have one scale
 */
export function recipeBar(
  { totalBytes, transferBytes }: Pick<PlannedRecipe, 'totalBytes' | 'transferBytes'>,
  { isBlocked, largest }: { readonly isBlocked: boolean; readonly largest: number },
): Html {
  const scale = Math.max(largest, 1);
  return bar({
    thin: true,
    parts: isBlocked
      ? [{ kind: 'refused', share: totalBytes / scale }]
      : [
          { kind: 'done', share: (totalBytes - transferBytes) / scale },
          { kind: 'after', share: transferBytes / scale },
        ],
  });
}

/** The key of the bars of recipes. */
export function recipeBarKey({ say }: Words): Html {
  const entry = (kind: 'done' | 'after' | 'refused', text: string): Html =>
    html`<li><svg class="key" aria-hidden="true" focusable="false">${barShape(kind, 0, 1)}</svg> ${text}</li>`;
  return html`<ul class="keys">${entry('done', say(sync.keyHere))}${entry('after', say(sync.keyTransfer))}${entry('refused', say(sync.keyRefused))}</ul>`;
}

/**
 * The free space of a volume: the part that a run uses, and a mark where the margin begins. Bytes that do not fit stand
 * out past the mark.
 */
export function volumeBar({ freeBytes, usableBytes, projectedBytes }: VolumeCheck): Html {
  const needed = Math.max(0, projectedBytes);
  const scale = Math.max(freeBytes, needed, 1);
  const fitting = Math.min(needed, usableBytes);
  return bar({
    parts: [
      { kind: 'after', share: fitting / scale },
      { kind: 'refused', share: (needed - fitting) / scale },
    ],
    mark: usableBytes / scale,
  });
}
