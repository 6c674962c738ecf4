import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Operations } from '../../../../server/operations.ts';
import type { MediumProof } from '../../../../src/contract/proof.ts';
import { svcError } from '../../../../src/text/error.ts';
import { createSigner } from '../../../kit/content/signer.ts';
import { eventually } from '../../../kit/instance/eventually.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { showcaseProof } from '../../../kit/showcase/proof.ts';
import { type BrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

type Request = Parameters<Operations['beginProof']>[1];

let folder: TempFolder;
let server: TestServer;
let operator: BrowserSession;
let viewer: BrowserSession;
let asked: Request[];
/** Whether a cancelled proof still works. */
let isStubborn: boolean;
let outcome: PromiseWithResolvers<MediumProof>;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    operations: {
      beginProof: async ({ proofs }, request, _find, record) => {
        asked.push(request);
        const { promise } = outcome;
        proofs.begin(request, (onProgress, signal) => {
          signal.addEventListener('abort', () => {
            if (!isStubborn) outcome.reject(signal.reason);
          });
          onProgress({ step: 'media', files: 12, bytes: 5 << 20, totalBytes: 20 << 20 });
          return record(() => promise);
        });
      },
    },
  });
  operator = await signInAs(server, 'operator', 'olga');
  viewer = await signInAs(server, 'viewer', 'vera');
});
beforeEach(() => {
  asked = [];
  isStubborn = false;
  outcome = Promise.withResolvers();
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function show(language = 'en'): Promise<string> {
  const answer = await operator.get('/deliver/proof', { 'accept-language': language });
  const markup = await answer.text();
  assert.equal(answer.status, 200, markup);
  parseStrictHtml(markup, '/deliver/proof');
  return toPageText(markup);
}

const begin = (fields: Readonly<Record<string, string>> = {}): Promise<Response> =>
  operator.post(
    '/deliver/proof',
    { wait: 'false', folders: '', zone: '', platforms: '', ...fields },
    { page: '/deliver/proof' },
  );

/** Begins a proof that ends like this, and waits for its end. */
async function prove(ends: MediumProof | Error): Promise<void> {
  outcome = Promise.withResolvers();
  assert.equal((await begin()).status, 303);
  if (ends instanceof Error) outcome.reject(ends);
  else outcome.resolve(ends);
  await eventually('the end of the proof', async () => !/Media running/.test(await show()));
}

test('before a proof the page has the form, in both languages', async () => {
  assert.match(await show(), /Nothing was proved since this instance started/);
  assert.match(await show('fr'), /Aucune preuve depuis le démarrage/);
});

test('a proof runs without its page, and one at a time', async () => {
  const folders = '/mnt/disk-1/delivery\r\n/mnt/disk-2/delivery';
  const started = await begin({ folders, zone: 'zone-c', platforms: 'linux/amd64', strict: 'true' });
  assert.equal(started.headers.get('location'), '/deliver/proof', await started.text());
  assert.deepEqual(asked, [
    {
      folders: ['/mnt/disk-1/delivery', '/mnt/disk-2/delivery'],
      zone: 'zone-c',
      platforms: ['linux/amd64'],
      strict: true,
      actor: 'olga',
      origin: '127.0.0.1',
    },
  ]);
  const text = await show();
  assert.match(
    text,
    /Running Media · step 1 of 8 · 25 % .*12 files, 5 MiB of 20 MiB hashed .*\/mnt\/disk-1\/delivery, \/mnt\/disk-2/,
  );
  assert.match(text, /Media running Trust to come Import to come/);
  assert.match(
    await show('fr'),
    /En cours Supports · étape 1 sur 8 · 25\s%.* 12 fichiers hachés, 5 Mio sur 20 Mio/,
  );
  const second = await begin({ folders });
  assert.equal(second.status, 503);
  assert.match(toPageText(await second.text()), /Probable cause Another delivery is being proved\./);
  outcome.resolve(showcaseProof);
  await eventually('the end of the proof', async () => !/Media running/.test(await show()));
  assert.match(
    await show(),
    /incomplete Everything would land, and the zone would still lack something: 2 findings/,
  );
  const records = server.report.audits.filter(({ action }) => action === 'media.prove');
  assert.deepEqual(
    records.map(({ outcome: each, details }) => [each, details?.verdict ?? details?.code]),
    [
      ['failure', 'SVC-SRV-006'],
      ['failure', 'incomplete'],
    ],
  );
});

test('a proof takes the trust roots of the zone', async () => {
  const keys = [createSigner(), createSigner()].map(({ publicKeyPem }) => publicKeyPem.trim());
  const trustRoots = keys.join('\n\n').replaceAll('\n', '\r\n');
  assert.equal((await begin({ trustRoots })).status, 303);
  const [request] = asked;
  assert.deepEqual(
    request?.trustRoots?.map((pem) => pem.trim()),
    keys,
  );
  outcome.resolve(showcaseProof);
  await eventually('the end of the proof', async () => !/Media running/.test(await show()));
  for (const [language, label] of [
    ['en', 'Trust roots of the zone'],
    ['fr', 'Racines de confiance de la zone'],
  ] as const)
    assert.ok((await show(language)).includes(label), language);
});

test('a text that is no trust root is refused at its field, which keeps it', async () => {
  await using own = await openTempFolder();
  await using real = await startTestServer({ folder: own.path });
  const session = await signInAs(real, 'operator', 'olga');
  const page = '/deliver/proof';
  const refused = await session.post(page, { wait: 'false', trustRoots: 'no key' }, { page });
  const markup = await refused.text();
  assert.equal(refused.status, 422, markup);
  assert.match(markup, /id="error-trustRoots">“.*no key.*”: .*not a PEM public key/);
  assert.match(markup, /\nno key<\/textarea>/);
});

test('a platform that is none is refused in words', async () => {
  for (const platforms of ['amd64', `linux/${'a'.repeat(64)}`]) {
    const refused = await begin({ platforms });
    assert.equal(refused.status, 422);
    const text = toPageText(await refused.text());
    assert.match(text, /must be os\/arch\[\/variant\], such as linux\/amd64/);
    assert.doesNotMatch(text, /pattern/);
  }
});

test('a proof that runs has a button that cancels it, and says so until its work has ended', async () => {
  isStubborn = true;
  await begin();
  for (const [language, button] of [
    ['en', 'Cancel the proof'],
    ['fr', 'Annuler la preuve'],
  ] as const)
    assert.ok((await show(language)).includes(button));
  const answer = await operator.post('/deliver/proof/cancel', {}, { page: '/deliver/proof' });
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/deliver/proof']);
  assert.match(await show(), /Cancelling…/);
  assert.doesNotMatch(await show(), /Cancel the proof/);
  assert.match(await show('fr'), /Annulation…/);
  outcome.resolve(showcaseProof);
  await eventually('the end of the proof', async () => !/Media running/.test(await show()));
  const text = await show();
  assert.match(text, /The proof was cancelled by olga\. Begin the proof again/);
  assert.doesNotMatch(text, /Verdict|Cancel the proof/);
  assert.match(await show('fr'), /La preuve a été annulée par olga/);
  await prove({ ...showcaseProof, verdict: 'proved', findings: [] });
  assert.doesNotMatch(await show(), /cancelled/);
});

test('findings have the sentences of the command, with their remedy', async () => {
  await prove(showcaseProof);
  assert.deepEqual(asked, [{ actor: 'olga', origin: '127.0.0.1' }]);
  const text = await show();
  assert.match(text, /Folders the store of this instance Against receipt 7 of zone zone-c/);
  assert.match(text, /shop error charts .*docker\.example\/library\/redis:7\.4\.1/);
  assert.match(text, /warning capacity /);
  assert.match(text, /images that a program chooses while it runs/);
  const french = await show('fr');
  assert.match(
    french,
    /incomplète Tout arriverait, et il manquerait encore quelque chose à la zone : 2 constats/,
  );
  assert.match(french, /avertissement capacité /);
});

test('a proved delivery has no findings', async () => {
  await prove({ ...showcaseProof, verdict: 'proved', against: { kind: 'empty' }, findings: [] });
  const text = await show();
  assert.match(text, /proved The zone would come up from this delivery Plan a delivery/);
  assert.match(text, /Against an empty registry/);
  assert.match(text, /The proof found nothing at fault/);
});

test('a proved delivery that the registry may refuse says so in its headline', async () => {
  await prove({ ...showcaseProof, verdict: 'proved', findings: showcaseProof.findings.slice(1) });
  assert.match(
    await show(),
    /proved The zone would come up .*, unless its registry refuses content that a warning names/,
  );
  assert.match(await show('fr'), /prouvée La zone démarrerait .*, à moins que son registre ne refuse/);
});

test('a proof that is broken off says why, and another one can begin', async () => {
  await prove(svcError('SVC-FIL-005', { path: '/mnt/disk-1/delivery', disk: '/mnt/disk-1/delivery' }));
  assert.match(await show(), /The proof was broken off .*SVC-FIL-005/);
  await prove({ ...showcaseProof, verdict: 'proved', findings: [] });
  assert.doesNotMatch(await show(), /broken off/);
});

test('a thousand findings are a hundred rows', async () => {
  const [finding] = showcaseProof.findings;
  await prove({ ...showcaseProof, findings: Array.from({ length: 1000 }, () => finding!) });
  assert.match(await show(), /The first 100 of 1,000 are listed/);
});

test('a viewer may not prove', async () => {
  assert.equal((await viewer.get('/deliver/proof')).status, 403);
  assert.equal((await viewer.post('/deliver/proof', { wait: 'false' }, { page: '/account' })).status, 403);
});

test('a folder that is not there and a name of no zone are refused at their fields, and nothing runs', async () => {
  await using own = await openTempFolder();
  await using real = await startTestServer({ folder: own.path });
  const session = await signInAs(real, 'operator', 'olga');
  const page = '/deliver/proof';
  const trustRoots = createSigner().publicKeyPem.trim();
  const refused = await session.post(page, { wait: 'false', folders: '/nope', trustRoots }, { page });
  const markup = await refused.text();
  assert.equal(refused.status, 422, markup);
  assert.match(markup, /id="error-folders">/);
  assert.match(markup, /\n\/nope<\/textarea>/);
  const named = await session.post(page, { wait: 'false', zone: 'Zone B', trustRoots }, { page });
  assert.equal(named.status, 422);
  assert.match(await named.text(), /id="error-zone">/);
  assert.doesNotMatch(toPageText(await (await session.get(page)).text()), /broken off|Running/);
});

test('the form keeps what the last proof was asked for', async () => {
  const trustRoots = createSigner().publicKeyPem.trim();
  const folders = '/mnt/disk-1/delivery';
  assert.equal((await begin({ folders, trustRoots, zone: 'zone-c', strict: 'true' })).status, 303);
  outcome.resolve(showcaseProof);
  await eventually('the end of the proof', async () => !/Media running/.test(await show()));
  const markup = await (await operator.get('/deliver/proof')).text();
  assert.match(markup, /\n\/mnt\/disk-1\/delivery<\/textarea>/);
  assert.ok(markup.includes(`${trustRoots}\n</textarea>`) || markup.includes(`${trustRoots}</textarea>`));
  assert.match(markup, /name="zone" type="text" value="zone-c"/);
  assert.match(markup, /name="strict" value="true" checked/);
});
