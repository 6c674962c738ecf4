import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openSent } from '../../../../src/zone/sent.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { mediumReport, recipeVerdict } from '../../../kit/scene/media-state.ts';
import { showcaseArrival } from '../../../kit/showcase/delivery.ts';
import { openShowcase, password, type Showcase } from '../../../kit/showcase/showcase.ts';
import { type BrowserSession, openBrowserSession } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

let folder: TempFolder;
let showcase: Showcase;
let admin: BrowserSession;
let viewer: BrowserSession;
const sent = { zone: 'zone-c', sequence: 1, startedAt: '2026-01-01T00:00:00Z', recipes: [], parts: 1 };

before(async () => {
  folder = await openTempFolder();
  showcase = await openShowcase(folder.path);
  admin = openBrowserSession(showcase.server);
  viewer = openBrowserSession(showcase.server);
  await admin.signIn('alice', password);
  await viewer.signIn('vera', password);
  const records = openSent(join(folder.path, 'state'));
  await records.keepDelivery({ ...sent, id: 'dlv_00000000000c', written: [] });
  await records.keepDelivery({ ...sent, id: 'dlv_00000000000e', zone: 'zone-x', written: [] });
});
after(async () => {
  for (const item of [showcase, folder]) await item[Symbol.asyncDispose]();
});

const find = (q: string, session = admin, language = 'en'): Promise<Response> =>
  session.get(`/search?q=${encodeURIComponent(q)}`, { 'accept-language': language });

async function leadsTo(q: string, session = admin): Promise<string | null> {
  const response = await find(q, session);
  assert.equal(response.status, 303, `${q}: ${toPageText(await response.clone().text())}`);
  return response.headers.get('location');
}

async function proseOf(q: string, session = admin, language = 'en'): Promise<string> {
  const response = await find(q, session, language);
  const markup = await response.text();
  assert.equal(response.status, 200, `${q} leads to ${response.headers.get('location')}`);
  parseStrictHtml(markup, q);
  return toPageText(markup);
}

test('a text that nothing has leads to the files of each served file set with it', async () => {
  const markup = await (await find('start.html')).text();
  const [, path] = /Look for it among the files of the file set:.*?<a href="([^"]*)">manuals</s.exec(markup)!;
  const files = await admin.get(path!.replaceAll('&amp;', '&'));
  assert.equal(files.status, 200);
  assert.match(await files.text(), /name="q"[^>]* value="start.html"/);
});

test('a medium and a delivery lead to the page that shows them, and are unknown to a viewer', async () => {
  const { id, landed } = showcaseArrival;
  for (const [q, place] of [
    [id, `/deliveries/${id}`],
    [landed[0]!.mediaId, `/deliveries/${id}`],
    [mediumReport().medium!.mediaId, '/media'],
    ['dlv_00000000000c', '/deliveries/dlv_00000000000c'],
    ['dlv_00000000000e', '/deliveries/dlv_00000000000e'],
  ] as const) {
    assert.equal(await leadsTo(q), place);
    assert.match(await proseOf(q, viewer), /Nothing is found/, q);
  }
  assert.match(await proseOf('dlv_0000000000ff'), /Nothing is found/);
  assert.match(await (await admin.get('/media')).text(), new RegExp(`<h3 id="${id}">`));
});

test('the beginning of an identifier leads to what it names, and lists several', async () => {
  const { id, landed } = showcaseArrival;
  assert.equal(await leadsTo(id.slice(0, 8)), `/deliveries/${id}`);
  assert.equal(await leadsTo(landed[0]!.mediaId.slice(0, 9)), `/deliveries/${id}`);
  assert.equal(await leadsTo(mediumReport().medium!.mediaId.slice(0, 8)), '/media');
  assert.match(
    await proseOf('dlv_00000000'),
    /Deliveries and media 2 dlv_00000000000[ce] dlv_00000000000[ce]/,
  );
  assert.match(await proseOf('dlv_00000000', viewer), /Nothing is found/);
});

test('a delivery that only the custody ledger knows leads to its records, for those who may read them', async () => {
  const id = 'dlv_48d77967b98f';
  for (const q of [id, id.slice(0, 8)]) {
    assert.equal(await leadsTo(q), `/deliveries/${id}`, q);
    assert.match(await proseOf(q, viewer), /Nothing is found/, q);
  }
});

test('several words are found in any order, also with the kind of page', async () => {
  assert.match(await proseOf('web shop'), /registry\.example\/shop\/web/);
  assert.match(await proseOf('shop 1.4'), /Versions of this name \d+ shop 1\.4\.\d/);
  assert.equal(await leadsTo('zone-d receipt', viewer), '/zones/zone-d');
  assert.match(await proseOf('web nowhere'), /Nothing is found/);
  assert.match(await proseOf('sha256:08e2f'), /found by its first 7 characters; this text has 5/);
});

test('a record of the history leads to its page, for those who may read it', async () => {
  const [, record = ''] =
    /href="\/history\/(a[0-9-]+)"/.exec(await (await admin.get('/history')).text()) ?? [];
  assert.equal(await leadsTo(record), `/history/${record}`);
  assert.match(await proseOf(record, viewer), /Nothing is found/);
});

test('results of several kinds begin with a link to each', async () => {
  const page = await (await find('shop', viewer)).text();
  const links = Array.from(page.matchAll(/<li><a href="#([a-z]+)">/g), ([, id]) => id!);
  assert.deepEqual(links, ['exact', 'where', 'content', 'tasks']);
  for (const id of links) assert.match(page, new RegExp(`<section class="section" id="${id}"`));
  assert.match(
    toPageText(page),
    /Search: shop Exact match 1 In the zones \d+ Content \d+ Tasks \d+ Exact match 1/,
  );
  assert.doesNotMatch(await (await find('untrusted', viewer)).text(), /id="kinds"/);
});

