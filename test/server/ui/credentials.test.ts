import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';
import { requestRaw } from '../../kit/web/request-raw.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

test('too many failed sign-ins are refused for a time that the page names, and the right password waits too', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const session = openBrowserSession(server);
  const attempt = (password: string) => session.post('/login', { name: 'admin', password });
  for (let i = 0; i < 10; i += 1) assert.equal((await attempt('canary-wrong')).status, 401);
  for (const password of ['canary-wrong', 'admin password']) {
    const answer = await attempt(password);
    const text = await answer.text();
    assert.equal(answer.status, 429, password);
    parseStrictHtml(text, 'throttled');
    const seconds = Number(answer.headers.get('retry-after'));
    assert.ok(seconds > 0 && seconds <= 30, `${seconds} s`);
    assert.match(text, /SVC-AUTH-012/);
    assert.match(text, new RegExp(`\\b${seconds}\\b`), 'the page names the time');
    assert.match(text, /name="name"[^>]*value="admin"/, 'the name is still there');
    assert.ok(!text.includes(password), 'the password is not');
    assert.equal(session.cookies.has('svc_session'), false);
  }
});

test('each credential counts where it may: what a browser sends by itself is not taken from another site', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const session = openBrowserSession(server);
  await session.signIn('admin', 'admin password');
  const credentials = {
    cookie: { cookie: `svc_session=${session.cookies.get('svc_session')}` },
    basic: { authorization: `Basic ${Buffer.from('admin:admin password').toString('base64')}` },
    bearer: { authorization: server.as.admin },
  };
  const navigate = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const fetched = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
  /** Status of: own page, link on another site, fetch of another site, for a page and for the API; a change of the API. */
  const expected = {
    cookie: [200, 200, 403, 200, 403, 403, 401],
    basic: [200, 200, 403, 200, 403, 403, 201],
    bearer: [200, 200, 200, 200, 200, 200, 201],
  };
  for (const [name, headers] of Object.entries(credentials)) {
    const got: number[] = [];
    for (const path of ['/tasks', '/api/v1/tasks'])
      for (const from of [
        { 'sec-fetch-site': 'same-origin', ...fetched },
        { 'sec-fetch-site': 'cross-site', ...navigate },
        { 'sec-fetch-site': 'same-site', ...fetched },
      ])
        got.push((await requestRaw(`${server.url}${path}`, { accept: '*/*', ...headers, ...from })).status);
    const change = await fetch(`${server.url}/api/v1/sync`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });
    await change.text();
    assert.deepEqual([...got, change.status], expected[name as keyof typeof expected], name);
  }
});

test('a form that is posted after the session ended comes back over the sign-in with what was typed, without its password', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const session = openBrowserSession(server);
  await session.signIn('admin', 'admin password');
  session.cookies.set('svc_session', 'ended');
  const fields = { name: 'canary-name', password: 'canary-password', role: 'operator' };
  const asked = await session.post('/admin/accounts/-/new', fields, { token: 'x' });
  const login = await asked.text();
  assert.equal(asked.status, 401);
  parseStrictHtml(login, 'the sign-in page');
  assert.match(login, /value="[^"]*canary-name/, 'the name is kept');
  assert.doesNotMatch(login, /canary-password/);
  const kept = Object.fromEntries(
    [
      ...(/<form[^>]*action="\/login"[\s\S]*?<\/form>/.exec(login)?.[0] ?? '').matchAll(
        /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
      ),
    ].map(([, name, value]) => [name!, value!.replaceAll('&quot;', '"')]),
  );
  const again = await session.post(
    '/login',
    { ...kept, name: 'admin', password: 'admin password' },
    { token: kept.csrf! },
  );
  const page = await again.text();
  assert.equal(again.status, 200, page);
  assert.match(page, /name="name"[^>]*value="canary-name"/);
  assert.doesNotMatch(page, /canary-password|admin password/);
  assert.ok(!(await server.accounts.list()).some(({ name }) => name === 'canary-name'), 'nothing was done');
});

test('what is planned stands in the navigation as text where the setting asks for it, and nowhere else', async () => {
  for (const showUpcoming of [true, false]) {
    await using folder = await openTempFolder();
    await using server = await startTestServer({ folder: folder.path, ui: { showUpcoming } });
    const session = openBrowserSession(server);
    await session.signIn('admin', 'admin password');
    for (const [language, words] of [
      ['en', 'Single sign-on <em>planned</em>'],
      ['fr', 'Authentification unique <em>prévu</em>'],
    ] as const) {
      const text = await (await session.get('/', { 'accept-language': language })).text();
      parseStrictHtml(text, language);
      const items = text.match(/<li class="nav-planned">[\s\S]*?<\/li>/g) ?? [];
      assert.deepEqual(
        items,
        showUpcoming ? [`<li class="nav-planned"><span>${words}</span></li>`] : [],
        language,
      );
    }
  }
});
