import assert from 'node:assert/strict';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { toFingerprint } from '../../../../src/attest/public-key.ts';
import { toSubject, toZoneFile, writeReceipt } from '../../../../src/attest/receipt.ts';
import { hashBytes } from '../../../../src/base/digest.ts';
import { toSigner } from '../../../../src/signing/signer.ts';
import { toReceipt } from '../../../kit/content/receipt.ts';
import { createSigner } from '../../../kit/content/signer.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { type BrowserSession, openBrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const signer = createSigner();
const sign = (members: Parameters<typeof toReceipt>[0], by = signer): string =>
  writeReceipt(toReceipt(members), [toSubject(toZoneFile('zone-b'))], toSigner(by.privateKey)).toString();

let folder: TempFolder;
let server: TestServer;
let operator: BrowserSession;
let viewer: BrowserSession;

before(async () => {
  folder = await openTempFolder();
  const keyFile = join(folder.path, 'zone-b.pub');
  await writeFile(keyFile, signer.publicKeyPem);
  server = await startTestServer({
    folder: folder.path,
    peers: [{ name: 'zone-b', keyFile, for: ['receipt'] }],
  });
  operator = await signInAs(server, 'operator', 'olga');
  viewer = await signInAs(server, 'viewer', 'vera');
});
beforeEach(() => rm(join(folder.path, 'state', 'receipts'), { recursive: true, force: true }));
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function textOf(response: Response, status = 200): Promise<string> {
  const markup = await response.text();
  assert.equal(response.status, status, markup);
  parseStrictHtml(markup, '/receipts');
  return toPageText(markup);
}

const show = async (language = 'en'): Promise<string> =>
  textOf(await operator.get('/receipts', { 'accept-language': language }));

/** Sends the form of the page, then opens the page that it leads to. */
async function add(receipt: string, status = 303): Promise<string> {
  const answer = await operator.post('/receipts', { receipt }, { page: '/receipts' });
  if (status !== 303) return textOf(answer, status);
  const location = answer.headers.get('location') ?? '';
  assert.match(location, /^\/receipts(?:\?|$)/, await answer.text());
  return textOf(await operator.get(location));
}

test('without receipts the page names the command that makes one, in both languages', async () => {
  assert.match(await show(), /No receipt is known\. Add the file that “svc receipt write” made/);
  assert.match(await show('fr'), /Aucun reçu n’est connu/);
});

test('below known receipts the form is folded and named once, and an error opens it', async () => {
  const formOf = (markup: string): string | undefined => /<details class="fold".*?>/.exec(markup)?.[0];
  const empty = await (await operator.get('/receipts')).text();
  assert.doesNotMatch(/id="add">[\s\S]*?<form/.exec(empty)![0], /<details/);
  await add(sign({ sequence: 7 }));
  const listed = await (await operator.get('/receipts')).text();
  assert.equal(formOf(listed), '<details class="fold">');
  assert.equal(listed.split('>Add a receipt<').length - 1, 3, 'the fold, its button and the way there');
  const refused = await operator.post('/receipts', { receipt: '{}' }, { page: '/receipts' });
  assert.equal(formOf(await refused.text()), '<details class="fold" open>');
});

test('a pasted receipt is added and listed, and a known one is not new', async () => {
  const receipt = sign({
    sequence: 7,
    evidence: 'deep',
    recipes: (['present', 'present', 'incomplete', 'blocked'] as const).map((state, i) => ({
      digest: hashBytes(`${i}`),
      state,
    })),
  });
  assert.match(await add(receipt), /Receipt 7 of zone zone-b was added\./);
  assert.match(await add(receipt), /Receipt 7 of zone zone-b was known already\./);
  assert.match(
    await show(),
    /(?:Believed \d receipts? (?:is|are) known and believed|Warning \d of \d receipts? (?:has|have) a warning)/,
  );
  assert.match(
    await show(),
    /zone-b 7 [^)]+ \(1 Mar 2026\) each blob was read and hashed 1 blocked 1 incomplete 2 present/,
  );
  assert.match(await show('fr'), /1 bloquée 1 incomplète 2 présentes/);
});

