import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

let folder: TempFolder;
let server: TestServer;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    occupancyThreshold: () => 1000,
  });
  await server.accounts.create({ name: 'alice', role: 'viewer', password: 'a good password' });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

/** The first live section of a page, and the headers with which a browser polls it. */
async function openLive(path: string, at = server) {
  const session = openBrowserSession(at);
  await session.signIn('alice', 'a good password');
  const text = await (await session.get(path)).text();
  const { elements } = parseStrictHtml(text, path);
  const section = elements.find((each) => each.name === 'section' && each.attributes.has('hx-trigger'))!;
  const id = section.attributes.get('id')!;
  const poll = {
    'hx-request': 'true',
    'hx-target': `section#${id}`,
    'hx-ptag': section.attributes.get('hx-ptag')!,
  };
  return { session, section, poll, path: section.attributes.get('hx-get')! };
}

test('a section that did not change is answered 304; one that did comes alone, with the title of the page', async () => {
  server.store.core.state.bytes = 100;
  const { session, section, poll, path } = await openLive('/');
  assert.equal(path, '/');
  assert.match(section.attributes.get('hx-trigger')!, /^every [0-9]+s$/);
  const same = await session.get(path, poll);
  assert.equal(same.status, 304);
  assert.equal(same.headers.get('hx-ptag'), poll['hx-ptag']);
  server.store.core.state.bytes = 500;
  const changed = await session.get(path, poll);
  assert.equal(changed.status, 200);
  const tag = changed.headers.get('hx-ptag')!;
  assert.notEqual(tag, poll['hx-ptag']);
  const text = await changed.text();
  assert.match(text, /^<title>[^<]+<\/title><section class="section" id="/);
  assert.match(text, new RegExp(`hx-ptag="${tag}"`));
  parseStrictHtml(text, 'section');
  assert.equal((await session.get(path, { ...poll, 'hx-ptag': tag })).status, 304);
});

test('a poll without a session leads to the sign-in page, which says that it ended and leads back', async () => {
  const gone: readonly ((cookies: Map<string, string>) => void)[] = [
    // as a browser does when the session expires
    (cookies) => cookies.delete('svc_session'),
    (cookies) => cookies.set('svc_session', 'ended'),
  ];
  for (const end of gone) {
    const { session, poll } = await openLive('/tasks');
    end(session.cookies);
    const path = '/tasks?q=a%20b';
    const answer = await session.get(path, poll);
    assert.equal(answer.status, 401);
    const login = answer.headers.get('hx-redirect')!;
    assert.equal(new URL(login, server.url).searchParams.get('next'), path);
    assert.equal(await answer.text(), '');
    const page = await (await session.get(login)).text();
    assert.match(page, /Your session has ended/);
    const answered = await session.post('/login', { name: 'alice', password: 'a good password', next: path });
    assert.equal(answered.headers.get('location'), path);
  }
});

test('a poll that fails swaps nothing', async () => {
  const { session, poll } = await openLive('/');
  const answer = await session.get('/nowhere', poll);
  assert.equal(answer.status, 404);
  assert.equal(answer.headers.get('hx-reswap'), 'none');
  await answer.text();
});

test('a page that does not exist is an error page with its code, and a problem document for programs', async () => {
  const session = openBrowserSession(server);
  await session.signIn('alice', 'a good password');
  const page = await session.get('/nowhere');
  assert.equal(page.status, 404);
  const text = await page.text();
  parseStrictHtml(text, 'error page');
  assert.match(text, /SVC-SRV-002/);
  assert.ok(text.includes(page.headers.get('x-request-id')!));
  assert.match(text, /href="\/help#SVC-SRV-002"/);
  const problem = await session.get('/nowhere', { accept: '*/*' });
  assert.equal(problem.headers.get('content-type'), 'application/problem+json');
  await problem.text();
});

test('methods that a page does not have are refused, and HEAD is GET without a body', async () => {
  const session = openBrowserSession(server);
  await session.signIn('alice', 'a good password');
  const send = (method: string, path: string) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { cookie: `svc_session=${session.cookies.get('svc_session')}` },
    });
  const put = await send('PUT', '/account');
  assert.equal(put.status, 405);
  assert.equal(put.headers.get('allow'), 'GET, HEAD');
  await put.text();
  const head = await send('HEAD', '/account');
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
});

test('an instance that stops answers the polls of its pages: they have contact until it has stopped', async () => {
  await using own = await openTempFolder();
  await using stopping = await startTestServer({ folder: own.path });
  await stopping.accounts.create({ name: 'alice', role: 'viewer', password: 'a good password' });
  const { session, poll, path } = await openLive('/', stopping);
  stopping.instance.app.drain();
  const answer = await session.get(path, { ...poll, 'hx-ptag': '"of an earlier state"' });
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /<section/);
});
