import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  type ListenerCertificate,
  openListenerCertificate,
} from '../../../../src/certificate/listener-certificate.ts';
import { createRecordingReport } from '../../../kit/instance/recording-report.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { tlsPair } from '../../../kit/program/tls-pair.ts';
import { type BrowserSession, fingerprintOf, openBrowserSession } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { listMirrored, listPrinted, listUnprinted } from '../../../kit/web/printed-lines.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const page = '/admin/network';
const hostile = '<img src=x>\u202e';
let allowlist: readonly string[] | undefined;
const authorities = getCACertificates('default');

let folder: TempFolder;
let server: TestServer;
let certificate: ListenerCertificate;
let admin: BrowserSession;

before(async () => {
  folder = await openTempFolder();
  const report = createRecordingReport();
  certificate = await openListenerCertificate({ stateRoot: folder.path, hosts: [], report });
  setDefaultCACertificates([certificate.pair.cert, tlsPair.ca]);
  server = await startTestServer({
    folder: folder.path,
    certificate,
    allowlist: () => allowlist,
    requested: [hostile],
    retriever: () => ({
      mode: 'passthrough',
      substitutions: [{ host: 'docker.io', base: 'zone-a.example/mirror' }],
      relaxedScopes: [],
      anonymousFilesets: [],
      prune: false,
    }),
  });
  admin = openBrowserSession(server);
  await server.accounts.create({ name: 'alice', role: 'admin', password: 'a good password' });
  await admin.signIn('alice', 'a good password');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
  setDefaultCACertificates(authorities);
});

const pair = { certificate: tlsPair.cert, key: tlsPair.key };
const keyLine = tlsPair.key.split('\n')[1]!;

test('the certificate is shown with its names and its fingerprint', async () => {
  const prose = toPageText(await (await admin.get(page)).text());
  assert.match(prose, /self-signed/);
  assert.match(prose, /made by this instance/);
  assert.match(prose, new RegExp(certificate.description.fingerprintSha256));
});

test('the line that replaces the certificate stands beside both forms', async () => {
  assert.match(
    listPrinted(await (await admin.get(page)).text()).join('\n'),
    /curl -X PUT [\s\S]*\/network\/certificate'/,
  );
  const answer = await admin.post(`${page}/preview`, pair, { page });
  const text = await answer.text();
  assert.deepEqual([...listMirrored(text)], ['PUT /network/certificate']);
  assert.deepEqual(listUnprinted(text), []);
});

test('a key of another certificate is refused, and the key is not shown again', async () => {
  const before = certificate.description.fingerprintSha256;
  const answer = await admin.post(
    `${page}/preview`,
    { certificate: tlsPair.cert, key: certificate.pair.key },
    { page },
  );
  const text = await answer.text();
  assert.match(text, /SVC-NET-004/);
  assert.match(text, /<title>Error: /);
  assert.match(text, /<textarea[^>]* id="field-certificate"[^>]* aria-invalid="true">/);
  assert.match(text, /BEGIN CERTIFICATE/);
  assert.doesNotMatch(text, /PRIVATE KEY/);
  const combined = `${tlsPair.cert}${tlsPair.key}`;
  const pasted = await admin.post(
    `${page}/preview`,
    { certificate: combined, key: certificate.pair.key },
    { page },
  );
  assert.doesNotMatch(await pasted.text(), /PRIVATE KEY/);
  const missing = await admin.post(`${page}/preview`, { certificate: tlsPair.cert }, { page });
  assert.match(await missing.text(), /SVC-VAL-001/);
  assert.equal(certificate.description.fingerprintSha256, before);
});

const nameOf = (markup: string): string => /name="_pair" value="([^"]+)"/.exec(markup)?.[1] ?? '';

test('a pair is shown before it is served, and served once it is confirmed', async () => {
  const before = certificate.description.fingerprintSha256;
  const shown = await admin.post(`${page}/preview`, pair, { page });
  const text = await shown.text();
  assert.equal(shown.status, 200, text.slice(-2000));
  parseStrictHtml(text, page);
  const prose = toPageText(text);
  assert.match(prose, /The key belongs to the certificate/);
  assert.match(prose, /registry\.test/);
  assert.equal(certificate.description.fingerprintSha256, before, 'a preview changes nothing');
  assert.ok(!text.includes(keyLine), 'the key is in no page');
  assert.doesNotMatch(text, /PRIVATE KEY/);
  const confirmed = { _pair: nameOf(text), fingerprint: fingerprintOf(text, `${page}/certificate`)! };
  const other = openBrowserSession(server);
  await server.accounts.create({ name: 'mallory', role: 'admin', password: 'a good password' });
  await other.signIn('mallory', 'a good password');
  const stolen = await other.post(`${page}/certificate`, confirmed, { page });
  assert.match(await stolen.text(), /SVC-SRV-007/);
  assert.equal((await admin.post(`${page}/certificate`, pair, { page })).status, 409, 'without a preview');
  assert.equal(certificate.description.fingerprintSha256, before);
  const done = await admin.post(`${page}/certificate`, confirmed, { page });
  assert.equal(done.status, 303, await done.text());
  const { action, outcome, details } = server.report.audits.at(-1)!;
  assert.deepEqual([action, outcome], ['config.certificate', 'success']);
  assert.equal(details?.replaced, before);
  assert.equal(details?.fingerprint, certificate.description.fingerprintSha256);
  assert.equal((await admin.post(`${page}/certificate`, confirmed, { page })).status, 409, 'only once');
  assert.notEqual(certificate.description.fingerprintSha256, before);
  assert.match(await (await admin.get(page)).text(), /uploaded here/);
});

test('hosts that the allowlist does not name, and entries that nothing needs, are shown in both languages', async () => {
  allowlist = ['zone-a.example', 'old.example'];
  const markup = await (await admin.get(page)).text();
  parseStrictHtml(markup, page);
  const english = toPageText(markup);
  assert.match(english, /1 host is needed and not on the allowlist/);
  assert.match(english, /in place of .*docker\.io/);
  assert.match(english, /Entries that no known host needs.*old\.example/s);
  assert.doesNotMatch(markup, /<img|\u202e/);
  const answer = await admin.get(page, { 'accept-language': 'fr' });
  assert.match(toPageText(await answer.text()), /1 hôte est nécessaire et absent de la liste autorisée/);
  const record = (await (await server.fetch('/api/v1/network')).json()) as {
    allowlist: readonly { readonly pattern: string; readonly needed: boolean }[];
  };
  assert.deepEqual(record.allowlist, [
    { pattern: 'zone-a.example', needed: true },
    { pattern: 'old.example', needed: false },
  ]);
});

test('without an allowlist the page says that every host may be contacted', async () => {
  allowlist = undefined;
  assert.match(toPageText(await (await admin.get(page)).text()), /No allowlist is declared/);
  allowlist = [];
  assert.match(toPageText(await (await admin.get(page)).text()), /The allowlist is empty: no host/);
});
