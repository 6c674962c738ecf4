import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../../../src/base/digest.ts';
import type { Delivery } from '../../../../src/contract/delivery.ts';
import { openCustody } from '../../../../src/custody/custody.ts';
import { openArrivals } from '../../../../src/zone/arrivals.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { delivery } from '../../../kit/scene/evidence-site.ts';
import { openBrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

let folder: TempFolder;
let server: TestServer;
before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path, custodySite: 'zone-a' });
  const custody = openCustody({ stateRoot: join(folder.path, 'state'), site: 'zone-a' });
  await custody.record({ type: 'handed-over', actor: 'ana', details: { delivery } });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const filled = { delivery, recipe: '', since: '', redact: 'actors', language: 'fr' };

function requireFilled(page: string, fields: Readonly<Record<string, string>> = filled): void {
  parseStrictHtml(page, '/evidence');
  if (fields.delivery !== '') assert.match(page, new RegExp(`<option value="${fields.delivery}" selected`));
  for (const name of ['recipe', 'since'])
    assert.match(page, new RegExp(`name="${name}"[^>]*value="${fields[name]}"`));
  assert.match(page, /name="redact"[^>]*value="actors"[^>]* checked/);
}

/** The hidden fields of the form that posts to a path. */
function hiddenOf(page: string, action: string): Record<string, string> {
  const [form = ''] = page.match(new RegExp(`<form[^>]*action="${action}"[\\s\\S]*?</form>`)) ?? [];
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll('&quot;', '"'),
    ]),
  );
}

test('the form of evidence is filled again after its session ended, and then packs', async () => {
  const session = openBrowserSession(server);
  await session.signIn('admin', 'admin password');
  session.cookies.set('svc_session', 'ended');
  const asked = await session.post('/evidence', filled, { token: 'x' });
  const login = await asked.text();
  assert.equal(asked.status, 401);
  const kept = hiddenOf(login, '/login');
  const again = await session.post(
    '/login',
    { ...kept, name: 'admin', password: 'admin password' },
    { token: kept.csrf! },
  );
  const page = await again.text();
  assert.equal(again.status, 200, page);
  requireFilled(page);
  const own = hiddenOf(page, '/evidence');
  const packed = await session.post('/evidence', { ...filled, ...own }, { token: own.csrf! });
  assert.deepEqual([packed.status, packed.headers.get('content-type')], [200, 'application/x-tar']);
  const bytes = Buffer.from(await packed.arrayBuffer());
  assert.ok(bytes.length > 0);
  const [, name] = /filename="([^"]+)"/.exec(packed.headers.get('content-disposition') ?? '') ?? [];
  const after = toPageText(await (await session.get('/evidence')).text());
  assert.match(
    after,
    new RegExp(
      `Packed at .*: ${name} Packed ${name}, [\\d.]+ \\w+ In it: 1 line of the custody ledger and names of accounts left out\\. ` +
        `SHA-256 ${hashBytes(bytes).slice(7)} `,
    ),
  );
  const folder = name!.replace('.tar', '');
  assert.match(
    after,
    new RegExp(
      `sha256sum ${name} tar -xf ${name} svc evidence verify ${folder} --key .* --key zone-a=zone-a`,
    ),
  );
  const shown = await (await session.get('/evidence')).text();
  const forms = shown.split('</form>').filter((form) => form.includes('action="/evidence"'));
  assert.equal(forms.length, 2);
  const same = await session.post('/evidence', hiddenOf(`${forms[1]}</form>`, '/evidence'), {
    page: '/evidence',
  });
  assert.equal(hashBytes(Buffer.from(await same.arrayBuffer())), hashBytes(bytes), 'packed again');
});

