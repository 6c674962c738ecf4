import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import type { SentDelivery } from '../../../src/contract/write-medium.ts';
import { openCustody } from '../../../src/custody/custody.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { svcError } from '../../../src/text/error.ts';
import { openReceipts } from '../../../src/zone/receipts.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { runInLanguage } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { type BrowserSession, signInAs } from '../../kit/web/browser-session.ts';
import { toPageText } from '../../kit/web/page-text.ts';

const [shop, tools, lost] = ['shop', 'tools', 'lost'].map((name) => hashBytes(name)) as [
  ReturnType<typeof hashBytes>,
  ReturnType<typeof hashBytes>,
  ReturnType<typeof hashBytes>,
];
const ids = { way: 'dlv_00000000000a', lost: 'dlv_00000000000b', refused: 'dlv_00000000000c' } as const;
const written = (id: string) => [{ part: 1, manifest: hashBytes(`disk of ${id}`) }];
const sent: readonly SentDelivery[] = [
  {
    ...{ id: ids.way, zone: 'reef', sequence: 1, startedAt: '2026-03-03T10:00:00.000Z', parts: 1 },
    ...{ recipes: [shop], bytes: 2000, written: written(ids.way) },
  },
  {
    ...{ id: ids.lost, zone: 'cape', sequence: 1, startedAt: '2026-03-02T10:00:00.000Z', parts: 1 },
    ...{ recipes: [tools], lost: [lost], written: [] },
  },
  {
    ...{ id: ids.refused, zone: 'lagoon', sequence: 1, startedAt: '2026-03-01T10:00:00.000Z', parts: 1 },
    ...{ recipes: [shop, tools], bytes: 3000, written: written(ids.refused) },
  },
];

let folder: TempFolder;
let server: TestServer;
let olga: BrowserSession;
let config: string;

before(async () => {
  folder = await openTempFolder();
  const path = (name: string): string => join(folder.path, name);
  const state = path('state');
  const { privateKey, publicKeyPem } = createSigner();
  await writeFile(path('lagoon.pub'), publicKeyPem);
  await writeFile(path('zone.yaml'), 'apiVersion: svc/v1\nkind: Retriever\nrecipes: []\n');
  const peers = [{ name: 'lagoon', keyFile: path('lagoon.pub'), for: ['receipt' as const] }];
  const zones = ['reef', 'cape', 'lagoon'].map((name) => ({ name, retriever: path('zone.yaml') }));
  const hundred = 100 * 365 * 24 * 60 * 60 * 1000;
  server = await startTestServer({
    ...{ folder: folder.path, custodySite: 'harbour', peers },
    zones: zones.map((zone) => ({ ...zone, maxAge: hundred })),
  });
  for (const one of sent) await openSent(state).keepDelivery(one);
  const custody = openCustody({ stateRoot: state, site: 'harbour' });
  for (const { id, zone } of sent) {
    const writing = await custody.begin({
      ...{
        type: 'written',
        actor: 'olga',
        details: { delivery: id, zone, parts: 1, folders: [`/mnt/${zone}`] },
      },
      subjects: [
        { name: 'shop@1.4.0', digest: shop },
        { name: 'tools@1.0.0', digest: tools },
      ].filter(({ digest }) => sent.find((one) => one.id === id)!.recipes.includes(digest)),
    });
    if (id !== ids.lost) await writing.end({ details: { delivery: id, zone, parts: 1, proved: true } });
    else
      await writing.fail(svcError('SVC-MED-050', { delivery: id, path: 'blobs/x', recipes: 'tools@1.0.0' }));
  }
  const stated = toReceipt({
    ...{ zone: 'lagoon', sequence: 1, issuedAt: '2026-03-02T12:00:00.000Z' },
    freshness: { mediaId: 'dlv-1', resolvedAt: '2026-03-01T10:00:00.000Z', vouched: true },
    lastDelivery: { id: ids.refused, part: 1, manifest: hashBytes(`disk of ${ids.refused}`) },
    recipes: [
      { digest: shop, state: 'present', name: 'shop', version: '1.4.0' },
      { digest: tools, state: 'blocked', code: 'SVC-SIG-001', name: 'tools', version: '1.0.0' },
    ],
  });
  const signer = toSigner(privateKey);
  await openReceipts(state).add(writeReceipt(stated, [toSubject(toZoneFile('lagoon'))], signer), {
    keys: [{ name: 'lagoon', key: signer.publicKey, for: ['receipt'] }],
  });
  config = path('svc.yaml');
  const custodyKeys = { enabled: true, site: 'harbour' };
  await writeFile(
    config,
    JSON.stringify({
      ...{ state: { root: state }, peers, custody: custodyKeys },
      zones: zones.map((zone) => ({ ...zone, maxAge: '36500d' })),
    }),
  );
  olga = await signInAs(server, 'operator', 'olga');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function ask(path: string): Promise<any> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    headers: { authorization: server.as.operator },
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text);
}

