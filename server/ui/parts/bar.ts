import { type Html, html } from '../html.ts';

/** A part of a bar. `done` is solid, `after` dotted, `refused` hatched, `rest` an outline. */
interface BarPart {
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
const round = (value: number): number => Math.round(value * 100) / 100;

/**
 * A bar of shares. It is decoration: the text beside it has the same values.
 */
export function bar({ parts, mark, thin = false }: BarOptions): Html {
  let at = 0;
  const shapes = parts.map(({ kind, share }) => {
    const width = Math.min(clamp(share), 1 - at) * 100;
    const shape = html`<rect class="bar-${kind}" x="${round(at * 100)}" y="0" width="${round(width)}" height="10"/>`;
    at += width / 100;
    return shape;
  });
  const line =
    mark === undefined
      ? ''
      : html`<rect class="bar-mark" x="${round(clamp(mark) * 99.4)}" y="0" width="0.6" height="10"/>`;
  return html`<svg class="bar ${thin ? 'bar-thin' : 'bar-thick'}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar-rest" x="0" y="0" width="100" height="10"/>${shapes}${line}</svg>`;
}