test('a proof takes the known receipt of a zone, on its page and in the API', async () => {
  const path = '/deliver/proof';
  const page = async (query = '', language = 'en'): Promise<string> =>
    (await operator.get(`${path}${query}`, { 'accept-language': language })).text();
  assert.doesNotMatch(await page(), /name="against"/);
  await add(sign({ sequence: 7 }));
  assert.match(await page(), /<option value="empty" selected>nothing: an empty registry/);
  const linked = '?folders=%2Fmnt%2Fdisk&zone=zone-b';
  assert.match(await page(linked), /<option value="zone:zone-b" selected>the content of receipt 7 of zone/);
  assert.match(await page(linked, 'fr'), /selected>le contenu du reçu 7 de la zone/);
  const ask = async (against: string) => {
    const response = await server.fetch('/api/v1/media/prove', {
      method: 'POST',
      headers: { authorization: server.as.operator, 'content-type': 'application/json' },
      body: JSON.stringify({ against, trustRoots: [createSigner().publicKeyPem] }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  assert.deepEqual((await ask('zone:zone-b')).against, { kind: 'receipt', zone: 'zone-b', sequence: 7 });
  assert.equal((await ask('zone:zone-c')).code, 'SVC-RCP-001');
  const trustRoots = createSigner().publicKeyPem;
  const fields = { wait: 'false', folders: '', trustRoots, against: 'zone:zone-c' };
  const refused = await operator.post(path, fields, { page: path });
  assert.equal(refused.status, 422);
  assert.match(toPageText(await refused.text()), /no receipt of zone .*zone-c.* is known here/);
});

test('receipts with a warning come first, and an overdue one has one, unless the reader orders the list', async (t) => {
  await using own = await openTempFolder();
  const keys = { a: createSigner(), b: createSigner() };
  const peers = await Promise.all(
    (['a', 'b'] as const).map(async (letter) => {
      const keyFile = join(own.path, `${letter}.pub`);
      await writeFile(keyFile, keys[letter].publicKeyPem);
      return { name: `zone-${letter}`, keyFile, for: ['receipt' as const] };
    }),
  );
  const retriever = join(own.path, 'zone-b.yaml');
  const zones = [{ name: 'zone-b', retriever, maxAge: 1000 }];
  const other = await startTestServer({ folder: own.path, peers, zones });
  t.after(() => other[Symbol.asyncDispose]());
  const session = await signInAs(other, 'operator', 'olga');
  for (const letter of ['a', 'b'] as const) {
    const zone = `zone-${letter}`;
    const statement = toReceipt({ zone, sequence: 1 });
    const receipt = writeReceipt(statement, [toSubject(toZoneFile(zone))], toSigner(keys[letter].privateKey));
    const answer = await session.post('/receipts', { receipt: receipt.toString() }, { page: '/receipts' });
    assert.equal(answer.status, 303, await answer.text());
  }
  assert.match(
    await textOf(await session.get('/receipts')),
    /1 of 2 receipts has a warning .*zone-b 1 .*overdue .*zone-a 1 /,
  );
  assert.match(await textOf(await session.get('/receipts?sort=zone')), /zone-a 1 .*zone-b 1 .*overdue/);
  const listed = async (query: string): Promise<readonly string[]> =>
    [
      ...(await (await session.get(`/receipts${query}`)).text()).matchAll(/href="\/receipts\/(zone-[ab])"/g),
    ].map(([, zone]) => zone!);
  assert.deepEqual(await listed('?state=warning'), ['zone-b']);
  assert.deepEqual(await listed('?q=zone-A'), ['zone-a']);
  assert.deepEqual(await listed('?state=blocked'), []);
  const none = await textOf(await session.get('/receipts?state=blocked'));
  assert.match(none, /1 of 2 receipts has a warning .*Nothing matches State: with blocked recipes/);
});

test('the list names the first recipes that a receipt confirms, and leads to the others', async () => {
  const names = ['base', 'shop', 'tool', 'wiki', 'mail'];
  const recipes = names.map((name) => ({
    name,
    version: '1.0.0',
    digest: hashBytes(name),
    state: name === 'tool' ? ('blocked' as const) : ('present' as const),
    ...(name === 'tool' ? { code: 'SVC-SIG-001' } : {}),
  }));
  await add(sign({ sequence: 7, recipes }));
  const text = /1 blocked 4 present base 1\.0\.0 shop 1\.0\.0 wiki 1\.0\.0 and 1 more/;
  assert.match(await show(), text);
  const markup = await (await operator.get('/receipts')).text();
  assert.ok(markup.includes('<a href="/receipts/zone-b#recipes">and 1 more</a>'));
});

test('the page of a receipt has its digest, the key that verifies it, its arrival and its recipes', async () => {
  const receipt = sign({
    sequence: 7,
    recipes: [
      { name: 'shop', version: '1.0.0', digest: hashBytes('shop'), state: 'present' },
      { digest: hashBytes('tool'), state: 'blocked', code: 'SVC-SIG-001' },
      ...(['1.0.0', '2.0.0'] as const).map((version) => ({
        ...{ name: 'base', version, digest: hashBytes(`base ${version}`), state: 'present' as const },
        ...(version === '1.0.0' ? { displacedBy: hashBytes('base 2.0.0') } : {}),
      })),
    ],
  });
  await add(receipt);
  assert.match(await (await operator.get('/receipts')).text(), /<a href="\/receipts\/zone-b">/);
  const page = async (session = operator) => textOf(await session.get('/receipts/zone-b'));
  const text = await page();
  assert.match(text, /Receipt 7 of zone-b .*Believed The configured key of zone-b verifies it/);
  assert.match(text, /Arrived \d+ \w+ \d{4}, [\d:]+ UTC/);
  assert.match(text, /Digest of the statement sha256:[0-9a-f]{64}/);
  assert.ok(text.includes(`SHA-256 of the file ${hashBytes(Buffer.from(receipt))}`));
  assert.ok(text.includes(`Fingerprint of the key ${toFingerprint(toSigner(signer.privateKey).publicKey)}`));
  assert.match(text, /verified .*shop 1\.0\.0 .*present .*blocked SVC-SIG-001/);
  assert.match(
    text,
    /1 blocked 3 present shop 1\.0\.0 base 2\.0\.0 /,
    'the confirmed recipes by their names',
  );
  assert.match(text, /base 1\.0\.0 .*one of its tags has the content of base 2\.0\.0 present/);
  assert.equal((await operator.get('/receipts/zone-x')).status, 404);
  assert.equal((await viewer.get('/receipts/zone-b')).status, 403);
});

test('a file is added in the place of a text', async () => {
  const body = new FormData();
  body.set('csrf', await operator.tokenOf('/receipts'));
  body.set('receipt', '');
  body.set('receipt-file', new Blob([sign({ sequence: 8, recipes: 2 })]), 'zone-b.sigstore.json');
  const cookie = [...operator.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' };
  const answer = await fetch(`${server.url}/receipts`, { method: 'POST', body, headers, redirect: 'manual' });
  assert.equal(answer.status, 303, await answer.text());
  assert.match(await show(), /zone-b 8 [^A-Z]*1 Mar 2026.* 2 present/);
});

test('a refused receipt is an error on the page, and the known one stays', async () => {
  await add(sign({ sequence: 8, recipes: 3 }));
  for (const [receipt, status, code] of [
    ['{}', 422, 'SVC-RCP-001'],
    [sign({ sequence: 9 }, createSigner()), 422, 'SVC-RCP-001'],
    [sign({ sequence: 7 }), 409, 'SVC-RCP-002'],
    [sign({ sequence: 8, recipes: 4 }), 409, 'SVC-RCP-003'],
    ['', 422, 'SVC-VAL-001'],
  ] as const) {
    const text = await add(receipt, status);
    assert.match(text, new RegExp(code), code);
    // from the second receipt of one number on, none of the two counts
    const counted =
      code === 'SVC-RCP-003' || code === 'SVC-VAL-001' ? '3 recipes that do not count' : '3 present';
    assert.match(text, new RegExp(`zone-b .*8 [^)]+ \\(1 Mar 2026\\) .* ${counted}`), code);
  }
  assert.doesNotMatch(await show(), /\d present/);
  assert.match(await show('fr'), /3 recettes qui ne comptent pas/);
  assert.match(await textOf(await operator.get('/search?q=warning')), /Receipts: with a warning 1 zone-b/);
});

test('a receipt whose key is no longer configured is marked, and so is one of the future', async () => {
  await add(sign({ issuedAt: '2126-03-01T12:00:00.000Z' }));
  assert.match(await show(), /dated in the future: a clock is wrong/);
  await using other = await openTempFolder();
  await using stranger = await startTestServer({ folder: other.path });
  const state = join(other.path, 'state', 'receipts');
  await cp(join(folder.path, 'state', 'receipts'), state, { recursive: true });
  const session = openBrowserSession(stranger);
  await session.signIn('admin', 'admin password');
  assert.match(await textOf(await session.get('/receipts')), /no configured key verifies it/);
});

test('a viewer may neither see nor add receipts, and has no entry for them', async () => {
  assert.equal((await viewer.get('/receipts')).status, 403);
  assert.equal((await viewer.post('/receipts', { receipt: sign({}) }, { page: '/account' })).status, 403);
  assert.doesNotMatch(await (await viewer.get('/')).text(), /href="\/(?:deliver|receipts)"/);
  assert.match(await (await operator.get('/')).text(), /href="\/deliver"/);
  assert.match(await (await operator.get('/deliver')).text(), /href="\/receipts"/);
});

test('a zone leads to its receipt those who may open it, and nobody else', async () => {
  for (const historyRole of ['viewer', 'admin'] as const) {
    await using own = await openTempFolder();
    const keyFile = join(own.path, 'zone-b.pub');
    await writeFile(keyFile, signer.publicKeyPem);
    await using other = await startTestServer({
      folder: own.path,
      peers: [{ name: 'zone-b', keyFile, for: ['receipt'] }],
      zones: [{ name: 'zone-b', retriever: join(own.path, 'zone-b.yaml'), maxAge: 1000 }],
      historyRole,
    });
    const sender = await signInAs(other, 'operator', 'olga');
    await sender.post('/receipts', { receipt: sign({ sequence: 7 }) }, { page: '/receipts' });
    for (const role of ['viewer', 'operator', 'admin'] as const) {
      const reader = await signInAs(other, role, `${role}-of-it`);
      const isOpen = (await reader.get('/receipts/zone-b')).status === 200;
      for (const page of ['/zones', '/zones/zone-b']) {
        const markup = await (await reader.get(page)).text();
        assert.match(toPageText(markup), /\b7\b/, page);
        assert.equal(markup.includes('href="/receipts/zone-b"'), isOpen, `${page} as ${role}`);
      }
    }
  }
});

test('an instance without a state folder has no entry for receipts, and its page names the setting', async () => {
  await using other = await openTempFolder();
  await using stateless = await startTestServer({ folder: other.path, isStateless: true });
  const session = openBrowserSession(stateless);
  await session.signIn('admin', 'admin password');
  assert.doesNotMatch(await (await session.get('/')).text(), /href="\/(?:deliver|receipts)"/);
  const text = await textOf(await session.get('/receipts'), 409);
  assert.match(text, /SVC-CFG-001/);
  assert.match(text, /state\.root/);
});

test('the page of a contradicted receipt begins with its cause, what follows from it, and what to do', async () => {
  await add(sign({ sequence: 7, recipes: [{ digest: hashBytes('shop'), state: 'present' }] }));
  await add(sign({ sequence: 7 }), 409);
  const text = await textOf(await operator.get('/receipts/zone-b'));
  assert.match(
    text,
    /Contradicted Another receipt of zone-b has the number 7 too .*two different receipts have number 7 .*Probable cause Two machines sign as this zone.* Consequence No delivery rests on this receipt.* What to do Ask the zone.*above 8.* Zone zone-b Sequence 7/,
  );
});
