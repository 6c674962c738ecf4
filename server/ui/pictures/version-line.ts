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

/** Events on a line of time, in the order given, each with its text under its mark. Steps are even: the text has the day. */
export function versionLine(label: string, marks: readonly VersionMark[]): Html {
  const shape = ({ kind, isCurrent }: VersionMark): Html =>
    html`<svg class="version-line-mark" width="18" height="18" aria-hidden="true" focusable="false"><circle class="version-mark-${kind}${isCurrent ? ' version-mark-current' : ''}" cx="9" cy="9" r="${isCurrent ? 8 : 6}"/></svg>`;
  return html`<ol class="version-line" aria-label="${label}">${marks.map((mark) => html`<li class="version-line-${mark.kind}">${shape(mark)}<span>${mark.text}</span></li>`)}</ol>`;
}
