import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import type { SentDelivery } from '../../../src/contract/write-medium.ts';
import { openCustody } from '../../../src/custody/custody.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { openReceipts } from '../../../src/zone/receipts.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';
import { toPageText } from '../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

const day = 24 * 60 * 60 * 1000;
const ago = (days: number): string => new Date(Date.now() - days * day).toISOString();
const [shop, base, tools] = ['shop', 'base', 'tools'].map((name) => hashBytes(name)) as [
  ReturnType<typeof hashBytes>,
  ReturnType<typeof hashBytes>,
  ReturnType<typeof hashBytes>,
];

const ids = {
  partial: 'dlv_000000000001',
  stopped: 'dlv_000000000002',
  unproved: 'dlv_000000000003',
  replaced: 'dlv_000000000004',
  hand: 'dlv_000000000005',
  late: 'dlv_000000000006',
  forked: 'dlv_000000000007',
  unbelieved: 'dlv_000000000008',
  disks: 'dlv_000000000009',
} as const;
const manifestOf = (id: string) => hashBytes(`disk of ${id}`);
const one = (id: string) => [{ part: 1, manifest: manifestOf(id) }];
const common = { sequence: 1, parts: 1, recipes: [shop] };
const sent: readonly SentDelivery[] = [
  {
    ...{ ...common, id: ids.partial, zone: 'zone-b', startedAt: ago(9), recipes: [shop, base, tools] },
    ...{ bytes: 3000, written: one(ids.partial) },
  },
  {
    ...{ ...common, id: ids.stopped, zone: 'zone-c', startedAt: ago(8), parts: 3, bytes: 9000 },
    room: { folders: ['/mnt/disk-1', '/mnt/disk-2', '/mnt/disk-3'], bytes: [1, 1, 1] },
    written: one(ids.stopped),
  },
  {
    ...{ ...common, id: ids.unproved, zone: 'zone-d', startedAt: ago(7), bytes: 500 },
    room: { folders: ['/mnt/stick'], bytes: [1] },
    written: [{ part: 1, manifest: manifestOf(ids.unproved), unproved: true }],
  },
  {
    ...{ ...common, id: ids.replaced, zone: 'zone-e', startedAt: ago(6) },
    written: [{ part: 1, manifest: manifestOf(ids.replaced), unproved: true }],
  },
  { ...common, id: ids.hand, zone: 'zone-e', startedAt: ago(2), sequence: 2, written: one(ids.hand) },
  { ...common, id: ids.late, zone: 'zone-k', startedAt: ago(20), written: one(ids.late) },
  {
    ...{ ...common, id: ids.disks, zone: 'zone-h', startedAt: ago(32), recipes: [shop, tools], parts: 2 },
    written: [
      { part: 1, manifest: manifestOf(ids.disks), recipes: [shop] },
      { part: 2, manifest: hashBytes('disk 2'), recipes: [tools] },
    ],
  },
  { ...common, id: ids.unbelieved, zone: 'zone-g', startedAt: ago(31), written: one(ids.unbelieved) },
  { ...common, id: ids.forked, zone: 'zone-f', startedAt: ago(30), written: one(ids.forked) },
];

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
let auditor: BrowserSession;

