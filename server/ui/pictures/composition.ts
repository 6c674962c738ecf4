import { type Html, html } from '../html.ts';

/** A part of a whole. */
export interface CompositionPart {
  readonly bytes: number;
}

/** Fills that take turns, so that neighbours differ by shape as well. */
const compositionFills = 6;

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Share of each part, from 0 to 1; of nothing, no share. */
export function toShares(parts: readonly CompositionPart[]): readonly number[] {
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return parts.map(({ bytes }) => (total === 0 ? 0 : bytes / total));
}

/** The mark of a row: the fill that its part has in the bar. */
export function compositionMark(place: number): Html {
  return html`<svg class="composition-mark" viewBox="0 0 10 10" aria-hidden="true" focusable="false"><rect class="part-${place % compositionFills}" width="10" height="10" rx="2"/></svg>`;
}

/**
 * One stacked bar of sizes. It is decoration: the rows of a table beside it, in the same order and with the same marks,
 * give the same figures.
 */
export function compositionBar(parts: readonly CompositionPart[]): Html {
  let at = 0;
  const shapes = toShares(parts).map((share, place) => {
    const width = share * 100;
    const shape = html`<rect class="part-${place % compositionFills}" x="${round(at)}" y="0" width="${round(width)}" height="10"/>`;
    at += width;
    return shape;
  });
  return html`<svg class="composition" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar-rest" width="100" height="10"/>${shapes}</svg>`;
}
