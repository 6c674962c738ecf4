import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import { openCustody } from '../../../src/custody/custody.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { openArrivals } from '../../../src/zone/arrivals.ts';
import { openOwnReceipts } from '../../../src/zone/own-receipts.ts';
import { openReceipts } from '../../../src/zone/receipts.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { showcaseArrival } from '../../kit/showcase/delivery.ts';
import { type BrowserSession, openBrowserSession, signInAs } from '../../kit/web/browser-session.ts';
import { toPageText } from '../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

const day = 24 * 60 * 60 * 1000;
const now = Date.now();
const ago = (days: number): string => new Date(now - days * day).toISOString();
const shop = hashBytes('shop');
const base = hashBytes('base');

/** Deliveries that a source wrote, by their outcomes. */
const ids = {
  named: 'dlv_000000000001',
  inside: 'dlv_000000000002',
  foreign: 'dlv_000000000003',
  untouched: 'dlv_000000000004',
  late: 'dlv_000000000005',
  again: 'dlv_000000000006',
} as const;
/** Deliveries of which a zone has only verified a disk. */
const seen = {
  foreign: 'dlv_000000000011',
  damaged: 'dlv_000000000012',
  whole: 'dlv_000000000013',
} as const;
/** A delivery that a zone has whole, named by its last receipt. */
const whole = 'dlv_000000000021';
const written = [
  { id: ids.inside, zone: 'zone-b', sequence: 1, startedAt: ago(9), recipes: [shop] },
  { id: ids.named, zone: 'zone-b', sequence: 2, startedAt: ago(8), recipes: [shop] },
  { id: ids.again, zone: 'zone-b', sequence: 3, startedAt: ago(2), recipes: [shop, base] },
  { id: ids.foreign, zone: 'zone-c', sequence: 1, startedAt: ago(5), recipes: [base] },
  { id: ids.untouched, zone: 'zone-h', sequence: 1, startedAt: ago(5), recipes: [shop] },
  { id: ids.late, zone: 'zone-k', sequence: 1, startedAt: ago(7), recipes: [shop] },
] as const;
const manifestOf = (id: string) => hashBytes(`disk of ${id}`);
const freshness = { mediaId: 'dlv-1', resolvedAt: ago(8), vouched: true };
const receipts: readonly (Partial<Receipt> & { readonly zone: string })[] = [
  {
    zone: 'zone-b',
    sequence: 8,
    lastDelivery: { id: ids.named, part: 1, manifest: manifestOf(ids.named) },
  },
  { zone: 'zone-c', sequence: 4, lastDelivery: { id: ids.foreign, part: 1, manifest: hashBytes('forged') } },
  // the registry has the recipe, and no medium was imported
  { zone: 'zone-h', sequence: 9 },
];

let folder: TempFolder;
let source: TestServer;
let zone: TestServer;
let atSource: BrowserSession;
let inZone: BrowserSession;

async function signIn(server: TestServer): Promise<BrowserSession> {
  const browser = openBrowserSession(server);
  await browser.signIn('admin', 'admin password');
  return browser;
}

