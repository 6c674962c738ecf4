import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { openCustody } from '../../../src/custody/custody.ts';
import { openArrivals } from '../../../src/zone/arrivals.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { showcaseArrival } from '../../kit/showcase/delivery.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';
import { toPageText } from '../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

const written = 'dlv_333333333333';
const unfinished = 'dlv_111111111111';
const proofless = 'dlv_222222222222';
const recipe = hashBytes('shop');
const sentAt = '2026-11-11T01:07:14.373Z';
const toSent = (id: string, parts: number, done: number) => ({
  ...{
    id,
    zone: id === proofless ? 'zone-c' : 'zone-b',
    sequence: 1,
    startedAt: sentAt,
    recipes: [recipe],
    parts,
  },
  written: Array.from({ length: done }, (_, i) => ({ part: i + 1, manifest: hashBytes(`${id} ${i}`) })),
});

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
let olga: BrowserSession;
before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path, custodySite: 'zone-a' });
  const state = join(folder.path, 'state');
  const custody = openCustody({ stateRoot: state, site: 'zone-a' });
  const subjects = [{ name: 'shop@1.4.0', digest: recipe }];
  const write = (delivery: string, zone: string, proved: boolean) =>
    custody.during(
      { type: 'written', actor: 'ana', subjects, details: { delivery, zone, parts: 1 } },
      async () => 0,
      () => ({
        subjects: [{ name: 'media.jsonl', digest: hashBytes(delivery) }],
        details: { delivery, proved },
      }),
    );
  await write(written, 'zone-b', true);
  await write(proofless, 'zone-c', false);
  await custody.record({
    type: 'proved',
    actor: 'olga',
    result: 'failure',
    details: { delivery: proofless, findings: ['SVC-CLO-001'] },
  });
  await custody.record({
    type: 'handed-over',
    actor: 'ben',
    details: { delivery: written, text: 'seal 47' },
  });
  await custody.record({
    type: 'receipt-accepted',
    actor: 'olga',
    subjects: [{ name: 'receipt 4 of zone-b', digest: hashBytes('receipt') }],
    details: { delivery: written, zone: 'zone-b', sequence: 4 },
  });
  const sent = openSent(state);
  await sent.keepDelivery(toSent(written, 1, 1));
  await sent.keepDelivery(toSent(proofless, 1, 1));
  await sent.keepDelivery(toSent(unfinished, 3, 1));
  await openArrivals(state).update(showcaseArrival, () => showcaseArrival);
  for (const [name, role] of [['olga', 'operator'] as const, ['vera', 'viewer'] as const])
    await server.accounts.create({ name, role, password: 'a good password' });
  admin = openBrowserSession(server);
  await admin.signIn('admin', 'admin password');
  olga = openBrowserSession(server);
  await olga.signIn('olga', 'a good password');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function read(path: string, as = admin, status = 200): Promise<string> {
  const response = await as.get(path, { 'accept-language': 'en' });
  const text = await response.text();
  assert.equal(response.status, status, text);
  parseStrictHtml(text, path);
  return text;
}

test('the list of deliveries has those that were written, and those that arrived, with the steps of each', async () => {
  const page = await read('/deliveries');
  const rows = new Map(
    [...page.matchAll(/<tr[^>]*>(?:(?!<\/tr>)[\s\S])*?\/deliveries\/(dlv_[0-9a-f]{12})"[\s\S]*?<\/tr>/g)].map(
      ([row, id]) => [id!, toPageText(row)],
    ),
  );
  assert.deepEqual([...rows.keys()].sort(), [written, unfinished, proofless, showcaseArrival.id].sort());
  assert.match(rows.get(written)!, /confirmed zone-b .* by ana 1 proved .* by ben .*receipt 4/);
  assert.match(rows.get(unfinished)!, /not written whole zone-b .*1 of 3 written/);
  assert.match(rows.get(proofless)!, /not proved SVC-CLO-001 zone-c .* by ana 1 not proved/);
  assert.match(rows.get(showcaseArrival.id)!, /waits for disks/);
  assert.match(toPageText(page), /To look at 4 deliveries: not written whole \(1\), not proved \(1\)/);
});

test('a filter by zone selects the deliveries for it, and says when there is none', async () => {
  const one = await read('/deliveries?zone=zone-c');
  assert.match(one, new RegExp(proofless));
  assert.doesNotMatch(one, new RegExp(written));
  assert.match(toPageText(await read('/deliveries?zone=nowhere')), /nowhere/);
});

test('the page of a delivery has its steps, its recipes and its records, with the way to its evidence', async () => {
  const page = await read(`/deliveries/${written}`);
  const text = toPageText(page);
  assert.match(text, /Receipt 4 of zone-b confirms the delivery/);
  assert.match(text, /Handed over [^·]*· ben seal 47/);
  assert.match(text, /shop 1\.4\.0/);
  assert.match(page, new RegExp(`href="/evidence\\?delivery=${written}"`));
  const records = [...page.matchAll(/href="(\/history\/c[0-9]+-[0-9]+)"/g)];
  assert.equal(new Set(records.map(([, path]) => path)).size, 3);
  const failed = toPageText(await read(`/deliveries/${proofless}`));
  assert.match(failed, /no proof of its disks succeeded/);
  assert.match(failed, /Last proof .*· olga not proved SVC-CLO-001/);
  assert.match(toPageText(await read(`/deliveries/${unfinished}`)), /not written whole: 1 of 3 parts/);
  assert.match(toPageText(await read(`/deliveries/${showcaseArrival.id}`)), /waits for parts? /);
});

test('an operator without the history has the page without its records, and a viewer has none', async () => {
  const page = await read(`/deliveries/${written}`, olga);
  assert.match(toPageText(page), /by receipt 4|receipt 4/);
  assert.doesNotMatch(page, /href="\/(?:history|evidence)/);
  const vera = openBrowserSession(server);
  await vera.signIn('vera', 'a good password');
  await read('/deliveries', vera, 403);
  assert.doesNotMatch(await read('/zones', vera), /\/deliveries/);
});

test('a delivery is found by its identifier, and an unknown one has no page', async () => {
  for (const id of [written, showcaseArrival.id]) {
    const found = await admin.get(`/search?q=${id}`);
    assert.deepEqual([found.status, found.headers.get('location')], [303, `/deliveries/${id}`]);
  }
  assert.match(
    toPageText(await read('/deliveries/dlv_ffffffffffff', admin, 404)),
    /dlv_ffffffffffff was not found.*No disk of this delivery was written, imported or verified here.*SVC-REG-005/s,
  );
});
