import { shell } from '../../src/text/words/shell.ts';
import type { Sentence } from '../../src/text/words/words.ts';
import { bands, describeSide, type Side, siteName } from '../views/side.ts';
import { type Html, html } from './html.ts';
import { icon } from './parts/icons.ts';
import { toTitle, untrusted } from './parts/text.ts';
import type { PageCall, UiSettings } from './ui-route.ts';

/** Names of one sentence, in a narrow header and in a wide one; the others are counted. */
const [few, most] = [2, 12] as const;

export const sideOf = (call: PageCall): Side => describeSide(call, call.can('admin'));

/** In the title of a tab, where an instance and the one that feeds it may have the same name. */
const short: Readonly<Record<Side['role'], Sentence | undefined>> = {
  source: shell.source,
  disk: shell.disk,
  network: shell.overNetwork,
  alone: undefined,
};

/** The site and its side, for the title of a tab. */
export function siteTitle(call: PageCall): string {
  const word = short[sideOf(call).role];
  const site = toTitle(siteName(call), 60);
  return word === undefined ? site : `${site} · ${call.words.say(word)}`;
}

/** The direction in which content moves, in few words; empty where nothing is configured. */
export function sideLine(
  { words: { say } }: Pick<PageCall, 'words'>,
  { role, zones, upstreams }: Side,
): Html | string {
  const list = (names: readonly string[], limit: number): string =>
    [
      ...names.slice(0, limit).map((name) => toTitle(name, 60)),
      ...(names.length > limit ? [`+${names.length - limit}`] : []),
    ].join(', ');
  const sentenceOf = (limit: number): string => {
    const fed = {
      source: undefined,
      disk: say(shell.fedByDisk),
      network:
        upstreams.length > 0 ? say(shell.fedBy, { hosts: list(upstreams, limit) }) : say(shell.fedByNetwork),
      alone: undefined,
    }[role];
    const gives =
      zones.length > 0
        ? say(shell.sourceFor, { zones: list(zones, limit) })
        : role === 'source'
          ? say(shell.ofMedia)
          : undefined;
    return [fed, gives].filter((part) => part !== undefined).join(' · ');
  };
  const known = short[role];
  const word = known === undefined ? '' : say(known);
  const [brief, whole] = [sentenceOf(few), sentenceOf(most)];
  return brief === ''
    ? ''
    : html`<button type="button" class="side-button" popovertarget="side"><span class="side-word">${word}</span>${icon('info')}<span class="visually-hidden">${say(shell.side)}</span></button><span class="side" id="side" popover>${whole === brief ? untrusted(brief) : html`<span class="side-long">${untrusted(whole)}</span> <span class="side-short">${untrusted(brief)}</span>`}</span>`;
}

/** Colour and pattern of the band above a page. */
export function bandOf({ accent, pattern }: Pick<UiSettings, 'accent' | 'pattern'>, { role }: Side) {
  return { accent: accent ?? bands[role].accent, pattern: pattern ?? bands[role].pattern };
}
