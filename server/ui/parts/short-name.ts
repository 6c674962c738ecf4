import { type Html, html } from '../html.ts';
import { untrusted } from './text.ts';

/** Characters of a name that are shown in full. */
const most = 56;

/** Cuts a path in the middle, at segments where it can: its ends tell names apart. */
export function shortenPath(path: string, limit = most): string {
  if (path.length <= limit) return path;
  const segments = path.split('/');
  const first = segments[0]!;
  let tail = '';
  for (const segment of segments.slice(1).reverse()) {
    const longer = tail === '' ? segment : `${segment}/${tail}`;
    if (first.length + longer.length + 3 > limit) break;
    tail = longer;
  }
  if (tail !== '') return `${first}/…/${tail}`;
  const half = Math.floor((limit - 1) / 2);
  return `${path.slice(0, half)}…${path.slice(-half)}`;
}

/** The name of a repository in a list: cut in the middle, with the full name for screen readers and on hover. */
export function shortName(path: string): Html {
  const short = shortenPath(path);
  if (short === path) return untrusted(path);
  return html`<span title="${path}"><span class="visually-hidden">${untrusted(path)}</span><span aria-hidden="true">${untrusted(short)}</span></span>`;
}
