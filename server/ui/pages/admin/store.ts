import type { ListedRepository } from '../../../../src/contract/content.ts';
import { resetStore } from '../../../../src/contract/operations/store.ts';
import { done } from '../../../../src/text/words/done.ts';
import { store } from '../../../../src/text/words/store.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import { listContent } from '../../../../src/view/content.ts';
import { showRetriever } from '../../../views/retriever.ts';
import { showResetPreview } from '../../../views/store-reset.ts';
import { showVolume } from '../../../views/volume.ts';
import { type Html, html } from '../../html.ts';
import { bar } from '../../parts/bar.ts';
import { curlCommand } from '../../parts/curl.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { form, submit, textField } from '../../parts/form.ts';
import { facts, table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, untrusted } from '../../parts/text.ts';
import { occupancyBar } from '../../pictures/occupancy.ts';
import { toPath } from '../../to-href.ts';
import { action, type Page, type PageCall, type UiRoute } from '../../ui-route.ts';
import { scrubBlock, storeAnswer } from './scrub.ts';

async function largestTable(call: PageCall, bytes: number): Promise<Html> {
  const { say, format } = call.words;
  const { repositories } = await listContent(call, { sort: 'size', page: 1, pageSize: 10 });
  return table<ListedRepository>({
    caption: say(store.largest),
    rows: repositories,
    empty: say(store.noContent),
    columns: [
      {
        label: say(store.repository),
        isHeader: true,
        cell: ({ name }) =>
          html`<a href="${toPath('/content/{repo}', { repo: name })}">${untrusted(name)}</a>`,
      },
      {
        label: say(store.share),
        isLead: true,
        cell: ({ sizeBytes = 0 }) =>
          bar({ thin: true, parts: [{ kind: 'done', share: bytes === 0 ? 0 : sizeBytes / bytes }] }),
      },
      {
        label: say(store.tags),
        isNumber: true,
        cell: ({ tags }) => (tags === undefined ? '' : format.number(tags)),
      },
      {
        label: say(store.size),
        isNumber: true,
        cell: ({ sizeBytes }) => (sizeBytes === undefined ? '' : format.size(sizeBytes)),
      },
    ],
  });
}

/** The form that empties the store, with the content that goes and the content that stays. */
function emptyForm(call: PageCall): Html {
  const { say } = call.words;
  const { repositories, tags, bytes, fingerprint } = showResetPreview(call);
  const { running } = call.tasks;
  return html`<h2>${say(store.empty)}</h2><div class="card card-danger">
${call.store.standing === 'foreign' ? html`<p class="error-what">${say(store.foreign)}</p>` : ''}<p>${say(store.removes, { repositories, tags, bytes })}</p><p>${say(store.stays)}</p>
${
  running === undefined
    ? form(
        '/admin/store/reset',
        html`${fingerprintField(fingerprint)}${textField(call, { name: 'confirmation', label: say(store.confirmation), hint: say(store.confirmationHint), required: true })}
${submit(say(store.empty), { kind: 'danger', working: say(store.emptying) })}`,
      )
    : html`<p>${say(store.busy)} <a href="${toPath('/tasks/{id}', { id: running.id })}">${say(sync.open)}</a></p>`
}</div>`;
}

/** The page `/admin/store`. */
async function showStore(call: PageCall): Promise<Page> {
  const { words, store: opened } = call;
  const { say, format } = words;
  const { occupancy, scrub } = showRetriever(call);
  const { fingerprint } = showResetPreview(call);
  return {
    title: say(store.title),
    sections: [
      ...(scrub === undefined ? [] : [{ id: 'verdict', every: 15, html: await storeAnswer(call, scrub) }]),
      {
        id: 'state',
        column: 1,
        every: 15,
        html: html`<h2>${say(store.occupancy)}</h2>${occupancyBar(call, { measured: occupancy, volume: await showVolume(call) })}
${facts([[say(store.mediaId), code(opened.mediaId)]])}
${scrub === undefined ? '' : scrubBlock(call, scrub)}`,
      },
      {
        id: 'largest',
        column: 2,
        html: html`<h2>${say(store.largest)}</h2>${await largestTable(call, occupancy.bytes)}
<p><a href="/content?sort=size">${say(store.all)}</a> <span class="muted">· ${say(store.sampled)} ${format.time(occupancy.sampledAt)}</span></p>`,
      },
      { id: 'empty', column: 2, html: emptyForm(call) },
      {
        id: 'terminal',
        html: terminal(words, [
          'svc store check',
          curlCommand(call, 'GET', '/retriever'),
          curlCommand(call, 'GET', '/store/reset-preview'),
          curlCommand(call, 'POST', '/store/reset', JSON.stringify({ confirmation: 'RESET', fingerprint })),
        ]),
      },
    ],
  };
}

export const storePages: readonly UiRoute[] = [
  {
    method: 'GET',
    path: '/admin/store',
    floor: 'admin',
    title: store.title,
    page: showStore,
  },
  action(resetStore, {
    path: '/admin/store/reset',
    page: '/admin/store',
    needsPreview: true,
    faulty: { 'SVC-STO-006': 'confirmation' },
    done: (_call, answer) => {
      const { repositories: count, bytes } = answer;
      return { location: '/admin/store', said: { text: done.storeEmptied, params: { count, bytes } } };
    },
  }),
];
