import { systemClock } from '../../../../src/base/clock.ts';
import { validityOf } from '../../../../src/certificate/tls-pair.ts';
import type { Certificate } from '../../../../src/contract/access.ts';
import { network } from '../../../../src/text/words/network.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { curlCommand } from '../../parts/curl.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { form, submit, textArea } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { facts } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { Page, PageCall } from '../../ui-route.ts';

/** Whether a certificate is valid now. */
function validity({ words: { say } }: PageCall, certificate: Certificate): Html | string {
  switch (validityOf(certificate, systemClock.wall())) {
    case 'early':
      return badge('bad', say(network.notYet));
    case 'expired':
      return badge('bad', say(network.expired));
    case 'valid':
      return '';
  }
}

/** The facts of a certificate. */
export function certificateFacts(call: PageCall, certificate: Certificate): Html {
  const { words } = call;
  const { say, format } = words;
  const { subject, issuer, selfSigned, source, dnsNames, ipAddresses, notBefore, notAfter } = certificate;
  const names = [...dnsNames, ...ipAddresses];
  const line = { from: format.day(notBefore), until: format.day(notAfter) };
  return facts([
    [say(network.subject), untrusted(subject)],
    [
      say(network.issuer),
      selfSigned ? html`<span class="badge">${say(network.selfSigned)}</span>` : untrusted(issuer),
    ],
    [say(network.origin), say(network[source])],
    [
      say(network.names),
      names.length === 0
        ? say(network.noNames)
        : html`<ul class="plain-list">${names.map((name) => html`<li>${code(name)}</li>`)}</ul>`,
    ],
    [say(network.valid), html`${say(network.validLine, line)} ${validity(call, certificate)}`],
    [say(network.fingerprint), copyable(words, certificate.fingerprintSha256, say(network.fingerprint))],
  ]);
}

/** The form that asks for a new pair and leads to its preview. */
export function certificateForm(call: PageCall): Html {
  const { say } = call.words;
  const file = { label: say(network.file), accept: '.pem,.crt,.cer,.key' };
  return html`<p>${say(network.replaceLine)}</p>${form(
    '/admin/network/preview',
    html`${textArea(call, { name: 'certificate', label: say(network.chain), rows: 6, file })}
${textArea(call, { name: 'key', label: say(network.key), rows: 6, file })}
${submit(say(network.preview))}`,
    { multipart: true },
  )}`;
}

/** The command that replaces the pair by that of two files. */
export function certificateCommand(call: PageCall): string {
  const body =
    "jq -n --rawfile certificate chain.pem --rawfile key key.pem '{certificate: $certificate, key: $key}'";
  return `${body} |\n  ${curlCommand(call, 'PUT', '/network/certificate', '@-')}`;
}

/** Field that names the pair that was previewed. */
export const pairField = '_pair';

/**
 * The preview of a new pair. The instance holds the pair until the confirmation, so that it serves the checked one.
 *
 * @param name of the held pair
 */
export function certificatePreview(call: PageCall, certificate: Certificate, name: string): Page {
  const { say } = call.words;
  const current = call.certificate?.description;
  return {
    title: say(network.previewTitle),
    crumbs: [[say(network.title), '/admin/network']],
    sections: [
      {
        id: 'next',
        html: html`<h2>${say(network.next)}</h2><p>${icon('ok')} ${say(network.fits)}</p>${certificateFacts(call, certificate)}
${form(
  '/admin/network/certificate',
  html`<input type="hidden" name="${pairField}" value="${name}">${current === undefined ? '' : fingerprintField(current.fingerprintSha256)}
<div class="buttons">${submit(say(network.confirm))}<a class="button button-plain" href="/admin/network">${say(network.cancel)}</a></div>`,
)}`,
      },
      ...(current === undefined
        ? []
        : [
            {
              id: 'now',
              html: html`<h2>${say(network.now)}</h2>${certificateFacts(call, current)}`,
            },
          ]),
      { id: 'terminal', html: terminal(call.words, [certificateCommand(call)]) },
    ],
  };
}
