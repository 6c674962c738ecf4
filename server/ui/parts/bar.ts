import { type Html, html } from '../html.ts';

/** A part of a bar: `done` is solid, `after` pale, `refused` and `stalled` hatched, `warn` solid in the colour of a warning. */
export interface BarPart {
  readonly kind: 'done' | 'after' | 'refused' | 'stalled' | 'warn';
  /** From 0 to 1, of the length of the bar. */
  readonly share: number;
}

interface BarOptions {
  readonly parts: readonly BarPart[];
  /** Where a threshold is marked, from 0 to 1. */
  readonly mark?: number;
  readonly thin?: boolean;
  /** Accessible name. A bar without one is hidden from screen readers. */
  readonly name?: string;
}

const clamp = (share: number): number => (Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0);
const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;

const hatches = { refused: 'hatch', stalled: 'hatch-stalled' } as const;

/** The patterns of hatched parts. A page with such a part contains them once. */
export function hatchPattern(): Html {
  return html`<svg class="visually-hidden" aria-hidden="true" focusable="false"><defs>${Object.values(
    hatches,
  ).map(
    (id) =>
      html`<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="${id}-ground" width="6" height="6"/><rect class="${id}-line" width="2.500" height="6"/></pattern>`,
  )}</defs></svg>`;
}

/** A part of a bar as a shape: where it begins and how long it is, from 0 to 1 of the picture. */
export function barShape(kind: BarPart['kind'], start: number, share: number): Html {
  const [x, width] = [percent(start), percent(share)];
  return kind === 'refused' || kind === 'stalled'
    ? html`<rect class="bar-${kind}" x="${x}" y="0" width="${width}" height="100%" fill="url(#${hatches[kind]})"/>`
    : html`<rect class="bar-${kind}" x="${x}" y="0" width="${width}" height="100%"/>`;
}

/**
 * A bar of shares. Without a name it is decoration: the text beside it has the same values. Its lengths are shares of the width that it
 * gets, so that marks and the hatch keep their shape.
 */
export function bar({ parts, mark, thin = false, name }: BarOptions): Html {
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
  const inside = html`<rect class="bar-rest" width="100%" height="100%"/>${shapes}${line}</svg>`;
  const kind = thin ? 'bar-thin' : 'bar-thick';
  if (name === undefined)
    return html`<svg class="bar ${kind}" aria-hidden="true" focusable="false">${inside}`;
  const [{ share: done } = { share: 0 }] = parts;
  return html`<svg class="bar ${kind}" role="progressbar" aria-label="${name}" aria-valuemin="0" aria-valuemax="100" aria-valuenow="${Math.floor(clamp(done) * 100)}" focusable="false">${inside}`;
}

/** Upper limits of a time left, and the step to which it is rounded below each; in seconds. */
const steps = [
  [60, 10],
  [600, 60],
  [3600, 300],
  [21_600, 900],
  [Number.POSITIVE_INFINITY, 3600],
] as const;

/** Rounds a time left, so that it does not change each second. @returns milliseconds */
export function toTimeLeft(seconds: number): number {
  const [, step] = steps.find(([below]) => seconds <= below)!;
  return Math.max(1, Math.round(seconds / step)) * step * 1000;
}
