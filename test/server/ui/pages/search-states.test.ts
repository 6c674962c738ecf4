import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseStates, toPlain } from '../../../../server/ui/pages/search/state-words.ts';
import { searchedStates } from '../../../../src/text/words/search.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { openShowcase, password, type Showcase } from '../../../kit/showcase/showcase.ts';
import { type BrowserSession, openBrowserSession } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { listShownStates } from '../../../kit/web/shown-states.ts';

let folder: TempFolder;
let showcase: Showcase;
let viewer: BrowserSession;

before(async () => {
  folder = await openTempFolder();
  showcase = await openShowcase(folder.path);
  viewer = openBrowserSession(showcase.server);
  await viewer.signIn('vera', password);
});
after(async () => {
  for (const item of [showcase, folder]) await item[Symbol.asyncDispose]();
});

async function proseOf(q: string, language = 'en', view = 'results'): Promise<string> {
  const response = await viewer.get(`/search?${new URLSearchParams({ q, view })}`, {
    'accept-language': language,
  });
  assert.equal(response.status, 200, `${q} leads to ${response.headers.get('location')}`);
  return toPageText(await response.text());
}

test('the words for a state are taken out of a text, in both languages, in any case and without accents', () => {
  for (const [q, states, rest] of [
    ['monitoring missing', ['missing'], 'monitoring'],
    ['Missing  Monitoring 1.2', ['missing'], 'monitoring 1.2'],
    ['échouées', ['failed'], ''],
    ['ECHOUEE shop', ['failed'], 'shop'],
    ['shop à l’arrêt', ['stalled'], 'shop'],
    ["a l'arret", ['stalled'], ''],
    ['not verified shop', ['unverified'], 'shop'],
    ['blocked failed', ['blocked', 'failed'], ''],
    ['refused shop', ['blocked'], 'shop'],
    ['bloqué', ['blocked'], ''],
    ['not-verified', ['unverified'], ''],
    ['stuck', ['stalled'], ''],
    ['shop partielles', ['partial'], 'shop'],
  ] as const)
    assert.deepEqual(parseStates(q), { states, rest }, q);
  for (const q of ['shop', 'missing-tool', 'unblocked', '']) assert.equal(parseStates(q), undefined, q);
  const phrases = Object.values(searchedStates).flatMap((both) => both.flatMap((text) => text.split(', ')));
  assert.equal(new Set(phrases).size, phrases.length, 'a word asks for one state');
});

test('a state lists what is in it, and a name beside it narrows the list', async () => {
  assert.match(await proseOf('missing'), /Wanted recipes that are not here \d .*agent 2\.0\.1 blocked SVC-/);
  assert.match(await proseOf('agent missing'), /are not here 2 agent 2\.0\.1 blocked/);
  assert.match(await proseOf('manquante agent', 'fr'), /manquent ici 2 agent 2\.0\.1 bloquée/);
  assert.match(await proseOf('blocked agent'), /Blocked recipes 1 agent 2\.0\.1 blocked SVC-SIG-001/);
  const verified = await proseOf('verified shop');
  assert.match(verified, /Verified recipes 1 shop 1\.4\.2 recipe verified/);
  assert.match(await proseOf('failed agent'), /Tasks: failed \d+ synchronization .* agent@2\.0\.1/);
  assert.doesNotMatch(await proseOf('failed'), /\bdone\b/);
  assert.match(
    await proseOf('partial agent'),
    /Tasks: failed in part 2 synchronization .* failed in part agent@2\.0\.1/,
  );
  assert.match(
    await proseOf('partielle', 'fr'),
    /Tâches : échouée en partie \d+ synchronisation .* échouée en partie/,
  );
});

test('a state in which nothing has the name offers the name without it', async () => {
  const page = await (await viewer.get('/search?q=shop+stalled')).text();
  assert.match(toPageText(page), /Nothing is found for shop stalled\. Without the state: shop/);
  assert.match(page, /href="\/search\?q=shop"/);
});

test('a suggestion says the state of its thing, and a state suggests what is in it', async () => {
  assert.match(await proseOf('agent missing', 'en', 'suggestions'), /agent 2\.0\.1 blocked .*All results/);
  assert.match(await proseOf('agen', 'en', 'suggestions'), /agent 1\.9\.0 recipe verified 2\.0\.1 blocked/);
  assert.match(await proseOf('sho', 'en', 'suggestions'), /shop 1\.4\.2 recipe verified here/);
});

test('a recipe that is not in the asked state is said to be in another, in the results and the suggestions', async () => {
  const answer = /shop is not missing: 1\.4\.2 is here, verified\./;
  assert.match(await proseOf('shop missing'), answer);
  assert.match(await proseOf('shop missing', 'en', 'suggestions'), answer);
  assert.match(
    await proseOf('shop manquante', 'fr'),
    /shop n’est pas manquante\s: 1\.4\.2 est ici, vérifiée/,
  );
  assert.match(await proseOf('xyzzyx', 'en', 'suggestions'), /No name has xyzzyx: search everything/);
});

