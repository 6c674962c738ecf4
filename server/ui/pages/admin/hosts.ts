import type { NeededHost } from '../../../../src/contract/access.ts';
import type { HostReview } from '../../../../src/remote/transport/review-hosts.ts';
import { network } from '../../../../src/text/words/network.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { hostRoles } from '../../parts/host-words.ts';
import { icon } from '../../parts/icons.ts';
import { table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';

/** Hosts that the page lists; the API has all of them. */
const most = 200;

function note(kind: 'warn' | 'info', text: string): Html {
  return html`<div class="note note-${kind}">${icon(kind)}<p>${text}</p></div>`;
}

/** The hosts that are needed, against the allowlist; and its entries that no known host needs. */
export function hostsBlock({ words }: PageCall, { hosts, allowlist }: HostReview): Html {
  const { say, format } = words;
  const refused = hosts.filter(({ allowed }) => !allowed).length;
  const unused = (allowlist ?? []).filter(({ needed }) => !needed);
  return html`<h2>${say(network.hosts)}</h2><p class="muted">${say(network.hostsLead)}</p>
${allowlist === undefined ? note('info', say(network.undeclared)) : allowlist.length === 0 ? note('warn', say(network.emptyAllowlist)) : ''}
${refused === 0 ? '' : note('warn', say(network.refusedHosts, { count: refused }))}
${hosts.length > most ? html`<p class="muted">${say(network.moreHosts, { shown: most })}</p>` : ''}
${table<NeededHost>({
  caption: say(network.hosts),
  empty: say(network.noHosts),
  rows: hosts.slice(0, most),
  columns: [
    {
      label: say(network.host),
      isHeader: true,
      cell: ({ host, nominal }) =>
        html`${code(host)}${nominal === undefined ? '' : html`<div class="muted">${untrusted(say(network.inPlaceOf, { names: format.list(nominal) }))}</div>`}`,
    },
    { label: say(network.neededFor), cell: ({ roles }) => hostRoles(words, roles) },
    {
      label: say(network.allowlist),
      cell: ({ allowed }) =>
        allowed ? badge('ok', say(network.allowed)) : badge('bad', say(network.notAllowed)),
    },
  ],
})}
${
  unused.length === 0
    ? ''
    : html`<h3>${say(network.unusedEntries)}</h3><p class="muted">${say(network.unusedHint)}</p><ul>${unused.slice(0, most).map(({ pattern }) => html`<li>${code(pattern)}</li>`)}</ul>`
}`;
}
