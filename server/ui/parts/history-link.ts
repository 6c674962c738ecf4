import { toWholeActor } from '../../../src/contract/history.ts';
import type { SvcError } from '../../../src/text/error.ts';
import { history } from '../../../src/text/words/history.ts';
import { findHistory } from '../../../src/view/history.ts';
import { keepsReceipts } from '../../views/delivering.ts';
import { takesMedia } from '../../views/media.ts';
import { type Html, html } from '../html.ts';
import { toPath } from '../to-href.ts';
import type { PageCall } from '../ui-route.ts';

/** Whether the reader may open the audit records, and the instance keeps them. */
export const hasHistory = (call: PageCall): boolean => maySeeRecords(call) && keepsReceipts(call);

/** Whether the role of the reader may read the history and pack evidence, which a setting says. */
export const maySeeRecords = (call: PageCall): boolean =>
  call.can(call.instance.context.config.auth.historyRole);

/**
 * The page that has the verification of the medium, for the reader: that of the medium is for operators, and its report is a record.
 * Empty where the reader may open neither, and undefined where the instance takes no media.
 */
export function mediumPage(call: PageCall): string | undefined {
  if (!takesMedia(call)) return undefined;
  if (call.can('operator')) return '/media';
  return maySeeRecords(call) ? '/media/report' : '';
}

/**
 * Links to the audit records about a thing, for readers of an instance that keeps them; empty for others.
 *
 * @param subject text that its records have
 * @param options `of`, how the page names it; default: the subject; `actor`, the name under which it acts itself; default: it
 *   does not act
 */
export function historyLink(
  call: PageCall,
  subject: string,
  { of = subject, actor }: { readonly of?: string; readonly actor?: string } = {},
): Html | string {
  if (!hasHistory(call)) return '';
  const { say } = call.words;
  const done =
    actor === undefined
      ? ''
      : html` · <a href="${toPath('/history', {}, { actor: toWholeActor(actor) })}">${say(history.ofActor)}</a>`;
  return html`<p class="way"><a href="${toPath('/history', {}, { subject })}">${say(history.of, { name: of })}</a>${done}</p>`;
}

/**
 * For the page of content or of a delivery that is not here: its history, where there are records about it. Readers without access to them are
 * told to ask.
 *
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function removedLink(call: PageCall, { code, params }: SvcError): Promise<Html | string> {
  const { repo, delivery } = call.path as { readonly repo?: string; readonly delivery?: string };
  const subject = params.local === 'store' ? repo : params.local === 'custody' ? delivery : undefined;
  if (code !== 'SVC-REG-005' || subject === undefined || !keepsReceipts(call)) return '';
  const { say } = call.words;
  if (!hasHistory(call)) return html`<p>${say(history.askRemoved)}</p>`;
  const { found } = await findHistory(call.instance.context.config, { subject, pageSize: 1 });
  return found.length === 0
    ? ''
    : html`<p>${say(history.namesIt)} <a href="${toPath('/history', {}, { subject })}">${say(history.of, { name: subject })}</a></p>`;
}
