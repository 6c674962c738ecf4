import { svcError } from '../../../src/text/error.ts';
import { about } from '../../../src/text/words/about.ts';
import { describeRetriever } from '../../views/retriever.ts';
import { type Html, html } from '../html.ts';
import { copyable } from '../parts/copy.ts';
import { icon } from '../parts/icons.ts';
import { facts } from '../parts/table.ts';
import { code, untrusted } from '../parts/text.ts';
import type { Page, PageCall, UiRoute } from '../ui-route.ts';

const requestLimit = 1 << 20;
const manifestLimit = 4 << 20;
const mostEntries = 200;

function certificateOf({ certificate, words }: PageCall): Html {
  const { say, format } = words;
  if (certificate === undefined) return html`<p class="muted">${say(about.plain)}</p>`;
  const { subject, dnsNames, ipAddresses, notAfter, fingerprintSha256 } = certificate.description;
  return html`<p>${say(about.certificateLead)}</p>
${facts([
  [say(about.subject), untrusted(subject)],
  [say(about.names), untrusted([...dnsNames, ...ipAddresses].join(', '))],
  [say(about.expires), format.time(notAfter)],
  [say(about.fingerprint), copyable(words, fingerprintSha256, say(about.fingerprint))],
])}
<p><a class="button button-plain" href="/about/certificate.pem" download>${icon('download')} ${say(about.download)}</a></p>`;
}

function showAbout(call: PageCall): Page {
  const { version, settings, store, words } = call;
  const { say } = words;
  const { mode, zone } = describeRetriever(call);
  const atMost = (size: number): string => say(about.atMost, { size });
  return {
    title: say(about.title),
    layout: 'columns',
    sections: [
      {
        id: 'instance',
        html: html`<h2>${say(about.instance)}</h2>${facts([
          [say(about.version), code(version)],
          [say(about.commit), code(settings.build.commit)],
          [say(about.built), code(settings.build.date)],
          [say(about.runtime), code(`Node.js ${process.versions.node}, ${process.platform}-${process.arch}`)],
          [say(about.mode), code(mode)],
          ...(zone === undefined ? [] : [[say(about.zone), code(zone)] as const]),
          [say(about.mediaId), copyable(words, store.mediaId, say(about.mediaId))],
        ])}`,
      },
      {
        id: 'limits',
        html: html`<h2>${say(about.limits)}</h2>${facts([
          [say(about.requestBody), atMost(requestLimit)],
          [say(about.manifest), atMost(manifestLimit)],
          [say(about.pageSize), String(mostEntries)],
        ])}`,
      },
      { id: 'certificate', html: html`<h2>${say(about.certificate)}</h2>${certificateOf(call)}` },
    ],
  };
}

export const aboutPages: readonly UiRoute[] = [
  { method: 'GET', path: '/about', floor: 'viewer', title: about.title, page: showAbout },
  {
    method: 'GET',
    path: '/about/certificate.pem',
    floor: 'viewer',
    file: ({ certificate }) => {
      if (certificate === undefined) throw svcError('SVC-SRV-002', { path: '/about/certificate.pem' });
      return { name: 'svc.pem', contentType: 'application/x-pem-file', content: certificate.pair.cert };
    },
  },
];
