import type { MediumAge } from '../../../src/contract/medium.ts';
import { media } from '../../../src/text/words/media.ts';
import { parts } from '../../../src/text/words/parts.ts';
import type { Words } from '../../../src/text/words/words.ts';
import { type Html, html } from '../html.ts';
import { badge } from '../parts/badge.ts';

/** Where the last import and this medium are on the axis of 240. */
function placesOf({ resolvedAt, recordedAt }: MediumAge): readonly [last: number | undefined, own: number] {
  if (recordedAt === undefined) return [undefined, 120];
  const distance = Date.parse(resolvedAt) - Date.parse(recordedAt);
  if (distance === 0) return [120, 120];
  return distance > 0 ? [28, 211] : [211, 28];
}

/**
 * When this medium was resolved, beside the last one imported: two marks on an axis, the earlier one first.
 *
 * @param peer whose passport vouches for it: only imports with a passport of that peer count beside it. Default: none does
 */
export function freshnessPicture({ say, format }: Words, freshness: MediumAge, peer?: string): Html {
  const { resolvedAt, recordedAt, stale, importedAt } = freshness;
  const isRefused = stale && importedAt === undefined;
  const [last, own] = placesOf(freshness);
  const mark = last === undefined ? '' : html`<circle class="axis-last" cx="${last}" cy="8" r="5"/>`;
  const rows = [
    ...(recordedAt === undefined
      ? []
      : [
          {
            at: recordedAt,
            row: html`<li>${say(media.freshest)}${say(parts.colon)} <span class="moment">${format.time(recordedAt)}</span></li>`,
          },
        ]),
    {
      at: resolvedAt,
      row: html`<li><strong>${say(media.thisMedium)}</strong>${say(parts.colon)} <span class="moment">${format.time(resolvedAt)}</span></li>`,
    },
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const imported = stale ? media.importedBefore : media.importedLast;
  const other = recordedAt === undefined ? media.first : stale ? media.older : media.newer;
  const word = importedAt === undefined ? other : imported;
  return html`<div class="axis"><svg class="axis-line" viewBox="0 0 240 16" aria-hidden="true" focusable="false"><path d="M4 8h226M225 3l6 5-6 5"/>${mark}<circle class="axis-own ${isRefused ? 'axis-bad' : 'axis-ok'}" cx="${own}" cy="8" r="${last === own ? 3 : 6}"/></svg>
${badge(isRefused ? 'bad' : 'ok', say(word, { peer }))}<ul class="axis-marks">${rows.map(({ row }) => row)}</ul></div>`;
}