test('a state or a subject of a page leads there, for those who may open it', async () => {
  const admin = openBrowserSession(showcase.server);
  await admin.signIn('alice', password);
  const ofAdmin = async (q: string): Promise<string> => (await admin.get(`/search?q=${q}`)).text();
  for (const [q, path] of [
    ['token', '/admin/accounts'],
    ['synchronize', '/recipes/sync'],
    ['prune', '/recipes/sync'],
    ['receipts', '/receipts'],
    ['zones', '/zones'],
    ['history', '/history'],
    ['evidence', '/evidence'],
    ['historique', '/history'],
    ['publi', '/recipes/publish'],
    ['certificate', '/admin/network'],
    ['damaged', '/admin/store'],
    ['denied', '/history?outcome=denied'],
    ['stalled', '/tasks?status=running'],
    ['incomplete', '/media'],
    ['lost', '/media?deliveries=lost#deliveries'],
    ['in transit', '/zones?state=in-transit'],
    ['behind', '/zones?state=behind'],
    ['threshold', '/admin/retriever'],
    ['registries.yaml', '/clients'],
    ['skopeo', '/clients'],
    ['lint', '/recipes/check'],
    ['diff', '/recipes/compare'],
    ['tarball', '/admin/oci-layout'],
    ['filesets', '/filesets'],
    ['file-sets', '/filesets'],
    ['jobs', '/tasks'],
    ['audit', '/history'],
    ['swagger', '/api-docs'],
  ] as const)
    assert.ok((await ofAdmin(q)).includes(`<li><span><a href="${path}">`), q);
  assert.doesNotMatch(await proseOf('certificate'), /Pages 1 Network/);
  for (const q of ['zone b', 'zone-b']) assert.match(await proseOf(q), /\bzone-b\b/, q);
  const awaited = await admin.get('/search?q=dlv_3f9c01ab77de');
  assert.equal(awaited.headers.get('location'), '/deliveries/dlv_3f9c01ab77de');
  const examples = await (await admin.get('/search')).text();
  assert.match(examples, /<a href="\/search\?q=shop%2Fweb%3A1\.4\.0">/);
});

test('each word that a page shows for a state is found, in both languages', async () => {
  const admin = openBrowserSession(showcase.server);
  await admin.signIn('alice', password);
  const lost: string[] = [];
  for (const { place, words } of await listShownStates())
    for (const text of words.map(toPlain)) {
      if (text === '' || parseStates(text)?.rest === '') continue;
      const answer = await admin.get(`/search?${new URLSearchParams({ q: text })}`);
      if (!(await answer.text()).includes('id="pages"')) lost.push(`${text} (${place})`);
    }
  assert.deepEqual(lost, []);
});

test('a state finds the things of every list, each counted and with its filtered list', async () => {
  const admin = openBrowserSession(showcase.server);
  await admin.signIn('alice', password);
  const lost: string[] = [];
  for (const [q, found] of [
    ['overdue', ['/zones']],
    ['not wanted', ['/recipes?state=unwanted']],
    ['non demandée', ['/recipes?state=unwanted']],
    ['confirmed', ['/deliveries?state=confirmed']],
    ['en route', ['/deliveries?state=way', '/zones?state=in-transit']],
    ['not proved', ['/deliveries?state=unproved']],
    ['non prouvée', ['/deliveries?state=unproved']],
    ['unsigned', ['/recipes']],
    ['blocked', ['/recipes?state=blocked', '/receipts?state=blocked', '/zones?state=blocked']],
    ['refusées', ['/recipes?state=blocked']],
    ['incomplete', ['/receipts?state=incomplete', '/deliveries?state=incomplete']],
    ['lost', ['/deliveries?state=overtaken']],
    ['failure', ['/history?outcome=failure', '/tasks?status=failed']],
    ['non servi', ['/filesets']],
    ['receipt 7', ['/receipts/zone-c']],
    ['reçu n° 7', ['/receipts/zone-c']],
    ['receipt 999', ['/receipts']],
    ['disk 1', ['/deliveries/dlv_']],
  ] as const) {
    const page = await (await admin.get(`/search?${new URLSearchParams({ q })}`)).text();
    lost.push(...found.filter((path) => !page.includes(`href="${path}`)).map((path) => `${q}: ${path}`));
  }
  assert.deepEqual(lost, []);
});

test('a delivery is found by the name of one of its disks, and by the beginning of either', async () => {
  const admin = openBrowserSession(showcase.server);
  await admin.signIn('alice', password);
  for (const q of ['dlv_3f9c01ab77de', 'dlv_3f9c', 'dlv-3f9c01ab77de-1', 'dlv-3f9c'])
    assert.equal(
      (await admin.get(`/search?q=${q}`)).headers.get('location'),
      '/deliveries/dlv_3f9c01ab77de',
      q,
    );
});