test('zones are found by name; their receipts are for operators', async () => {
  assert.equal(await leadsTo('zone-d', viewer), '/zones/zone-d');
  assert.match(await proseOf('zone-'), /Zones \d zone-c receipts/);
  assert.doesNotMatch(await proseOf('zone-', viewer), /zone-c receipts/);
});

test('a version without a name finds all that have it, also a wanted one that is not here', async () => {
  assert.match(await proseOf('1.4.2', viewer), /Versions of this name \d+ shop 1\.4\.2 recipe/);
  for (const q of ['2.0.1', 'agent@2.0.1', 'agent 2.0.1'])
    assert.match((await leadsTo(q, viewer)) ?? '', /^\/recipes\/-\/agent|^\/tasks\/tsk_/, q);
  assert.match((await leadsTo('shop@1.4.2')) ?? '', /^\/recipes\/-\/shop\?version=1\.4\.2/);
});

test('a refused key finds what it was refused in', async () => {
  const whole = '77e0'.repeat(16);
  for (const q of ['77e077e0', whole, '77e077e0…77e0', `sha256:${whole}`])
    assert.match(
      await proseOf(q, viewer),
      /Recipes refused for this key 1 agent 2\.0\.1 .* refused by tsk_/,
      q,
    );
  assert.match(await proseOf('77e0770'), /Nothing is found/);
});

test('words of the help are found in the language of the reader, and a mistyped code is proposed', async () => {
  assert.match(
    await proseOf('certificate', viewer),
    /Help \d+ Trust the certificate Network and certificates SVC-/,
  );
  assert.match(await proseOf('prune', viewer), /Help \d+ .*SVC-/);
  assert.match(await proseOf('certificat', viewer, 'fr'), /Aide \d+ Faire confiance au certificat/);
  assert.match(await proseOf('nothing-like-it'), /Nothing is found/);
  for (const q of ['SIG-1', 'svc-sig-1', 'sig1'])
    assert.match(await proseOf(q, viewer), /Did you mean SVC-SIG-001\?/, q);
  assert.match(await proseOf('sig-1', viewer, 'fr'), /Vouliez-vous dire SVC-SIG-001/);
  assert.doesNotMatch(await proseOf('shop-1'), /Did you mean/);
});

test('a question finds the guide that answers it, and a word that the help writes otherwise is found', async () => {
  assert.match(await proseOf('how to import a medium', viewer), /Help \d+ Import a medium /);
  assert.match(await proseOf('How do I import the USB stick?', viewer), /Help \d+ Import a medium /);
  assert.match(await proseOf('comment importer un support ?', viewer, 'fr'), /Aide \d+ Importer un support /);
  assert.match(await proseOf('untrusted', viewer), /Help \d+ .*SVC-SIG-001/);
  assert.match(await proseOf('signature non approuvée', viewer, 'fr'), /Aide \d+ .*SVC-SIG-001/);
  assert.match(await proseOf('receipts', viewer), /Help \d+ Bring a receipt back .*SVC-/, 'guides lead');
  assert.match(await proseOf('how to', viewer), /Nothing is found/);
});

test('suggestions name things before the help, with the words marked, and end with the page of all results', async () => {
  const suggest = async (q: string): Promise<string> => {
    const headers = { 'hx-request': 'true', 'hx-target': 'section#suggestions' };
    return await (await viewer.get(`/search?q=${encodeURIComponent(q)}&view=suggestions`, headers)).text();
  };
  const names = toPageText(await suggest('sho'));
  assert.match(
    names,
    /by network shop 1\.4\.2 recipe verified here registry\.example.*shop\/worker .* All results\s*$/,
  );
  assert.doesNotMatch(names, /SVC-/, 'no word of the help begins with so few letters');
  assert.match(await suggest('signat'), /SVC-\w+-\d+<\/a> <span>.*<mark>[Ss]ignat<\/mark>/);
});

test('a recipe of the medium that is withheld leads the results with its state, beside the tasks that name it', async () => {
  const before = showcase.media.current;
  const reason = { code: 'SVC-MED-012', path: 'blobs/x', params: { path: 'blobs/x' } } as const;
  const depot = recipeVerdict({ name: 'depot', version: '2.0.0', pushable: false, reason });
  showcase.media.current = {
    ...before,
    report: mediumReport({ recipes: [...(before.report?.recipes ?? []), depot] }),
  };
  const found = await proseOf('depot', viewer);
  assert.match(found, /On the medium, or awaited 1 depot 2\.0\.0 blocked SVC-MED-012/);
  assert.match(await proseOf('depot', viewer, 'fr'), /Sur le support, ou attendues 1 depot 2\.0\.0 bloquée/);
  showcase.media.current = before;
  assert.doesNotMatch(await proseOf('depot', viewer), /On the medium/);
});

test('a file set is found by its name, with its state and the way to its files', async () => {
  const markup = await (await find('manual', viewer)).text();
  assert.match(toPageText(markup), /File sets \d+ manuals \S+ served/);
  assert.match(markup, /<h2>File sets[\s\S]*?href="\/content\/[^"]*files[^"]*">/);
  assert.match(await proseOf('manual', viewer, 'fr'), /Jeux de fichiers \d+ manuals/);
});
