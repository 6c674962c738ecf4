import { type Html, html } from '../html.ts';

/** A part of a bar: `done` is solid, `after` pale, `refused` hatched, `warn` solid in the colour of a warning. */
export interface BarPart {
  readonly kind: 'done' | 'after' | 'refused' | 'warn';
  /** From 0 to 1, of the length of the bar. */
  readonly share: number;
}

interface BarOptions {
  readonly parts: readonly BarPart[];
  /** Where a threshold is marked, from 0 to 1. */
  readonly mark?: number;
  readonly thin?: boolean;
}

const clamp = (share: number): number => (Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0);
const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;

/** The pattern of refused parts. A page with such a part contains it once. */
export function hatchPattern(): Html {
  return html`<svg class="visually-hidden" aria-hidden="true" focusable="false"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/><rect class="hatch-line" width="2.500" height="6"/></pattern></defs></svg>`;
}

/** A part of a bar as a shape: where it begins and how long it is, from 0 to 1 of the picture. */
export function barShape(kind: BarPart['kind'], start: number, share: number): Html {
  const [x, width] = [percent(start), percent(share)];
  return kind === 'refused'
    ? html`<rect class="bar-refused" x="${x}" y="0" width="${width}" height="100%" fill="url(#hatch)"/>`
    : html`<rect class="bar-${kind}" x="${x}" y="0" width="${width}" height="100%"/>`;
}

/**
 * A bar of shares. It is decoration: the text beside it has the same values. Its lengths are shares of the width that it
 * gets, so that marks and the hatch keep their shape.
 */
export function bar({ parts, mark, thin = false }: BarOptions): Html {
  let at = 0;
  const shapes = parts.map(({ kind, share }) => {
    const length = Math.min(clamp(share), 1 - at);
    const shape = barShape(kind, at, length);
    at += length;
    return shape;
  });
  const line =
    mark === undefined
      ? ''
      : html`<svg x="${percent(clamp(mark))}" overflow="visible"><rect class="bar-mark" x="-2" y="0" width="2" height="100%"/></svg>`;
  return html`<svg class="bar ${thin ? 'bar-thin' : 'bar-thick'}" aria-hidden="true" focusable="false"><rect class="bar-rest" width="100%" height="100%"/>${shapes}${line}</svg>`;
}
