import { versionWords } from '../../../../src/base/words/version.ts';
import type { VersionView } from '../../../views/content.ts';
import { servedFrom } from '../../../views/filesets.ts';
import { toReached } from '../../../views/reached.ts';
import { attr, type Html, html } from '../../html.ts';
import { copyButton } from '../../parts/copy.ts';
import { icon } from '../../parts/icons.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { toFileClients } from './file-clients.ts';
import {
  type Client,
  groupByCommand,
  toLoginCommand,
  toPullCommands,
  toTrustCommand,
} from './pull-commands.ts';

/** Commands of several clients, each with its name and a button that copies it. */
function clientList(call: PageCall, rows: readonly (readonly [client: string, command: string])[]): Html {
  return html`<ul class="clients">${rows.map(
    ([client, command]) =>
      html`<li><span class="client">${client}</span><div class="command"><pre translate="no" tabindex="0"><code>${command}</code></pre>${copyButton(call.words, command, client)}</div></li>`,
  )}</ul>`;
}

function byLinks({ words: { say } }: PageCall, { repository, tag }: VersionView, by: 'digest' | 'tag'): Html {
  const link = (value: 'digest' | 'tag', text: string): Html =>
    html`<a href="${toPath('/content/{repo}/-/tags/{tag}', { repo: repository, tag }, { by: value })}" ${attr('aria-current', value === by ? 'true' : undefined)}>${text}</a>`;
  return html`<div class="view-links"><div class="segments" role="group" aria-label="${say(versionWords.pullBy)}">${link('digest', say(versionWords.byDigest))}${link('tag', say(versionWords.byTag))}</div>
<span class="muted">${say(by === 'digest' ? versionWords.digestHint : versionWords.tagHint)}</span></div>`;
}

/** How clients of file sets read what this repository serves. */
function fileSection(call: PageCall, view: VersionView): Html | string {
  if (view.kind !== 'FileSet') return '';
  const { say } = call.words;
  const base = toReached(call);
  const served = servedFrom(call, view.repository);
  if (served.length === 0)
    return html`<h3>${say(versionWords.served)}</h3><p class="muted">${say(versionWords.notServed)}</p>`;
  return html`<h3>${say(versionWords.served)}</h3>${served.map(({ name, version, anonymous }) => {
    const { curl, apt, aptLogin, dnf } = toFileClients(base, name, anonymous);
    const line =
      version === undefined
        ? ''
        : html`<p>${say(versionWords.servedAs, { name, version })} <span class="muted">${say(versionWords.servedHint)}</span></p>`;
    return html`${line}${clientList(call, [['curl', curl]])}
<p class="hint">${say(versionWords.aptHint)}</p>${clientList(call, [['apt', apt]])}
${aptLogin === undefined ? '' : html`<p class="hint">${say(versionWords.aptLoginHint)}</p>${clientList(call, [['apt', aptLogin]])}`}
<p class="hint">${say(versionWords.dnfHint)}</p>${clientList(call, [['dnf', dnf]])}`;
  })}`;
}

/** How to pull one version: a command for each client, how it signs in, and the certificate to trust. */
export function pullSection(call: PageCall, view: VersionView): Html {
  const { say } = call.words;
  const { repository, tag, digest, kind } = view;
  const by = call.query.by === 'tag' ? 'tag' : 'digest';
  const base = toReached(call);
  const commands = toPullCommands({ base, repository, tag, digest, kind, by });
  const clients: readonly Client[] = commands.map(({ client }) => client);
  const trust =
    call.certificate === undefined
      ? ''
      : html`<details class="fold"><summary>${say(versionWords.trust)}</summary><p class="hint">${say(versionWords.trustHint)}</p>
<p><a class="button" href="/about/certificate.pem" download>${icon('download')} ${say(versionWords.trustLink)}</a></p>
${clientList(
  call,
  groupByCommand(clients, (client) => toTrustCommand(client, base.host)),
)}</details>`;
  const hints = [
    ...(base.scheme === 'http' && clients.includes('docker') ? [say(versionWords.plainHttp)] : []),
    ...(clients.includes('helm') && by === 'digest' ? [say(versionWords.helmDigest)] : []),
  ];
  return html`<h2>${say(versionWords.pull)}</h2>
${byLinks(call, view, by)}
${clientList(
  call,
  commands.map(({ client, command }) => [client, command] as const),
)}
${hints.map((hint) => html`<p class="hint">${hint}</p>`)}
${fileSection(call, view)}
<details class="fold"><summary>${say(versionWords.login)}</summary><p class="hint">${say(versionWords.loginHint)}</p>
${clientList(
  call,
  groupByCommand(clients, (client) => toLoginCommand(client, base)),
)}</details>
${trust}`;
}
