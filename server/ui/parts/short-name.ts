import { isQualifiedHost } from '../../../src/oci/reference.ts';
import { hostOf } from '../../views/origins.ts';
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
export function shortName(path: string, limit = most): Html {
  const short = shortenPath(path, limit);
  if (short === path) return untrusted(path);
  return html`<span title="${path}"><span class="visually-hidden">${untrusted(path)}</span><span aria-hidden="true">${untrusted(short)}</span></span>`;
}

/** Finds the host that a table shows once above the rows of a reference; empty where the reference keeps it. */
export type HostGroups = (reference: string) => string;

/**
 * Groups references by their host, where that needs one line for each: they are in the order of their names, or have one
 * host.
 *
 * @param references of the rows that are shown
 * @param isByName whether they are in the order of their names
 */
export function groupByHost(references: readonly string[], isByName: boolean): HostGroups {
  const isOne = new Set(references.map(hostOf)).size === 1;
  return (reference) => {
    const host = hostOf(reference);
    return (isByName || isOne) && host !== reference && isQualifiedHost(host) ? host : '';
  };
}

/** A reference without the host above it. */
export const belowHost = (groupOf: HostGroups, reference: string): string => {
  const host = groupOf(reference);
  return host === '' ? reference : reference.slice(host.length + 1);
};