before(async () => {
  folder = await openTempFolder();
  const own = join(folder.path, 'source');
  const state = join(own, 'state');
  const retriever = join(folder.path, 'zone.yaml');
  await writeFile(retriever, 'apiVersion: svc/v1\nkind: Retriever\nrecipes: []\n');
  const peers = [];
  for (const told of receipts) {
    const { privateKey, publicKeyPem } = createSigner();
    const signer = toSigner(privateKey);
    const { zone: name } = told;
    const keyFile = join(folder.path, `${name}.pub`);
    await writeFile(keyFile, publicKeyPem);
    peers.push({ name, keyFile, for: ['receipt' as const] });
    const receipt = toReceipt({
      ...told,
      ...(told.lastDelivery ? { freshness } : {}),
      issuedAt: ago(4),
      recipes: [{ digest: shop, state: 'present' }],
    });
    await openReceipts(state).add(writeReceipt(receipt, [toSubject(toZoneFile(name))], signer), {
      keys: [{ name, key: signer.publicKey, for: ['receipt'] }],
    });
  }
  const zones = ['zone-b', 'zone-c', 'zone-h', 'zone-k'].map((name) => ({
    ...{ name, retriever, maxAge: 6 * day },
  }));
  source = await startTestServer({ folder: own, custodySite: 'zone-a', peers, zones });
  const custody = openCustody({ stateRoot: state, site: 'zone-a' });
  const sent = openSent(state);
  for (const one of written) {
    const { id } = one;
    await sent.keepDelivery({
      ...one,
      recipes: [...one.recipes],
      parts: 1,
      written: [{ part: 1, manifest: manifestOf(id) }],
    });
    await custody.during(
      { type: 'written', actor: 'ana', details: { delivery: id, zone: one.zone, parts: 1 } },
      async () => 0,
      () => ({
        subjects: [{ name: 'media.jsonl', digest: manifestOf(id) }],
        details: { delivery: id, proved: true },
      }),
    );
  }
  await custody.record({
    ...{ type: 'proved', actor: 'olga', result: 'failure' },
    details: { delivery: ids.named, findings: ['SVC-MED-005'] },
  });
  await custody.record({
    ...{ type: 'receipt-accepted', actor: 'olga' },
    subjects: [{ name: 'receipt 4 of zone-c', digest: hashBytes('receipt') }],
    details: { delivery: ids.foreign, zone: 'zone-c', sequence: 4, contradictions: ['SVC-RCP-006'] },
  });
  const there = join(folder.path, 'zone');
  zone = await startTestServer({ folder: there, zone: 'zone-b', custodySite: 'zone-b' });
  const arrivals = openArrivals(join(there, 'state'));
  const came = { ...showcaseArrival, parts: 1, needed: [], landed: [] };
  const [first] = showcaseArrival.recipes;
  const refused = { ...first!, name: 'sandbox', state: 'failed' as const, blocked: true, parts: [1] };
  for (const one of [
    { ...came, id: ids.named, needed: [1], refused: [1], recipes: [refused] },
    {
      ...{
        ...came,
        id: whole,
        complete: true,
        completedAt: ago(2),
        recipes: [{ ...first!, state: 'landed' as const }],
      },
      landed: [{ ...showcaseArrival.landed[0]!, part: 1, importedAt: ago(2) }],
    },
    { ...came, id: ids.inside, complete: true, completedAt: ago(1), recipes: [] },
  ])
    await arrivals.update(one, () => one);
  const inLedger = openCustody({ stateRoot: join(there, 'state'), site: 'zone-b' });
  for (const [delivery, details] of [
    [seen.foreign, { zone: 'delta', blocks: ['SVC-MED-006'] }],
    [seen.damaged, { zone: 'zone-b', refused: ['SVC-MED-012 shop@1.4.0'] }],
    [seen.whole, { zone: 'zone-b', blocks: [] }],
  ] as const)
    await inLedger.record({
      ...{ type: 'verified', actor: 'system', subjects: [{ name: 'shop@1.4.0', digest: shop }] },
      result: delivery === seen.foreign ? 'failure' : 'success',
      details: { delivery, ...details },
    });
  const { privateKey } = createSigner();
  await openOwnReceipts(join(there, 'state')).issue('zone-b', (place) =>
    writeReceipt(
      toReceipt({
        ...{ zone: 'zone-b', ...place, issuedAt: ago(1), freshness },
        lastDelivery: { id: whole, part: 1, manifest: manifestOf(whole) },
      }),
      [toSubject(toZoneFile('zone-b'))],
      toSigner(privateKey),
    ),
  );
  await inLedger.record({
    ...{ type: 'imported', actor: 'olga', result: 'failure' },
    details: { delivery: ids.inside, zone: 'zone-b', refused: ['SVC-MED-005'] },
  });
  [atSource, inZone] = [await signIn(source), await signIn(zone)];
});
after(async () => {
  for (const item of [source, zone, folder]) await item[Symbol.asyncDispose]();
});

async function read(path: string, as = atSource, language = 'en'): Promise<string> {
  const response = await as.get(path, { 'accept-language': language });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  parseStrictHtml(text, path);
  return text;
}

/** The text of the row of each delivery. */
async function rowsOf(path: string, as?: BrowserSession): Promise<Readonly<Record<string, string>>> {
  const row = /<tr[^>]*>(?:(?!<\/tr>)[\s\S])*?\/deliveries\/(dlv_[0-9a-f]{12})"[\s\S]*?<\/tr>/g;
  return Object.fromEntries(
    [...(await read(path, as)).matchAll(row)].map(([text, id]) => [id!, toPageText(text)]),
  );
}

test('a delivery is confirmed only by a receipt that names its medium, and on its way where its zone says so', async () => {
  const rows = await rowsOf('/deliveries');
  assert.match(rows[ids.named]!, /confirmed zone-b .*receipt 8/);
  assert.match(rows[ids.inside]!, /its recipes are in the zone zone-b/);
  assert.doesNotMatch(rows[ids.inside]!, /receipt 8/);
  for (const id of [ids.foreign, ids.untouched, ids.again]) assert.match(rows[id]!, /on the way/);
  assert.match(rows[ids.late]!, /overdue/);
  const zones = await read('/zones');
  const under = [...new Set(zones.match(/dlv_[0-9a-f]{12}/g))].sort();
  assert.deepEqual(under, [ids.foreign, ids.untouched, ids.late, ids.again].sort());
  const options = [...(await read('/evidence')).matchAll(/<option[^>]*>([^<]*)/g)].map(([, text]) => text!);
  const confirmed = options.filter((text) => /confirmed/.test(text));
  assert.deepEqual(
    confirmed.map((text) => text.split(',')[0]),
    [ids.named],
  );
});