test('the form of evidence is filled again when it is refused: for its token, or for its subject', async () => {
  const session = openBrowserSession(server);
  await session.signIn('admin', 'admin password');
  for (const [fields, token, status, code] of [
    [filled, 'x', 403, 'SVC-AUTH-'],
    [{ ...filled, delivery: '', recipe: 'other' }, undefined, 404, 'SVC-CUS-002'],
    [{ ...filled, recipe: 'shop' }, undefined, 422, 'SVC-VAL-001'],
    [{ ...filled, since: 'yesterday' }, undefined, 422, 'SVC-VAL-001'],
  ] as const) {
    const options = token === undefined ? { page: '/evidence' } : { token };
    const answer = await session.post('/evidence', fields, options);
    const page = await answer.text();
    assert.match(page, new RegExp(code));
    if (code === 'SVC-CUS-002') {
      assert.match(page, /Look for the name in the history, and give it as it is written there/);
      assert.match(page, /href="\/history"/);
      assert.doesNotMatch(page, /run the command again/);
    }
    assert.equal(answer.status, status, code);
    requireFilled(page, fields);
    assert.doesNotMatch(toPageText(page), /Ready/);
  }
});

test('only the chosen one of the three subjects counts', async () => {
  const session = openBrowserSession(server);
  await session.signIn('admin', 'admin password');
  const asked = await session.post(
    '/evidence',
    { ...filled, recipe: 'shop', _by: 'delivery' },
    { page: '/evidence' },
  );
  assert.deepEqual([asked.status, asked.headers.get('content-type')], [200, 'application/x-tar']);
  await asked.arrayBuffer();
});

test('the deliveries to choose from are those that the ledger names, and each can be packed', async () => {
  const admin = await signInAs(server, 'admin', 'ines');
  const arrived: Delivery = {
    id: 'dlv_eeeeeeeeeeee',
    zone: 'zone-a',
    resolvedAt: '2026-11-20T14:02:10Z',
    parts: 1,
    complete: true,
    landed: [],
    needed: [],
    recipes: [],
  };
  await openArrivals(join(folder.path, 'state')).update(arrived, () => arrived);
  const custody = openCustody({ stateRoot: join(folder.path, 'state'), site: 'zone-a' });
  const named = { medium: 'dlv-cccccccccccc-2', zone: 'zone-c' };
  await custody.record({ type: 'waived', actor: 'ana', details: named });
  const page = await (await admin.get('/evidence')).text();
  assert.match(page, /it names 2 deliveries/);
  const [, list = ''] = /<select[^>]*name="delivery"[^>]*>(.*?)<\/select>/s.exec(page) ?? [];
  const offered = Array.from(list.matchAll(/value="([^"]+)"/g), ([, id]) => id!);
  assert.deepEqual(offered, ['dlv_cccccccccccc', delivery]);
  assert.match(list, /dlv_cccccccccccc[^<]*, for [^<]*zone-c/);
  for (const id of offered) {
    const packed = await admin.post('/evidence', { _by: 'delivery', delivery: id }, { page: '/evidence' });
    assert.equal(packed.status, 200, id);
    await packed.arrayBuffer();
  }
  const other = await (await admin.get('/evidence?delivery=dlv_ffffffffffff')).text();
  assert.match(other, /<option value="dlv_ffffffffffff" selected/);
  parseStrictHtml(page, '/evidence');
});

test('evidence is ready only where the ledger has lines', async () => {
  await using other = await openTempFolder();
  await using empty = await startTestServer({ folder: other.path, custodySite: 'zone-a' });
  const admin = await signInAs(empty, 'admin', 'ines');
  const page = toPageText(await (await admin.get('/evidence')).text());
  assert.match(page, /Empty The custody ledger has no line yet/);
  assert.doesNotMatch(page, /Ready/);
});

test('of a delivery that the ledger does not name the page says so, and is not ready', async () => {
  const session = openBrowserSession(server);
  await session.signIn('admin', 'admin password');
  const textOf = async (path: string): Promise<string> => toPageText(await (await session.get(path)).text());
  assert.match(
    await textOf('/evidence?delivery=dlv_3f9c01ab77de'),
    /Not named The custody ledger has no line about the delivery dlv_3f9c01ab77de History of dlv_3f9c01ab77de/,
  );
  const unnamed = await (await session.get('/evidence?delivery=dlv_3f9c01ab77de')).text();
  assert.match(unnamed, /<button class="button button-plain"[^>]*>Pack/);
  assert.match(await textOf(`/evidence?delivery=${delivery}`), /Ready The custody ledger is kept/);
});
