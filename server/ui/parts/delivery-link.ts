import { deliveryId } from '../../../src/contract/patterns.ts';
import { keepsReceipts } from '../../views/delivering.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { toPath } from '../to-href.ts';
import type { PageCall } from '../ui-route.ts';
import { maySeeRecords } from './history-link.ts';
import { untrusted } from './text.ts';

const form = new RegExp(deliveryId.pattern!);

/** Whether the reader may open the pages of deliveries and receipts: those of the history may, to read them. */
export const maySeeDeliveries = (call: PageCall): boolean =>
  keepsReceipts(call) && (call.can('operator') || maySeeRecords(call));

/** The page of a delivery, for readers who may open it. @param id any text: undefined for one that is no identifier */
export function toDeliveryPage(call: PageCall, id: string): string | undefined {
  return form.test(id) && maySeeDeliveries(call)
    ? toPath('/deliveries/{delivery}', { delivery: id })
    : undefined;
}

/** A delivery, which leads to its page. @param text in place of its identifier */
export function deliveryLink(call: PageCall, id: string, text: Html | string = untrusted(id)): Html {
  const path = toDeliveryPage(call, id);
  return path === undefined ? html`${text}` : html`<a href="${path}">${text}</a>`;
}
