import { systemClock } from '../../src/base/clock.ts';
import { escapeText } from '../../src/text/escape.ts';
import { history } from '../../src/text/words/history.ts';
import { parts } from '../../src/text/words/parts.ts';
import { toReached } from '../views/reached.ts';
import { siteName } from '../views/side.ts';
import { type Html, html } from './html.ts';
import { facts } from './parts/table.ts';
import { toTitle, untrusted } from './parts/text.ts';
import type { Page, PageCall } from './ui-route.ts';

/** On paper only: of which instance the first sheet is, for whom and when, then the rows of the page. */
export function paperHead(call: PageCall, more: NonNullable<Page['paper']>): Html {
  const { words, version, identity } = call;
  const { say, format } = words;
  const rows = [
    [say(history.instance), `${siteName(call)}, ${toReached(call).host}, svc ${version}`],
    [say(history.printedBy), identity.actor],
    [say(history.asOf), format.time(systemClock.wall())],
    ...more,
  ] as const;
  return html`<div class="paper-head">${facts(rows.map(([label, value]) => [label, untrusted(value)]))}</div>`;
}

/** On paper only, below the page: where its reader signs. */
export const signLine = ({ words: { say } }: PageCall): Html =>
  html`<p class="print-only">${say(parts.signHere)}</p>`;

/** Most characters of an address that the foot has room for. */
const mostOfAddress = 60;

/** The foot of the sheets, which CSS puts beside the number of the sheet: of a record, whose first sheet has a head, from the second on. */
export function paperFoot(call: PageCall, { title }: Page): string | undefined {
  if (!call.signedIn) return undefined;
  const time = call.words.format.time(systemClock.wall());
  const address = toTitle(`${toReached(call).host}${call.here}`, mostOfAddress);
  return escapeText([toTitle(title), siteName(call), address, call.identity.actor, time].join(' · '));
}

/** The filter as a sentence: each value with the label of its field. */
export function sayFilter(
  { words: { say }, query }: PageCall,
  fields: readonly (readonly [name: string, label: string, say: (value: string) => string])[],
): string {
  const given = fields.flatMap(([name, label, toText]) => {
    const values = [query[name] ?? []].flat().map(String);
    return values.length === 0 ? [] : [`${label}${say(parts.colon)} ${values.map(toText).join(', ')}`];
  });
  return given.length === 0 ? say(history.noFilter) : given.join(' · ');
}
