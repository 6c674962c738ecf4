import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../../../../src/base/digest.ts';
import { openCustody } from '../../../../../src/custody/custody.ts';
import { startTestServer, type TestServer } from '../../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../../kit/instance/temp-folder.ts';
import { type BrowserSession, signInAs } from '../../../../kit/web/browser-session.ts';
import { toPageText } from '../../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../../kit/web/strict-html.ts';

const delivery = 'dlv_0123456789ab';
const subject = (name: string) => ({ name, digest: hashBytes(name) });

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
let ledger: string;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path, custodySite: 'zone-a' });
  admin = await signInAs(server, 'admin', 'alice');
  const custody = openCustody({ stateRoot: join(folder.path, 'state'), site: 'zone-a' });
  const subjects = ['shop@1.0.0', 'base@1.0.0', 'tool@1.0.0', 'agent@1.0.0', 'extra@1.0.0'].map(subject);
  await custody.record({ type: 'fetched', actor: 'ana', subjects, details: { bytes: 2_147_483_648 } });
  await custody.during(
    { type: 'written', actor: 'bo', details: { delivery, zone: 'zone-b' } },
    async () => 0,
  );
  ledger = join(folder.path, 'state', 'custody', `${new Date().getUTCFullYear()}.jsonl`);
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function markupOf(path: string): Promise<string> {
  const markup = await (await admin.get(path)).text();
  parseStrictHtml(markup, path);
  return markup;
}

const linesOf = async (): Promise<readonly string[]> =>
  (await readFile(ledger, 'utf8')).split('\n').slice(0, -1);

test('a row of the list has the first details of a line as labels and values, and leads to the others', async () => {
  const markup = await markupOf('/history?action=custody.fetched');
  assert.match(
    toPageText(markup),
    /shop@1\.0\.0 Line 1 Bytes 2(\.0)? GiB Content shop@1\.0\.0 sha256:[0-9a-f]{8}…/,
  );
  assert.match(markup, /<a href="\/history\/c\d{4}-\d+">3 more details</);
  assert.match(markup, /<a href="\/search\?q=shop%401\.0\.0"/);
  const written = await markupOf('/history?action=custody.written');
  assert.match(written, /<a href="\/deliveries\/dlv_\w+"/);
  assert.match(toPageText(written), /Lines 2–3/);
});

test('the page of a line has its number, its hash, that of the line before, and the line itself', async () => {
  const list = await markupOf('/history?action=custody.written');
  const [, path = ''] = /href="(\/history\/c\d{4}-\d+)"/.exec(list) ?? [];
  const page = await markupOf(path);
  const [, intent, outcome] = await linesOf();
  const text = toPageText(page);
  assert.match(text, /Line number 3 Line of its intent 2/);
  assert.doesNotMatch(text, /Line 3/);
  assert.ok(text.includes(`SHA-256 of the line ${hashBytes(`${outcome}\n`)}`));
  assert.ok(text.includes(`SHA-256 of the line before ${hashBytes(`${intent}\n`)}`));
  assert.ok(page.includes(`<code>${outcome!.replaceAll('"', '&quot;')}</code>`));
});

test('the address of an intent leads to its outcome, once there is one', async () => {
  const [first, intent] = await linesOf();
  const end = Buffer.byteLength(`${first}\n${intent}\n`);
  const answer = await admin.get(`/history/c${new Date().getUTCFullYear()}-${end}`);
  assert.equal(answer.status, 303);
  const page = await markupOf(answer.headers.get('location')!);
  assert.match(toPageText(page), /Line number 3 Line of its intent 2/);
});