before(async () => {
  folder = await openTempFolder();
  const own = join(folder.path, 'source');
  const state = join(own, 'state');
  const retriever = join(folder.path, 'zone.yaml');
  await writeFile(retriever, 'apiVersion: svc/v1\nkind: Retriever\nrecipes: []\n');
  const peers: { name: string; keyFile: string; for: ['receipt'] }[] = [];
  const toPeer = async (name: string) => {
    const { privateKey, publicKeyPem } = createSigner();
    const keyFile = join(folder.path, `${name}.pub`);
    await writeFile(keyFile, publicKeyPem);
    peers.push({ name, keyFile, for: ['receipt'] });
    const signer = toSigner(privateKey);
    const keys = [{ name, key: signer.publicKey, for: ['receipt' as const] }];
    return (stated: Receipt) =>
      openReceipts(state).add(writeReceipt(stated, [toSubject(toZoneFile(name))], signer), { keys });
  };
  const receipt = toReceipt({
    ...{ zone: 'zone-b', sequence: 8, issuedAt: ago(4) },
    freshness: { mediaId: 'dlv-1', resolvedAt: ago(9), vouched: true },
    lastDelivery: { id: ids.partial, part: 1, manifest: manifestOf(ids.partial) },
    recipes: [
      { digest: shop, state: 'present' },
      { digest: base, state: 'blocked', code: 'SVC-SIG-001', name: 'base', version: '1.0.0' },
    ],
  });
  await (await toPeer('zone-b'))(receipt);
  const addForked = await toPeer('zone-f');
  for (const recipes of [[{ digest: shop, state: 'present' as const }], []]) {
    const stated = toReceipt({
      ...{ zone: 'zone-f', sequence: 5, issuedAt: ago(4), recipes },
      freshness: { mediaId: 'dlv-1', resolvedAt: ago(30), vouched: true },
      lastDelivery: { id: ids.forked, part: 1, manifest: manifestOf(ids.forked) },
    });
    const added = addForked(stated);
    await (recipes.length > 0 ? added : assert.rejects(added, { code: 'SVC-RCP-003' }));
  }
  const addDisks = await toPeer('zone-h');
  await addDisks(
    toReceipt({
      ...{ zone: 'zone-h', sequence: 3, issuedAt: ago(4), recipes: [{ digest: shop, state: 'present' }] },
      lastDelivery: { id: ids.disks, part: 1, manifest: manifestOf(ids.disks) },
    }),
  );
  const addUnbelieved = await toPeer('zone-g');
  await addUnbelieved(
    toReceipt({
      ...{ zone: 'zone-g', sequence: 4, issuedAt: ago(4), recipes: [{ digest: shop, state: 'present' }] },
      lastDelivery: { id: ids.unbelieved, part: 1, manifest: manifestOf(ids.unbelieved) },
    }),
  );
  // the key of the peer is another one since
  await writeFile(join(folder.path, 'zone-g.pub'), createSigner().publicKeyPem);
  server = await startTestServer({
    folder: own,
    custodySite: 'zone-a',
    historyRole: 'viewer',
    peers,
    zones: ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'k'].map((name) => ({
      name: `zone-${name}`,
      retriever,
      maxAge: 12 * day,
    })),
  });
  for (const delivery of sent) await openSent(state).keepDelivery(delivery);
  const custody = openCustody({ stateRoot: state, site: 'zone-a' });
  const writing = await custody.begin({
    ...{ type: 'written', actor: 'ana' },
    details: {
      delivery: ids.stopped,
      zone: 'zone-c',
      parts: 3,
      folders: ['/mnt/disk-1', '/mnt/disk-2', '/mnt/disk-3'],
    },
  });
  const stopped = AbortSignal.abort();
  await writing.fail(stopped.reason, stopped);
  await custody.record({
    ...{ type: 'proved', actor: 'ana', result: 'failure' },
    details: { delivery: ids.unproved, findings: ['SVC-CLO-001'] },
  });
  await server.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
  admin = openBrowserSession(server);
  await admin.signIn('admin', 'admin password');
  auditor = openBrowserSession(server);
  await auditor.signIn('vera', 'a good password');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function read(path: string, as = admin, language = 'en'): Promise<string> {
  const response = await as.get(path, { 'accept-language': language });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  parseStrictHtml(text, path);
  return text;
}

/** The section of a delivery that says the way on. */
async function readSteps(id: string, as = admin, language = 'en') {
  const page = await read(`/deliveries/${id}`, as, language);
  const [section = ''] = /<section class="section" id="steps"[\s\S]*?<\/section>/.exec(page) ?? [];
  const links = [...section.matchAll(/<a class="button[^"]*" href="([^"]*)"/g)].map(([, href]) =>
    href!.replaceAll('&amp;', '&'),
  );
  return { text: toPageText(section), links };
}

const paramsOf = (href: string | undefined) =>
  Object.fromEntries(new URL(href ?? '', 'http://x').searchParams);

test('a delivery that its zone has in part names the lacking recipes with their reasons, and leads to their plan', async () => {
  const { text, links } = await readSteps(ids.partial);
  assert.match(text, /What to do By receipt 8, the zone lacks: base 1\.0\.0 blocked SVC-SIG-001/);
  assert.match(text, /not in its registry/);
  assert.doesNotMatch(text, /shop/);
  assert.equal(links.length, 1);
  assert.equal(new URL(links[0]!, 'http://x').pathname, '/deliver');
  assert.equal(paramsOf(links[0]).zone, 'zone-b');
});

test('a delivery of several disks names the disk that has not arrived, and leads to the plan of its recipes', async () => {
  const page = toPageText(await read(`/deliveries/${ids.disks}`));
  assert.match(page, /confirmed in part By receipt 3 of zone-h/);
  assert.match(page, /Disk 2 has not arrived in zone-h, by the receipt\. Ask zone-h to import it, or write/);
  assert.match(page, /not in its registry Its disk 2 has not arrived\. Disk 2/);
  assert.doesNotMatch(page, /refused it/);
  assert.match(page, /Recipe In the zone, by receipt 3 Disks .* present 1 .* 2 not arrived/);
  const { links } = await readSteps(ids.disks);
  assert.deepEqual(
    links.map((link) => new URL(link, 'http://x').pathname),
    ['/receipts', '/deliver'],
  );
  const french = toPageText(await read(`/deliveries/${ids.disks}`, admin, 'fr'));
  assert.match(french, /il manque à zone-h le disque 2\. Demandez à zone-h de l’importer/);
  assert.match(french, /Son disque 2 n’est pas arrivé\./);
});

test('a writing that was stopped says so, with its unfinished folders, and offers the same plan again', async () => {
  const { text, links } = await readSteps(ids.stopped);
  assert.match(text, /The writing was stopped on .*, after 1 of 3 parts\. Write the same plan again/);
  assert.match(text, /Unfinished content stays in \/mnt\/disk-1, \/mnt\/disk-2,? and \/mnt\/disk-3/);
  const { zone, base: from, disk, mounted } = paramsOf(links[0]);
  assert.deepEqual([zone, from, disk], ['zone-c', 'none', 'mounted']);
  assert.equal(mounted, '/mnt/disk-1\n/mnt/disk-2\n/mnt/disk-3');
});

test('the overview of a source counts the writings that broke off and the deliveries without a proof, as their list does', async () => {
  const page = await read('/');
  assert.match(
    toPageText(page),
    /Deliveries not written whole \(1\) · not proved \(1\) The page of each delivery/,
  );
  for (const state of ['unfinished', 'unproved']) {
    assert.ok(page.includes(`<a href="/deliveries?state=${state}">`), state);
    const list = await read(`/deliveries?state=${state}`);
    assert.equal(new Set(list.match(/\/deliveries\/dlv_[0-9a-f]{12}/g)).size, 1);
  }
  assert.match(
    toPageText(await read('/', admin, 'fr')),
    /La page de chaque livraison donne l’étape suivante/,
  );
  // readers without the list have no link that refuses them
  assert.doesNotMatch(await read('/', auditor), /\/deliveries\?state=/);
});

test('the page of a zone has the last proof of its delivery that is not proved, with the code', async () => {
  const page = await read('/zones/zone-d');
  assert.match(
    toPageText(page),
    /1 delivery written but not proved\. Such a disk does not count, .* dlv_000000000003 ?: The proof of .* failed: SVC-CLO-001 ?\./,
  );
  assert.doesNotMatch(toPageText(page), /failed or was not made/);
  assert.match(page, /href="\/help#SVC-CLO-001"/);
  const french = toPageText(await read('/zones/zone-d', admin, 'fr'));
  assert.match(french, /Un tel disque ne compte pas.* La preuve du .* a échoué/);
});

test('a delivery without a proof says why, and leads to the same plan and to a proof of its folder', async () => {
  const { text, links } = await readSteps(ids.unproved);
  assert.match(text, /The proof of .* failed: SVC-CLO-001 ?\. Write the same plan again/);
  const [again, proof] = links.map((href) => new URL(href, 'http://x'));
  assert.equal(again?.pathname, '/deliver');
  assert.equal(proof?.pathname, '/deliver/proof');
  const form = await read(links[1]!);
  assert.match(form, /<textarea[^>]*name="folders"[^>]*>\n?\/mnt\/stick</);
  assert.match(form, /name="zone"[^>]*value="zone-d"/);
});

test('a later proved delivery ends one that was not, which asks for nothing more', async () => {
  const { text, links } = await readSteps(ids.replaced);
  assert.match(text, new RegExp(`A later delivery was written and proved.* ${ids.hand}`));
  assert.deepEqual(links, []);
  assert.doesNotMatch(toPageText(await read('/zones/zone-e')), new RegExp(ids.replaced));
});

test('a written delivery asks to note its handing over, and a late one for the receipt of its zone', async () => {
  const hand = await readSteps(ids.hand);
  assert.match(hand.text, new RegExp(`svc custody note --delivery ${ids.hand} --type handed-over`));
  const late = await readSteps(ids.late);
  assert.match(late.text, /Ask zone-k for its receipt/);
  assert.deepEqual(late.links, ['/receipts']);
});

test('a delivery that one of two receipts with one number confirms is in doubt, as on the board of its zone', async () => {
  const page = toPageText(await read(`/deliveries/${ids.forked}`));
  assert.match(page, /Two different receipts of zone-f have the number 5/);
  assert.match(page, /confirmed, contradicted .*receipt 5 .*two receipts of one number SVC-RCP-003/);
  assert.doesNotMatch(page, /present/);
  assert.match((await readSteps(ids.forked)).text, /Ask zone-f which one is right/);
});

test('a delivery whose receipt no key verifies any more is not confirmed, and the page names the way on', async () => {
  const page = toPageText(await read(`/deliveries/${ids.unbelieved}`));
  assert.match(page, /not confirmed Receipt 4 of zone-g names the delivery/);
  assert.match(page, /receipt 4 .*not believed SVC-RCP-001/);
  assert.doesNotMatch(page, /present/);
  assert.match((await readSteps(ids.unbelieved)).text, /Name the key of zone-g under peers/);
  const list = toPageText(await read('/deliveries'));
  assert.match(list, /dlv_000000000008 .*not confirmed/);
});

test('readers of the records without another role have the reasons, and no link that refuses them', async () => {
  for (const id of Object.values(ids)) {
    const { text, links } = await readSteps(id, auditor);
    assert.match(text, /What to do/);
    assert.deepEqual(links, [], id);
  }
});

test('the list has the next steps, its rows are ordered by each heading, and an identifier selects', async () => {
  const rowsOf = async (query: string) => {
    const page = await read(`/deliveries?${query}`);
    return [...page.matchAll(/<tr><th scope="row"[\s\S]*?<\/tr>/g)].map(([row]) => toPageText(row));
  };
  const idsOf = async (query: string) =>
    (await rowsOf(query)).map((row) => /dlv_[0-9a-f]{12}/.exec(row)?.[0]);
  const rows = await rowsOf('');
  const steps = [
    [ids.partial, /deliver the missing recipes/],
    [ids.stopped, /write it again/],
    [ids.hand, /hand it over/],
    [ids.late, /ask for the receipt/],
  ] as const;
  for (const [id, step] of steps) assert.match(rows.find((row) => row.includes(id))!, step);
  assert.deepEqual(await idsOf('sort=at&order=asc'), [
    ...[
      ids.disks,
      ids.unbelieved,
      ids.forked,
      ids.late,
      ids.partial,
      ids.stopped,
      ids.unproved,
      ids.replaced,
      ids.hand,
    ],
  ]);
  assert.deepEqual((await idsOf('sort=bytes')).slice(0, 3), [ids.stopped, ids.partial, ids.unproved]);
  assert.equal((await idsOf('sort=zone&order=desc'))[0], ids.late);
  assert.equal((await idsOf('sort=state'))[0], ids.stopped);
  assert.deepEqual(await idsOf('q=0003'), [ids.unproved]);
  assert.match(await read('/deliveries'), /name="table" value="deliveries"/);
});

test('the French pages say the same', async () => {
  const { text } = await readSteps(ids.unproved, admin, 'fr');
  assert.match(text, /Que faire La preuve du .* a échoué : SVC-CLO-001/);
  assert.doesNotMatch(toPageText(await read('/deliveries', admin, 'fr')), /essai/i);
});
