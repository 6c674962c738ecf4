import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { addTroubles } from '../../../../server/ui/pages/overview/todo.ts';
import { toSubject, toZoneFile, writeReceipt } from '../../../../src/attest/receipt.ts';
import { toSigner } from '../../../../src/signing/signer.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { words } from '../../../../src/text/words/words.ts';
import { openReceipts } from '../../../../src/zone/receipts.ts';
import { toReceipt } from '../../../kit/content/receipt.ts';
import { createSigner } from '../../../kit/content/signer.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { openShowcase, password, type Showcase } from '../../../kit/showcase/showcase.ts';
import { openBrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';

let folders: readonly TempFolder[];
let server: TestServer;
let showcase: Showcase;
const day = 24 * 60 * 60 * 1000;
const signer = createSigner();

async function addReceipt(sequence: number, age: number): Promise<void> {
  const { publicKey, privateKey } = { ...toSigner(signer.privateKey), privateKey: signer.privateKey };
  const issuedAt = new Date(Date.now() - age * day).toISOString();
  const receipt = toReceipt({ zone: 'zone-c', sequence, issuedAt });
  const signed = writeReceipt(receipt, [toSubject(toZoneFile('zone-c'))], toSigner(privateKey));
  const keys = [{ name: 'zone-c', key: publicKey, for: ['receipt'] as const }];
  await openReceipts(join(folders[0]!.path, 'state')).add(signed, { keys });
}

before(async () => {
  folders = [await openTempFolder(), await openTempFolder()];
  const [own, other] = folders as [TempFolder, TempFolder];
  const keyFile = join(own.path, 'zone-c.pub');
  await writeFile(keyFile, signer.publicKeyPem);
  await addReceipt(1, 40);
  server = await startTestServer({
    folder: own.path,
    zones: [{ name: 'zone-c', retriever: join(own.path, 'zone-c.yaml'), maxAge: 30 * day }],
    peers: [{ name: 'zone-c', keyFile, for: ['receipt'] }],
  });
  showcase = await openShowcase(other.path);
});
after(async () => {
  for (const item of [showcase, server, ...folders]) await item[Symbol.asyncDispose]();
});

test('an overdue receipt is something to do until a newer one comes, in both languages', async () => {
  const viewer = await signInAs(server, 'viewer', 'vera');
  const show = async (language: string): Promise<string> =>
    toPageText(await (await viewer.get('/', { 'accept-language': language })).text());
  assert.match(
    await show('en'),
    /Attention The receipt of 1 zone needs attention Nothing has been delivered yet .*What to do zone-c Its last receipt is of .*: overdue\. Have the zone write a receipt, and add it here\./,
  );
  assert.match(
    await show('fr'),
    /Le reçu de 1 zone est à vérifier Rien n’a encore été livré .*À faire zone-c/,
  );
  await addReceipt(2, 1);
  assert.doesNotMatch(await show('en'), /Attention|What to do/);
});

test('damage of the store and a contradictory receipt stand beside the missing recipes, for those who may open them', async () => {
  const show = async (name: string): Promise<string> => {
    const session = openBrowserSession(showcase.server);
    await session.signIn(name, password);
    return toPageText(await (await session.get('/')).text());
  };
  const admin = await show('alice');
  assert.match(
    admin,
    /Incomplete 4 of 8 wanted recipes are not here 1 file of the store is damaged, the receipts of 2 zones need attention and 1 of 5 zones lacks recipes, 1 is overdue, 3 cannot be judged/,
  );
  assert.match(
    admin,
    /What to do agent 2\.0\.1 .* Store SVC-STO-009 1 file is damaged, in .* Import registry\.example\/shop\/web:1\.3\.9 again, or delete it: no wanted recipe needs it,.* zone-early SVC-RCP-003/,
  );
  const session = openBrowserSession(showcase.server);
  await session.signIn('alice', password);
  const [, list = ''] = /<ol class="todo">([\s\S]*?)<\/ol>/.exec(await (await session.get('/')).text()) ?? [];
  const ways = list
    .split('</li>')
    .slice(0, -1)
    .map((item) => [...item.matchAll(/<p class="way"><a href="([^"]+)">/g)].map(([, href]) => href));
  const [[guide = ''] = [], ...others] = ways;
  assert.match(guide, /^\/help\?key=.*[0-9a-f]{64}#key-check$/);
  const disks = ['/media#dlv_0123456789ab'];
  assert.deepEqual(others, [
    ['/import?reference=registry.example%2Fshop%2Fweb%3A1.3.9'],
    ['/zones'],
    ['/receipts'],
    disks,
    disks,
    disks,
  ]);
  const help = toPageText(await (await session.get(guide.replace(/#.*/, ''))).text());
  assert.match(
    help,
    /Compare this key with its owner Refused agent 2\.0\.1 Fingerprint (?:sha256:)?[0-9a-f]{64} Have the owner .* svc key show owner\.pem .*(?:overview|Overview)/,
  );
  const unknown = await session.get(`/help?key=${'0'.repeat(64)}`);
  const none = toPageText(await unknown.text());
  assert.doesNotMatch(none, /svc key show owner/, 'only a key that was refused');
  assert.match(none, /No recipe is refused for this key now/);
  const content = toPageText(await (await session.get('/content')).text());
  assert.match(content, /\d+ repositories are served, [^;]*; 1 file of the store is damaged/);
  const operator = await show('olga');
  assert.match(
    operator,
    /are not here 1 file of the store is damaged, the receipts of 2 zones need .* and 1 of 5 zones lacks/,
  );
  const viewer = await show('vera');
  assert.match(viewer, /the receipt of 1 zone needs .* zone-d No configured key verifies its last receipt/);
  assert.doesNotMatch(viewer, /zone-early/);
});

test('a plan names the recipes that the last run did not bring only where it has their older versions', async () => {
  const session = openBrowserSession(showcase.server);
  await session.signIn('alice', password);
  const planOf = async (query: string) =>
    toPageText(await (await session.get(`/deliver?zone=zone-c${query}`)).text());
  const refused =
    /The last run did not bring one recipe: agent@2\.0\.1\. The plan has the versions of the store/;
  for (const query of ['', '&recipes=agent', '&recipes=shop%0Aagent%401.9.0'])
    assert.match(await planOf(query), refused);
  assert.doesNotMatch(await planOf('&recipes=shop%401.4.2'), /did not bring/);
});

test('content of which the store has lost a part is damaged on each page that shows its state', async () => {
  const session = openBrowserSession(showcase.server);
  await session.signIn('vera', password);
  const read = async (path: string): Promise<string> => toPageText(await (await session.get(path)).text());
  const repository = '/content/registry.example/shop/web';
  const hit = await read(`${repository}/-/tags/1.3.9`);
  assert.match(
    hit,
    /Damaged 1 file of 1\.3\.9 is damaged: it cannot be pulled whole What to do: .* SVC-STO-009/,
  );
  assert.doesNotMatch(hit, /Signed by/);
  assert.doesNotMatch(await read(`${repository}/-/tags/1.4.2`), /amaged/);
  assert.match(await read(repository), /1\.4\.1 .*1\.3\.9 damaged/);
  assert.match(
    await read('/recipes/-/shop?version=1.3.9'),
    /Damaged shop 1\.3\.9 is damaged: .* SVC-STO-009 .*web damaged/,
  );
  assert.doesNotMatch(await read('/recipes/-/shop'), /amaged/);
  const list = await read('/content');
  assert.match(list, /web damaged/);
  assert.doesNotMatch(list, /worker damaged/);
  assert.match(await read('/'), /1 file is damaged, in shop@1\.3\.9/);
  const admin = openBrowserSession(showcase.server);
  await admin.signIn('alice', password);
  const store = await (await admin.get('/admin/store')).text();
  assert.match(toPageText(store), /Damaged 1 file missing or damaged: shop@1\.3\.9/);
  assert.match(
    toPageText(store),
    /What to do: Import registry\.example\/shop\/web:1\.3\.9 again, or delete it: no wanted recipe needs it/,
  );
  assert.doesNotMatch(toPageText(store), /nothing damaged/, 'the last pass does not contradict the head');
  for (const path of ['/recipes/-/shop?version=1.3.9', `${repository}/-/tags/1.3.9`])
    assert.match(
      await (await admin.get(path)).text(),
      /class="button button-primary" href="\/import\?reference=registry\.example%2Fshop%2Fweb%3A1\.3\.9">Import again</,
      path,
    );
  assert.match(store, /<a href="\/content\/registry\.example\/shop\/web\/-\/tags\/1\.3\.9">/);
});

test('content whose key was withdrawn says so in its stamp', async () => {
  const session = openBrowserSession(showcase.server);
  await session.signIn('vera', password);
  const read = async (path: string): Promise<string> => toPageText(await (await session.get(path)).text());
  assert.match(
    await read('/content/registry.example/shop/chart/-/tags/1.3.9'),
    /key withdrawn Its digest is named by recipe shop 1\.3\.9 ?, whose key was withdrawn since/,
  );
  assert.match(
    await read('/content/registry.example/cookbook/shop/-/tags/1.3.9'),
    /key withdrawn Its signature was verified when it landed; the key was withdrawn since/,
  );
});

test('a stalled task is told of beside a zone that has everything', () => {
  const { en, fr } = words;
  const stalled = { type: 'sync', status: 'running', progress: { stalledSeconds: 90 } } as TaskHead;
  const zones = {
    names: [],
    helped: [],
    lacking: 0,
    unknown: 0,
    late: 0,
    lateDeliveries: [],
    total: 0,
    isAll: true,
  };
  const troubles = { receipts: [], damaged: 0, stalled, zones };
  const more = {
    ...troubles,
    stalled: undefined,
    zones: {
      names: ['a', 'b', 'c'],
      helped: ['a'],
      lacking: 2,
      unknown: 3,
      late: 0,
      lateDeliveries: [],
      total: 9,
      isAll: false,
    },
  };
  assert.match(
    addTroubles(en, 'All here', more),
    /; at least 2 of 9 zones lack recipes, 3 cannot be judged$/,
  );
  assert.equal(addTroubles(en, 'All here', troubles), 'All here; a task receives nothing');
  assert.match(addTroubles(fr, 'Tout est ici', troubles), /^Tout est ici\s; une tâche ne reçoit rien$/);
  assert.equal(addTroubles(en, 'All here', { ...troubles, stalled: undefined }), 'All here');
});

test('while the gate is closed the step is the verification, also while a task runs', async () => {
  await showcase.startSync();
  showcase.closed = true;
  try {
    const session = openBrowserSession(showcase.server);
    await session.signIn('olga', password);
    const show = async (language: string): Promise<string> =>
      toPageText(await (await session.get('/', { 'accept-language': language })).text());
    const text = await show('en');
    assert.match(text, /Closed No content is served.*has to be verified first\. Verify the medium/);
    assert.doesNotMatch(text, /Open the task/);
    assert.match(await show('fr'), /Fermé Aucun contenu n’est servi.* Vérifier le support/);
  } finally {
    showcase.closed = false;
  }
});

test('the list of a prune says which recipe stops it, and offers no start while a run is under way', async () => {
  const session = openBrowserSession(showcase.server);
  await session.signIn('olga', password);
  const posted = await session.post('/recipes/sync/prune', {}, { page: '/recipes/sync' });
  const page = await (await session.get(posted.headers.get('location')!)).text();
  assert.match(
    toPageText(page),
    /No prune The last run did not bring agent 2\.0\.1\. As long as this recipe fails, a run prunes nothing\./,
  );
  assert.match(toPageText(page), /A synchronization is running; the next one can start after its end\./);
  assert.doesNotMatch(page, /name="prune"/);
});
