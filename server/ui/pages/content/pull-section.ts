import type { Tag } from '../../../../src/contract/content.ts';
import { versionWords } from '../../../../src/text/words/version.ts';
import {
  type Client,
  groupByCommand,
  selectPullHints,
  toLoginCommand,
  toPullCommands,
  toPullTarget,
  toTrustCommand,
} from '../../../../src/view/pull-commands.ts';
import { servedFrom } from '../../../views/filesets.ts';
import { toReached } from '../../../views/reached.ts';
import { attr, type Html, html } from '../../html.ts';
import { clientList } from '../../parts/client-list.ts';
import { icon } from '../../parts/icons.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { toFileClients } from './file-clients.ts';

function byLinks({ words: { say } }: PageCall, { repository, tag }: Tag, by: 'digest' | 'tag'): Html {
  const link = (value: 'digest' | 'tag', text: string): Html =>
    html`<a href="${toPath('/content/{repo}/-/tags/{tag}', { repo: repository, tag }, { by: value })}" ${attr('aria-current', value === by ? 'true' : undefined)}>${text}</a>`;
  return html`<div class="view-links"><div class="segments" role="group" aria-label="${say(versionWords.pullBy)}">${link('digest', say(versionWords.byDigest))}${link('tag', say(versionWords.byTag))}</div>
<span class="muted">${say(by === 'digest' ? versionWords.digestHint : versionWords.tagHint)}</span></div>`;
}

/** How clients of FileSets read this repository. */
function fileSection(call: PageCall, view: Tag): Html | string {
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
export function pullSection(call: PageCall, view: Tag): Html {
  const { say } = call.words;
  const by = call.query.by === 'tag' ? 'tag' : 'digest';
  const base = toReached(call);
  const target = toPullTarget(view, base, by);
  const commands = toPullCommands(target);
  const clients: readonly Client[] = [...new Set(commands.map(({ client }) => client))];
  const trust =
    call.certificate === undefined
      ? ''
      : html`<details class="fold"><summary>${say(versionWords.trust)}</summary><p class="hint">${say(versionWords.trustHint)}</p>
<p><a class="button" href="/about/certificate.pem" download>${icon('download')} ${say(versionWords.trustLink)}</a></p>
${clientList(
  call,
  groupByCommand(clients, (client) => toTrustCommand(client, base.host)),
)}</details>`;
  const hints = selectPullHints(target, clients).map((hint) => say(versionWords[hint]));
  return html`<h2>${say(versionWords.pull)}</h2>
${byLinks(call, view, by)}
${clientList(
  call,
  commands.map(({ client, command, platform }) => [
    platform === undefined ? client : `${client} ${platform}`,
    command,
  ]),
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
