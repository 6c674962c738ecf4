import { overview } from '../../../src/base/words/overview.ts';
import { parts } from '../../../src/base/words/parts.ts';
import { html } from '../html.ts';
import { bar } from '../parts/bar.ts';
import { facts } from '../parts/table.ts';
import { code, untrusted } from '../parts/text.ts';
import type { Page, PageCall, UiRoute } from '../ui-route.ts';

function showOverview({ version, operations, words: { say, format } }: PageCall): Page {
  const { mode, zone } = operations.retriever();
  const { bytes, thresholdBytes } = operations.occupancy();
  const used =
    thresholdBytes === undefined
      ? html`${format.size(bytes)} <span class="muted">${say(overview.unmonitored)}</span>`
      : html`${bar({ parts: [{ kind: bytes > thresholdBytes ? 'warn' : 'done', share: bytes / thresholdBytes }] })} ${say(parts.bytesOf, { used: bytes, total: thresholdBytes })}`;
  return {
    title: say(overview.title),
    sections: [
      {
        id: 'instance',
        every: 15,
        html: facts([
          [
            say(overview.zone),
            zone === undefined ? html`<span class="muted">${say(overview.noZone)}</span>` : untrusted(zone),
          ],
          [say(overview.mode), code(mode)],
          [say(overview.version), code(version)],
          [say(overview.occupancy), used],
        ]),
      },
    ],
  };
}

export const overviewPages: readonly UiRoute[] = [
  { method: 'GET', path: '/', floor: 'viewer', title: overview.title, page: showOverview },
];
