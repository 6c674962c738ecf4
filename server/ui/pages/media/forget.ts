import { forgetDelivery } from '../../../../src/contract/operations/media.ts';
import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { done } from '../../../../src/text/words/done.ts';
import { media } from '../../../../src/text/words/media.ts';
import { fingerprintDelivery } from '../../../../src/zone/arrivals.ts';
import type { Query } from '../../../api/api-route.ts';
import { showDelivery } from '../../../views/media.ts';
import { html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { form, submit } from '../../parts/form.ts';
import { terminal } from '../../parts/terminal.ts';
import { toPath } from '../../to-href.ts';
import { action, type Page, type PageCall, page, type UiRoute } from '../../ui-route.ts';
import { deliveryBlock } from './deliveries.ts';

const path = '/media/deliveries/{delivery}/forget';

/** The page `/media/deliveries/{delivery}/forget`, which asks whether a delivery is to be forgotten. @throws SVC-CFG-001, SVC-REG-005 */
async function showForget(call: PageCall<Query, { readonly delivery: string }>): Promise<Page> {
  const { say } = call.words;
  const delivery = await showDelivery(call, call.path.delivery);
  const { id } = delivery;
  const fingerprint = fingerprintDelivery(delivery);
  return {
    title: say(deliveries.forgetNamed, { id }),
    crumbs: [[say(media.title), '/media']],
    sections: [
      {
        id: 'preview',
        html: html`<p>${say(deliveries.forgetGoes)}</p><p>${say(deliveries.forgetStays)}</p>
${form(
  toPath(path, { delivery: id }),
  html`${fingerprintField(fingerprint)}<div class="buttons">${submit(say(deliveries.forget), { kind: 'danger' })}<a class="button button-plain" href="/media">${say(deliveries.keep)}</a></div>`,
)}
<h2>${say(deliveries.delivery)}</h2>${deliveryBlock(call, delivery)}`,
      },
      {
        id: 'terminal',
        html: terminal(call.words, [
          `svc media forget ${id}`,
          curlCommand(
            call,
            'DELETE',
            toPath('/media/deliveries/{delivery}', { delivery: id }),
            JSON.stringify({ fingerprint }),
          ),
        ]),
      },
    ],
  };
}

export const forgetPages: readonly UiRoute[] = [
  page({ method: 'GET', path, floor: forgetDelivery.floor, title: deliveries.forget, page: showForget }),
  action(forgetDelivery, {
    path,
    page: path,
    needsPreview: true,
    done: (_call, { delivery: { id } }) => ({
      location: '/media',
      said: { text: done.deliveryForgotten, params: { id } },
    }),
  }),
];