async function read(path: string, language = 'en'): Promise<string> {
  const response = await olga.get(path, { 'accept-language': language });
  const markup = await response.text();
  assert.equal(response.status, 200, markup);
  return toPageText(markup);
}

test('the API lists each delivery with its state, its codes, its next step and its recipes', async () => {
  const { deliveries, total } = await ask('/deliveries');
  assert.equal(total, 3);
  assert.deepEqual(
    deliveries.map(({ id, zone, state, codes, step, recipes }: any) => [
      ...[id, zone, state, codes, step],
      recipes.map(({ name, version, state: of, code }: any) => [name, version, of, code]),
    ]),
    [
      [ids.way, 'reef', 'way', undefined, 'hand', [['shop', '1.4.0', undefined, undefined]]],
      [
        ids.lost,
        'cape',
        'unfinished',
        ['SVC-MED-050'],
        'restore',
        [['tools', '1.0.0', undefined, undefined]],
      ],
      [
        ...[ids.refused, 'lagoon', 'partial', ['SVC-SIG-001'], 'cause'],
        [
          ['shop', '1.4.0', 'present', undefined],
          ['tools', '1.0.0', 'blocked', 'SVC-SIG-001'],
        ],
      ],
    ],
  );
  const [, one] = deliveries;
  assert.deepEqual(await ask(`/deliveries/${ids.lost}`), one);
  assert.match(one.reason, /^The delivery for cape is not written whole: 0 of 1 part$/);
  const idsOf = async (query: string) =>
    (await ask(`/deliveries?${query}`)).deliveries.map(({ id }: any) => id);
  assert.deepEqual(await idsOf('q=tools'), [ids.lost, ids.refused]);
  assert.deepEqual(await idsOf('q=shop+reef'), [ids.way]);
  assert.deepEqual(await idsOf('zone=cap'), [ids.lost]);
  assert.deepEqual(await idsOf('state=partial'), [ids.refused]);
  assert.deepEqual(await idsOf('sort=bytes&pageSize=1'), [ids.refused]);
});

test('the command prints the same documents, and the same words as the page', async () => {
  const run = (...args: string[]) => runInLanguage(['deliveries', ...args, '--config', config], 'en', {});
  const { stdout, exitCode, stderr } = await run('--output', 'json');
  assert.equal(exitCode, 0, stderr);
  assertCliDocument('svc deliveries', stdout);
  assert.deepEqual(JSON.parse(stdout).deliveries, (await ask('/deliveries')).deliveries);
  const listed = (await run('--zone', 'cape')).stdout;
  assert.match(
    listed,
    /dlv_00000000000b +not written whole \(SVC-MED-050\) +cape +synchronize, then write it again/,
  );
  const whole = (await run(ids.refused)).stdout;
  assert.match(whole, /By receipt 1 of lagoon, the zone has 1 of 2 recipes of the delivery\./);
  assert.match(whole, /tools 1\.0\.0 +blocked \(SVC-SIG-001\)/);
  assert.equal((await run('dlv_ffffffffffff')).exitCode, 1);
});

test('the list, the page and the zone of a delivery whose content was lost name one way on', async () => {
  assert.match(
    await read('/deliveries'),
    /not written whole SVC-MED-050 cape synchronize, then write it again/,
  );
  const page = await read(`/deliveries/${ids.lost}`);
  assert.match(page, /Synchronize to bring that content back, then write the same plan again\./);
  assert.match(page, /and writes the others over the unfinished disks\./);
  assert.match(
    await read('/zones/cape'),
    /The store lost content during the writing: synchronize, then write/,
  );
  assert.match(await read('/deliveries', 'fr'), /synchroniser, puis la réécrire/);
});

test('recipes that the zone refuses for their signature are not offered for another delivery', async () => {
  const page = await read(`/deliveries/${ids.refused}`);
  assert.match(page, /Another disk does not help: the zone would refuse these recipes again\./);
  assert.match(page, /Open the zone/);
  assert.doesNotMatch(page, /Deliver the missing recipes/);
});

test('a search finds deliveries by zone and by recipe, also beside the word for their kind', async () => {
  for (const q of ['reef', 'deliveries reef', 'livraisons reef'])
    assert.match(
      await read(`/search?q=${encodeURIComponent(q)}`),
      /Deliveries 1 dlv_00000000000a reef on the way/,
    );
  assert.match(await read('/search?q=tools'), /Deliveries 2 dlv_00000000000b cape .*dlv_00000000000c lagoon/);
  assert.match(await read('/search?q=tools+unfinished'), /dlv_00000000000b/);
});