test('the page of a delivery says the same as the list, with the states of its recipes by the last receipt', async () => {
  const show = async (id: string) => toPageText(await read(`/deliveries/${id}`));
  assert.match(await show(ids.inside), /are in the zone by receipt 8, which does not name the delivery/);
  assert.match(await show(ids.late), /no receipt confirmed it by/);
  const again = await show(ids.again);
  assert.match(again, /on the way.*In the zone, by receipt 8.*present/i);
  assert.match(await show(ids.named), /proved when written; last proof not proved/);
  assert.match((await rowsOf('/deliveries'))[ids.named]!, /last proof not proved/);
});

test('the list selects the deliveries in a state, and a search for those on the way leads there', async () => {
  const ofState = async (state: string) => Object.keys(await rowsOf(`/deliveries?state=${state}`)).sort();
  assert.deepEqual(await ofState('overdue'), [ids.late]);
  assert.deepEqual(await ofState('way'), [ids.foreign, ids.untouched, ids.late, ids.again].sort());
  for (const q of ['in transit', 'on the way', 'en route'])
    assert.match(await read(`/search?q=${encodeURIComponent(q)}`), /href="\/deliveries\?state=way"/);
});

test('in a zone, refused recipes and recipes that other disks brought are told from disks that are missing', async () => {
  const rows = await rowsOf('/deliveries', inZone);
  assert.match(rows[ids.named]!, /in part: sandbox refused/);
  assert.match(rows[ids.inside]!, /its recipes are in the zone .*by olga its recipes came with other media/);
  const list = toPageText(await read('/deliveries', inZone));
  assert.match(list, /\bImport\b/);
  assert.match(toPageText(await read('/deliveries', inZone, 'fr')), /en partie : refus de sandbox/);
  const refused = toPageText(await read(`/deliveries/${ids.named}`, inZone));
  assert.match(refused, /the zone refused sandbox/);
  assert.doesNotMatch(refused, /waits for part/);
  const inside = toPageText(await read(`/deliveries/${ids.inside}`, inZone));
  assert.match(inside, /in the zone, brought by other disks/);
});

test('a disk that was only verified is told with its faults, and with the way on', async () => {
  const rows = await rowsOf('/deliveries', inZone);
  assert.match(rows[seen.foreign]!, /blocked by its verification SVC-MED-006 delta read the verdict/);
  assert.match(rows[seen.damaged]!, /blocked by its verification SVC-MED-012 zone-b read the verdict/);
  assert.match(rows[seen.whole]!, /verified, not imported zone-b import it/);
  const list = toPageText(await read('/deliveries', inZone));
  assert.match(list, /To look at .*blocked by its verification \(2\)/);
  const foreign = toPageText(await read(`/deliveries/${seen.foreign}`, inZone));
  assert.match(foreign, /found: SVC-MED-006 ?\..*addressed to delta: carry it there/);
  const damaged = toPageText(await read(`/deliveries/${seen.damaged}`, inZone));
  assert.match(damaged, /found: SVC-MED-012 ?\..*arrived damaged or not whole\. Carrying it again helps/);
  const whole = toPageText(await read(`/deliveries/${seen.whole}`, inZone));
  assert.match(whole, /passed\. Import the disk on the page of the medium/);
});

test('a zone that has a delivery whole is told which receipt to carry home, as a file, and what is done with it there', async () => {
  const says =
    /Carry receipt 1 home, the file \S+zone-b\.sigstore\.json: the source adds it on its page Receipts, or with svc receipt add FILE/;
  assert.match((await rowsOf('/deliveries', inZone))[whole]!, /in the zone zone-b carry its receipt home/);
  const page = await read(`/deliveries/${whole}`, inZone);
  assert.match(toPageText(page), says);
  assert.match(page, /href="\/receipts\/zone-b"[^>]*>Open the receipt/);
  assert.match(toPageText(await read('/', inZone)), says);
  const french = toPageText(await read('/', inZone, 'fr'));
  assert.match(french, /Rapportez le reçu 1 à la source, le fichier \S+zone-b\.sigstore\.json/);
  const vera = await signInAs(zone, 'viewer', 'vera');
  assert.doesNotMatch(toPageText(await read('/', vera)), /sigstore/);
});
