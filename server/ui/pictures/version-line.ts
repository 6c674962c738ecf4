import { type Html, html } from '../html.ts';

/** Something that happened at a moment. `failed` is drawn hollow. */
export interface VersionMark {
  /** RFC 3339. */
  readonly at: string;
  readonly kind: 'landed' | 'failed';
  /** The event with its moment: the text of the mark. */
  readonly text: Html;
  /** The one that the page shows. */
  readonly isCurrent?: boolean;
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Places marks between the first and the last, from 0 to 100; a single one, or all at once, at the end. */
export function toPlaces(moments: readonly string[]): readonly number[] {
  const times = moments.map((at) => Date.parse(at));
  const first = Math.min(...times);
  const span = Math.max(...times) - first;
  return times.map((time) => (span === 0 ? 100 : round(((time - first) / span) * 100)));
}

/**
 * Marks on a line of time, and under it the same as a list, in the order given. The line is decoration.
 *
 * @param label name of the list, for screen readers
 */
export function versionLine(label: string, marks: readonly VersionMark[]): Html {
  const places = toPlaces(marks.map(({ at }) => at));
  // each mark is a picture of its own, so that it keeps its shape where the line is stretched
  const shape = ({ kind, isCurrent }: VersionMark, x: number): Html =>
    html`<svg class="version-line-mark" x="${x}%" overflow="visible"><circle class="version-mark-${kind}${isCurrent ? ' version-mark-current' : ''}" r="${isCurrent ? 8 : 6}"/></svg>`;
  return html`<div class="version-line"><svg class="version-line-drawing" height="24" aria-hidden="true" focusable="false"><g transform="translate(0 12)"><rect class="version-line-axis" x="0" y="-1" width="100%" height="2"/>${marks.map((mark, i) => shape(mark, places[i]!))}</g></svg>
<ol class="version-line-list" aria-label="${label}">${marks.map(({ text, kind }) => html`<li class="version-line-${kind}">${text}</li>`)}</ol></div>`;
}
