import type { Egress } from '../../../../src/contract/access.ts';
import { replaceCertificate } from '../../../../src/contract/operations/network.ts';
import { svcError } from '../../../../src/text/error.ts';
import { done } from '../../../../src/text/words/done.ts';
import { network } from '../../../../src/text/words/network.ts';
import { showCertificatePreview } from '../../../views/certificate-preview.ts';
import { showNetwork } from '../../../views/network.ts';
import { missingField, noteFaults } from '../../faults.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { fillForm } from '../../parts/fill-form.ts';
import { facts } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code } from '../../parts/text.ts';
import { fieldOf, textOf } from '../../read-form.ts';
import {
  type ActionCall,
  action,
  type Fields,
  type Outcome,
  type Page,
  type PageCall,
  type PageRoute,
  type UiRoute,
} from '../../ui-route.ts';
import {
  certificateCommand,
  certificateFacts,
  certificateForm,
  certificatePreview,
  pairField,
} from './certificate.ts';
import { hostsBlock } from './hosts.ts';
import { linkBlock, linkCommands, linkPages } from './link.ts';

function egressFacts({ words: { say, format } }: PageCall, egress: Egress): Html {
  const { proxy, proxyAuthenticated, extraRoots, exclusiveTrust } = egress;
  return facts([
    [
      say(network.proxy),
      proxy === undefined
        ? say(network.noProxy)
        : html`${code(proxy)}${proxyAuthenticated ? html` <span class="muted">${say(network.proxyAuthenticated)}</span>` : ''}`,
    ],
    [say(network.roots), format.number(extraRoots)],
    [say(network.trust), say(exclusiveTrust ? network.exclusive : network.inclusive)],
  ]);
}

/** The page `/admin/network`. */
async function showNetworkPage(call: PageCall): Promise<Page> {
  const { say } = call.words;
  const view = await showNetwork(call);
  const { certificate, certificateFile, keyFile, replaceable, egress, link } = view;
  const files =
    certificateFile === undefined || keyFile === undefined
      ? ''
      : facts([[say(network.files), html`${code(certificateFile)}<br>${code(keyFile)}`]]);
  const fixed = say(certificateFile === undefined ? network.noState : network.fixed);
  return {
    title: say(network.title),
    sections: [
      {
        id: 'listener',
        html: html`<h2>${say(network.listener)}</h2>${certificate === undefined ? html`<p class="muted">${say(network.plain)}</p>` : html`${certificateFacts(call, certificate)}${files}`}`,
      },
      ...(certificate === undefined
        ? []
        : [
            {
              id: 'replace',
              html: html`<h2>${say(network.replace)}</h2>${replaceable ? certificateForm(call) : html`<p class="muted">${fixed}</p>`}`,
            },
          ]),
      { id: 'egress', html: html`<h2>${say(network.egress)}</h2>${egressFacts(call, egress)}` },
      { id: 'link', html: linkBlock(call, link) },
      { id: 'hosts', html: hostsBlock(call, view) },
      {
        id: 'terminal',
        html: terminal(call.words, [
          curlCommand(call, 'GET', '/network'),
          ...(certificate !== undefined && replaceable ? [certificateCommand(call)] : []),
          ...linkCommands(call, link),
        ]),
      },
    ],
  };
}

const networkPage: PageRoute = {
  method: 'GET',
  path: '/admin/network',
  floor: 'admin',
  title: network.title,
  page: showNetworkPage,
};

/** @throws SVC-VAL-001 when a part is missing, SVC-NET-004 when the pair cannot be served */
function preview(call: ActionCall): Outcome {
  const missing = ['certificate', 'key'].filter((name) => textOf(call.fields, name).trim() === '');
  const faults = new Map(missing.map((name) => [name, missingField(name)]));
  const [first] = faults.values();
  if (first !== undefined) throw noteFaults(first, faults);
  const pair = { cert: textOf(call.fields, 'certificate'), key: textOf(call.fields, 'key') };
  const description = showCertificatePreview(pair);
  // a pair has no limit of size of its own beyond that of the form
  const name = call.pairs.hold(call.holder, pair)!;
  return { show: certificatePreview(fillForm(call, networkPage, call.fields), description, name) };
}

/** The fields of the request, with the pair that was previewed. @throws SVC-SRV-007 when it is held no more */
function withPair(call: ActionCall): Fields {
  const pair = call.pairs.take(call.holder, fieldOf(call.fields, pairField) ?? '');
  if (pair === undefined) throw svcError('SVC-SRV-007', { subject: 'server.tls' });
  return new Map([
    ['certificate', [pair.cert]],
    ['key', [pair.key]],
  ]);
}

export const networkPages: readonly UiRoute[] = [
  networkPage,
  ...linkPages,
  {
    method: 'POST',
    path: '/admin/network/preview',
    floor: 'admin',
    page: '/admin/network',
    secrets: ['key'],
    faulty: { 'SVC-NET-004': 'certificate' },
    run: preview,
  },
  action(replaceCertificate, {
    path: '/admin/network/certificate',
    page: '/admin/network',
    replacesShown: true,
    complete: withPair,
    secrets: ['key', pairField],
    done: () => ({ location: '/admin/network', said: { text: done.certificateReplaced } }),
  }),
];
