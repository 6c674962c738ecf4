import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { selectNearestPage } from '../../../server/ui/nearest-page.ts';
import { uiRoutes } from '../../../server/ui/routes.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  admin = openBrowserSession(server);
  await server.accounts.create({ name: 'alice', role: 'admin', password: 'a good password' });
  await admin.signIn('alice', 'a good password');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function proseOf(session: BrowserSession, path: string, language = 'en'): Promise<string> {
  const answer = await session.get(path, { 'accept-language': language });
  return parseStrictHtml(await answer.text(), path).prose;
}

/** Sends a form and returns where it leads. */
async function send(path: string, fields: Record<string, string>, page = path): Promise<string> {
  const answer = await admin.post(path, fields, { page });
  assert.equal(answer.status, 303, await answer.text());
  return answer.headers.get('location')!;
}

const name = '<b>mallory';
const steps: readonly (readonly [what: string, act: () => Promise<string>, en: RegExp, fr: RegExp])[] = [
  [
    'a new account',
    () => send('/admin/accounts/-/new', { name: 'vera', role: 'operator', password: 'one two three' }),
    /The account vera was created with the role operator\./,
    /Le compte vera a été créé avec le rôle operator\./,
  ],
  [
    'another role',
    () => send('/admin/accounts/vera', { role: 'viewer' }),
    /The account vera was changed\./,
    /Le compte vera a été modifié\./,
  ],
  [
    'a deleted account',
    () => send('/admin/accounts/vera/delete', {}),
    /The account vera was deleted\./,
    /Le compte vera a été supprimé\./,
  ],
  [
    'a revoked token',
    async () => {
      await server.accounts.tokens.create({ name: 'old', role: 'viewer' });
      return send('/admin/accounts/-/tokens/old/revoke', {});
    },
    /The token old was revoked/,
    /Le jeton old a été révoqué/,
  ],
];

for (const [what, act, en, fr] of steps)
  test(`${what} is said on the page that follows, in both languages, to nobody else`, async () => {
    const location = await act();
    assert.match(await proseOf(admin, location), en);
    assert.match(await proseOf(admin, location, 'fr'), fr);
    assert.doesNotMatch(await proseOf(admin, location.replace(/said=.*/, 'said=guessed')), en);
    const other = openBrowserSession(server);
    await other.signIn('admin', 'admin password');
    assert.doesNotMatch(await proseOf(other, location), en);
  });

test('the secret of a new token has a page of its own: loading it again makes no other token, and shows nothing to others', async () => {
  const location = await send('/admin/accounts/-/token', { name: 'pipeline', role: 'operator' });
  assert.doesNotMatch(location, /svc_/, 'no secret in an address');
  for (const language of ['en', 'fr', 'en']) {
    const answer = await admin.get(location, { 'accept-language': language });
    assert.match(await answer.text(), /svc_[\w-]{43}/, language);
  }
  const tokens = await server.accounts.tokens.list();
  assert.equal(tokens.filter((token) => token.name === 'pipeline').length, 1);
  const other = openBrowserSession(server);
  await other.signIn('admin', 'admin password');
  assert.doesNotMatch(await (await other.get(location)).text(), /svc_[\w-]{43}/);
  const elsewhere = await proseOf(other, location);
  assert.doesNotMatch(elsewhere, /svc_/);
  assert.match(elsewhere, /was shown once and is not kept.*revoke the token/);
});

test('a name that is refused leaves no secret and shows the form again', async () => {
  const answer = await admin.post(
    '/admin/accounts/-/token',
    { name, role: 'viewer' },
    { page: '/admin/accounts/-/token' },
  );
  assert.equal(answer.status, 422);
  assert.match(await answer.text(), /value="&lt;b>mallory"|value="&lt;b&gt;mallory"/);
});

test('a mistyped path is answered 404 with a link to the page that was meant', async () => {
  for (const [path, page] of [
    ['/medium', '/media'],
    ['/task', '/tasks'],
    ['/recipe/shop', '/recipes'],
    ['/accounts', '/admin/accounts'],
    ['/admin/account', '/admin/accounts'],
    ['/tasks/', '/tasks'],
  ] as const) {
    for (const [language, words] of [
      ['en', 'Did you mean this page?'],
      ['fr', 'Vouliez-vous cette page'],
    ] as const) {
      const answer = await admin.get(path, { 'accept-language': language });
      const text = await answer.text();
      assert.equal(answer.status, 404, path);
      parseStrictHtml(text, path);
      assert.ok(text.includes(words) && text.includes(`<a href="${page}">${page}</a>`), `${path}: ${text}`);
    }
  }
  assert.doesNotMatch(await proseOf(admin, '/nothing-like-it/at/all'), /Did you mean/);
});

test('a page that the role may not open is not suggested', () => {
  assert.equal(selectNearestPage('/accounts', uiRoutes, 'viewer'), undefined);
  assert.equal(selectNearestPage('/medium', uiRoutes, 'viewer'), undefined);
  assert.equal(selectNearestPage('/medium', uiRoutes, 'operator'), '/media');
});

test('an instance without a zone is told from others by its host, in the title, the header and the footer', async () => {
  const { host } = new URL(server.url);
  const text = await (await admin.get('/tasks')).text();
  assert.match(text, new RegExp(`<title>[^<]* · ${host} · by network</title>`));
  assert.match(text, new RegExp(`<header[\\s\\S]*${host}[\\s\\S]*</header>`));
  assert.match(text, new RegExp(`<footer[\\s\\S]*${host}`));
});
