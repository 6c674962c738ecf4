import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { renderHtml } from '../../../server/ui/html.ts';
import { errorBlock } from '../../../server/ui/parts/error.ts';
import { svcError } from '../../../src/text/error.ts';
import { fr } from '../../../src/text/language.ts';
import { rule } from '../../../src/text/rule.ts';
import { words } from '../../../src/text/words/words.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

let folder: TempFolder;
let server: TestServer;
const as = {} as Record<'admin' | 'operator' | 'viewer', BrowserSession>;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  for (const role of ['admin', 'operator', 'viewer'] as const) {
    as[role] = openBrowserSession(server);
    await server.accounts.create({ name: `one-${role}`, role, password: 'a good password' });
    await as[role].signIn(`one-${role}`, 'a good password');
  }
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const page = { accept: 'text/html' };

test('an error of a form names the field as the page does, in the language of the page', async () => {
  for (const [language, wanted] of [
    ['en', /The field “Password” is missing\. What to doCorrect this field/],
    ['fr', /Le champ « Mot de passe » manque\./],
  ] as const) {
    await as.admin.post('/lang', { language, next: '/account' }, { page: '/account' });
    const answer = await as.admin.post(
      '/admin/accounts/-/new',
      { name: 'nina', role: 'viewer', password: '' },
      { page: '/admin/accounts/-/new' },
    );
    const { prose } = parseStrictHtml(await answer.text(), '/admin/accounts');
    assert.match(prose.replace(/[\s\u00a0]+/g, ' '), wanted, language);
    assert.doesNotMatch(prose, /request body|corps de la requête|\/password|is missing"/);
  }
  await as.admin.post('/lang', { language: 'en', next: '/account' }, { page: '/account' });
});

test('what a page tells to do can be done on a page', async () => {
  const remedyOf = (error: ReturnType<typeof svcError>): string =>
    renderHtml(errorBlock({ words: words.en, error, hasHelp: true }));
  for (const error of [
    svcError('SVC-MED-006', { expected: 'zone-b', found: 'zone-c' }),
    svcError('SVC-MED-007', { zone: 'zone-b', resolvedAt: '2026-01-01', recordedAt: '2026-01-02' }),
    svcError('SVC-LAY-003', { path: '/out' }),
    svcError('SVC-STO-006', {}),
    svcError('SVC-SRV-002', { path: '/nothing' }),
  ])
    assert.doesNotMatch(remedyOf(error), / --[a-z]|GET \/|send confirmation/, error.code);
  const library = svcError('SVC-NET-004', {}, { detail: 'error:0480006C:PEM routines::no start line' });
  assert.doesNotMatch(remedyOf(library), /PEM routines/);
});

test('a time in the sentence of an error is shown as pages show times', () => {
  const error = svcError('SVC-MED-007', {
    mediaId: 'med_1',
    resolvedAt: '2026-11-20T14:02:10.000Z',
    recordedAt: '2026-11-21T09:00:00Z',
    zone: 'zone-b',
  });
  for (const [language, shown] of [
    ['en', '20 Nov 2026, 14:02:10 UTC'],
    ['fr', '20 nov. 2026, 14:02:10 UTC'],
  ] as const) {
    const block = renderHtml(errorBlock({ words: words[language], error, hasHelp: true }));
    assert.ok(block.includes(shown), block);
    assert.doesNotMatch(block, /\d{4}-\d\d-\d\dT/);
  }
});

test('an error page without a session leads home and to the sign-in, in the theme that was chosen', async () => {
  const answer = await fetch(`${server.url}/nothing`, {
    headers: { ...page, cookie: 'svc_theme=contrast' },
  });
  assert.equal(answer.status, 404);
  const text = await answer.text();
  for (const wanted of ['data-theme="contrast"', 'href="/"', 'href="/login"', 'href="/help#SVC-SRV-002"'])
    assert.ok(text.includes(wanted), `${wanted} in ${text}`);
  assert.doesNotMatch(text, /openapi/);
});

test('texts of the program that an error carries are French on a French page', () => {
  const french = (error: ReturnType<typeof svcError>): string =>
    renderHtml(errorBlock({ words: words.fr, error, hasHelp: true, correlationId: 'abc' }));
  const detail = rule([
    'the form carries no token of this session',
    fr`le formulaire ne porte aucun jeton de cette session`,
  ]);
  assert.match(french(svcError('SVC-AUTH-004', {}, { detail })), /ne porte aucun jeton/);
  assert.match(
    french(svcError('SVC-SIG-001', { subject: 'shop', reason: 'untrusted', fingerprints: [] })),
    /clé qui n’est pas reconnue ici/,
  );
  assert.match(french(svcError('SVC-SRV-002', { path: '/x' })), /Identifiant de corrélation\s:/);
});

test('answers of the API are offered to roles that may read them only, and French has its spaces', async () => {
  const open = async (session: BrowserSession): Promise<number> =>
    (await (await session.get('/api-docs/accounts')).text()).split('Open the answer').length;
  assert.ok((await open(as.viewer)) < (await open(as.admin)));
  const viewer = await (await as.viewer.get('/api-docs/accounts')).text();
  const tasks = await (await as.viewer.get('/api-docs/tasks')).text();
  assert.match(tasks, /the <code[^>]*>next<.code> of the last answer/);
  assert.ok(!/<a href="\/api\/v1\/accounts">/.test(viewer));
  const french = await (await as.viewer.get('/api-docs/content', { 'accept-language': 'fr' })).text();
  assert.doesNotMatch(french, /Réponse \d+:|Paramètres de requête:/);
});

test('a section that is loaded again keeps the title of the tab, which tells instances apart', async () => {
  const titleOf = async (headers: Record<string, string> = {}): Promise<string | undefined> =>
    /<title>[^<]+<\/title>/.exec(await (await as.viewer.get('/', headers)).text())?.[0];
  const title = await titleOf();
  assert.match(title ?? '', / · 127\.0\.0\.1:\d+ · by network<\/title>/);
  assert.equal(await titleOf({ 'hx-request': 'true', 'hx-target': 'section#now' }), title);
});
