import { resources } from '../../src/base/shares/resources.ts';
import { createHeld, type Held } from './held.ts';
import { type Html, html } from './html.ts';
import { icon } from './parts/icons.ts';
import type { PageCall, Said } from './ui-route.ts';

/**
 * Parameter of a page that names a message about the last action. The words are not in the address: no link can put words
 * on a page.
 */
const saidName = 'said';

const limits = { count: resources.said, waiting: 300_000 } as const;

export const createSaid = (): Held<Said> => createHeld<Said>(limits);

/** A path, with the message for the page that it leads to. */
export function withSaid(
  call: Pick<PageCall, 'said' | 'holder'>,
  path: string,
  said: Said | undefined,
): string {
  const name = said === undefined ? undefined : call.said.hold(call.holder, said);
  if (name === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${saidName}=${name}`;
}

/** The message about the last action, above the content of the page. */
export function saidBlock(call: PageCall): Html | string {
  const name = call.search.get(saidName);
  const found = name === null ? undefined : call.said.look(call.holder, name);
  if (found === undefined) return '';
  return html`<div class="note note-done" role="status">${icon('ok')}<p>${call.words.say(found.text, found.params)}</p></div>`;
}
