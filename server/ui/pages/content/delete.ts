import type { DeletedTag, KeptTag } from '../../../../src/contract/content.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { content } from '../../../../src/text/words/content.ts';
import { showDeletePreview } from '../../../../src/view/content.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { shortDigest } from '../../parts/digest.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { form, submit } from '../../parts/form.ts';
import { type pageField, selectRows } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { folderCrumbs, provenanceText } from './content-words.ts';

type Call = PageCall<QueryOf<typeof pageField>, { readonly repo: string }>;

function removedTable(call: Call, all: readonly DeletedTag[]): Html {
  const { words } = call;
  const { say, format } = words;
  const { rows, pages } = selectRows(call, all);
  const digestOf = (digest: string): Html => shortDigest(words, digest, say(content.digest));
  return html`${table<DeletedTag>({
    caption: say(content.goes),
    empty: html`<p>${say(content.goesNothing)}</p>`,
    rows,
    columns: [
      { label: say(content.version), isHeader: true, cell: ({ tag }) => untrusted(tag) },
      {
        label: say(content.digest),
        cell: ({ digest, restored }) =>
          html`<div>${digestOf(digest)}${restored === undefined ? '' : html`<p class="hint">${say(content.comesBack)} ${digestOf(restored)}</p>`}</div>`,
      },
      { label: say(content.size), isNumber: true, cell: ({ sizeBytes }) => format.size(sizeBytes) },
    ],
  })}${pages}`;
}

function keptTable(call: Call, all: readonly KeptTag[]): Html {
  const { words } = call;
  const { say } = words;
  const { rows, pages } = selectRows(call, all);
  return html`${table<KeptTag>({
    caption: say(content.stays),
    empty: html`<p>${say(content.staysNothing)}</p>`,
    rows,
    columns: [
      { label: say(content.version), isHeader: true, cell: ({ tag }) => untrusted(tag) },
      {
        label: say(content.owners),
        cell: ({ owners }) => {
          const names = owners.map(({ recipe, provenance }) => recipe ?? provenanceText(words, [provenance]));
          return untrusted([...new Set(names)].join(', '));
        },
      },
    ],
  })}${pages}`;
}

/** The page `/content/{repo}/-/delete`: a preview of the content that a deletion removes and keeps. */
export async function showContentDelete(call: Call): Promise<Page> {
  const { words } = call;
  const { say } = words;
  const { repo: repository } = call.path;
  const { removed, kept, freedBytes, fingerprint } = await showDeletePreview(call, repository);
  const here = toPath('/content/{repo}', { repo: repository });
  return {
    title: say(content.deleteTitle, { repository }),
    heading: html`${say(content.delete)}`,
    lead: say(content.deleteLead),
    crumbs: [...folderCrumbs(words, repository), [repository.slice(repository.lastIndexOf('/') + 1), here]],
    sections: [
      { id: 'removed', html: html`<h2>${say(content.goes)}</h2>${removedTable(call, removed)}` },
      { id: 'kept', html: html`<h2>${say(content.stays)}</h2>${keptTable(call, kept)}` },
      {
        id: 'confirm',
        html: html`<div class="card"><p><strong>${say(content.frees, { bytes: freedBytes })}</strong></p><p class="muted">${say(content.irreversible)}</p>
${form(
  toPath('/content/{repo}/-/delete', { repo: repository }),
  html`${fingerprintField(fingerprint)}<div class="buttons">${submit(say(content.delete), { kind: 'danger', working: say(content.deleting) })}<a class="button" href="${here}">${say(content.cancel)}</a></div>`,
)}</div>`,
      },
      {
        id: 'terminal',
        html: terminal(words, [
          curlCommand(call, 'GET', toPath('/content/{repo}/-/delete-preview', { repo: repository })),
          curlCommand(call, 'DELETE', here, JSON.stringify({ fingerprint })),
        ]),
      },
    ],
  };
}
