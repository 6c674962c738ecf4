import { systemClock } from '../../../src/base/clock.ts';
import { escapeText } from '../../../src/text/escape.ts';
import { type Html, html } from '../html.ts';

/** Text that others chose: names, annotations, log lines. It cannot change the direction of the text beside it. */
export function untrusted(text: string): Html {
  return html`<bdi translate="no">${escapeText(text)}</bdi>`;
}

/** Text for `<title>`, which windows and histories show on one line: cut where it is longer than they show. */
export function toTitle(text: string, limit = 120): string {
  const shown = escapeText(text.slice(0, limit + 1));
  return shown.length > limit ? `${shown.slice(0, limit - 1)}…` : shown;
}

/** A name, path or reference in the type of code, which may be broken anywhere. */
export function code(text: string): Html {
  return html`<code class="code" translate="no">${escapeText(text)}</code>`;
}

/** A moment with its age, by the clock of the instance. */
export function moment(
  { format }: { readonly format: { time(at: string): string; age(at: string, now: number): string } },
  at: string,
): Html {
  return html`<time datetime="${at}" title="${format.time(at)}">${format.age(at, systemClock.wall())}</time>`;
}