test('the page of a line says in a sentence what was done, and leads to the records before and after it', async () => {
  const pathOf = async (type: string): Promise<string> =>
    /href="(\/history\/c\d{4}-\d+)"/.exec(await markupOf(`/history?action=custody.${type}`))![1]!;
  const [fetched, written] = [await pathOf('fetched'), await pathOf('written')];
  const first = await markupOf(fetched);
  const titleOf = (page: string): string => toPageText(/<h1.*<\/h1>/.exec(page)![0]);
  assert.match(titleOf(first), /^ *ana fetched shop@1\.0\.0 and 4 more *$/);
  assert.match(first, /stamp stamp-ok">.*success/);
  assert.match(toPageText(first), /Outcome success/);
  // the intent is no record of its own
  assert.match(first, new RegExp(`rel="next" href="${written}"`));
  assert.doesNotMatch(first, /rel="prev"/);
  const second = await markupOf(written);
  assert.match(titleOf(second), /^ *bo wrote the delivery dlv_0123456789ab *$/);
  assert.match(second, new RegExp(`rel="prev" href="${fetched}"`));
  assert.doesNotMatch(second, /rel="next"/);
  const french = await (await admin.get(written, { 'accept-language': 'fr' })).text();
  assert.match(titleOf(french), /^ *bo a écrit la livraison dlv_0123456789ab *$/);
  assert.doesNotMatch(french, /\bregistre\b/);
});

test('the list says to which line the chain holds, and how to check it', async () => {
  const english = toPageText(await markupOf('/history'));
  assert.match(english, /Chain verified to line 3 Read \d+ \w+ \d{4}, [\d:]+ UTC\. .* svc custody verify/);
  const list = await markupOf('/history?action=custody.written');
  const [, path = ''] = /href="(\/history\/c\d{4}-\d+)"/.exec(list) ?? [];
  assert.match(toPageText(await markupOf(path)), /Chain verified to line 3/);
});

test('a changed line is a verdict of the list, with the line', async () => {
  const text = await readFile(ledger, 'utf8');
  await writeFile(ledger, text.replace('"actor":"bo"', '"actor":"cy"'));
  const broken = await markupOf('/history');
  assert.match(
    toPageText(broken),
    /Broken chain The custody ledger \S+ is broken at line 2: its bytes do not have the sum that it states\. The lines until 1 follow each other/,
  );
  assert.match(broken, /stamp-bad.*href="\/help#SVC-CUS-001"/s);
  await writeFile(ledger, text);
  assert.match(toPageText(await markupOf('/history')), /Chain verified to line 3/);
});

test('a long ledger is read in parts, by the polls of the page, and then is not read again at once', async () => {
  const custody = openCustody({ stateRoot: join(folder.path, 'state'), site: 'zone-a' });
  const text = 'x'.repeat(4000);
  for (let i = 0; i < 160; i += 1)
    await custody.record({ type: 'handed-over', actor: 'ana', details: { text } });
  const first = await markupOf('/history');
  assert.match(toPageText(first), /Chain verified to line \d+ so far/);
  assert.match(first, /<section[^>]* id="chain"[^>]* hx-trigger="every 1s"/);
  const polled = await (
    await admin.get('/history', { 'hx-request': 'true', 'hx-target': 'section#chain' })
  ).text();
  assert.match(polled, /Chain verified to line 163</);
  assert.doesNotMatch(polled, /hx-trigger/);
  assert.match(await markupOf('/history'), /Chain verified to line 163</);
});

test('a waived guard shows its reason in the list, before the other details', async () => {
  const custody = openCustody({ stateRoot: join(folder.path, 'state'), site: 'zone-a' });
  const details = {
    medium: '0f8fad5b-d9cb-469f-a165-70867728950e',
    folder: '/mnt/disk',
    zone: 'zone-a',
    run: 'run_1',
    origin: '192.0.2.7',
    guards: ['SVC-MED-006', 'SVC-MED-007'],
    reason: 'the newer disk is lost',
  };
  await custody.record({ type: 'waived', actor: 'ana', details });
  const markup = await markupOf('/history?action=custody.waived');
  assert.match(toPageText(markup), /older medium accepted \( SVC-MED-007 \) Reason the newer disk is lost/);
  assert.doesNotMatch(markup, /class="print-only"><dt>Reason/);
});
