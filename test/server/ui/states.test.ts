import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Gate } from '../../../server/gate.ts';
import { uiRoutes } from '../../../server/ui/routes.ts';
import { isPage } from '../../../server/ui/ui-route.ts';
import type { RetrieverRecord } from '../../../src/contract/recipe.ts';
import { svcError } from '../../../src/text/error.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { passthroughRetriever } from '../../kit/instance/test-instance.ts';
import { scriptMedia } from '../../kit/scene/media-state.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

const roles = ['viewer', 'operator', 'admin'] as const;
type Role = (typeof roles)[number];

interface State {
  readonly retriever?: Partial<RetrieverRecord>;
  readonly exceeded?: boolean;
  readonly refusal?: 'SVC-MED-030' | 'SVC-MED-032';
  readonly readOnly?: string;
}

interface Said {
  /** The notice in full: on the overview, and unfolded on every other page. */
  readonly en: RegExp;
  readonly fr: RegExp;
  /** Its name in the line of warnings; absent: every page has it in full. */
  readonly short?: Readonly<Record<'en' | 'fr', RegExp>>;
}

/** States of an instance, and the notice of each. */
const states: Readonly<Record<string, readonly [state: State, said: Said]>> = {
  'over its threshold': [
    { exceeded: true },
    {
      en: /exceeds its threshold/,
      fr: /dépasse son seuil/,
      short: {
        en: /1 warning: store over its threshold</,
        fr: /1 avertissement\s: seuil du stockage dépassé</,
      },
    },
  ],
  'with an anonymous file set': [
    { retriever: { anonymousFilesets: ['manuals'] } },
    {
      en: /readable without credentials: manuals/,
      fr: /lisibles sans identifiants\s: manuals/,
      short: { en: /: file sets without credentials</, fr: /: jeux de fichiers sans identifiants</ },
    },
  ],
  'with a relaxed trust scope': [
    { retriever: { relaxedScopes: [{ name: 'lab', repositories: ['lab/**'], allowUnsigned: true }] } },
    {
      en: /relaxed rules: lab/,
      fr: /assouplies\s: lab/,
      short: { en: /: relaxed trust scopes</, fr: /: périmètres de confiance assouplis</ },
    },
  ],
  'gated until verified': [
    { refusal: 'SVC-MED-030' },
    { en: /has not been verified yet/, fr: /pas encore été vérifié/ },
  ],
  'gated after a refusal': [
    { refusal: 'SVC-MED-032' },
    { en: /blocked the medium/, fr: /a bloqué le support/ },
  ],
  'with a store that cannot be written': [
    { readOnly: 'no space' },
    {
      en: /read-only: changes are refused/,
      fr: /en lecture seule\s: /,
      short: { en: /: store read-only</, fr: /: stockage en lecture seule</ },
    },
  ],
};

/** The settings that weaken an instance stand in one line when there are several. */
const inOneLine = ['with an anonymous file set', 'with a relaxed trust scope'] as const;

let folder: TempFolder;
let server: TestServer;
let state: State = {};
const sessions = new Map<Role, BrowserSession>();
const pages = uiRoutes.filter(isPage);

before(async () => {
  folder = await openTempFolder();
  const open = createOpenGate({ rehash: false });
  const media = scriptMedia(() => Promise.reject(new Error('this medium is not imported')));
  server = await startTestServer({
    folder: folder.path,
    media,
    gate: ({ mediaId }): Gate =>
      new Proxy(open, {
        get: (gate, name) => {
          const { refusal } = state;
          if (name === 'refusal' && refusal !== undefined) return () => svcError(refusal, { mediaId });
          if (name === 'guarded') return refusal !== undefined;
          return Reflect.get(gate, name);
        },
      }),
    retriever: () => ({
      ...passthroughRetriever,
      ...state.retriever,
    }),
    occupancyThreshold: () => (state.exceeded ? 1000 : 3000),
  });
  // so that one server has every state in turn
  server.store.core.state.bytes = 2000;
  Object.defineProperty(server.store, 'readOnly', { get: () => state.readOnly });
  for (const role of roles) {
    const session = openBrowserSession(server);
    const name = role === 'admin' ? 'chief' : role;
    await server.accounts.create({ name, role, password: 'a good password' });
    await session.signIn(name, 'a good password');
    sessions.set(role, session);
  }
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const fill = (path: string): string =>
  path
    .replace('{repo}', 'some/repository')
    .replace('{id}', 'tsk_000000000000')
    .replace(/\{[a-z]+\}/g, 'nothing');

/** The notice strip of a page: the notices in sight, and those folded away. */
function noticesOf(markup: string): { readonly open: string; readonly folded: string } {
  const strip = /<aside class="notices"[\s\S]*?<\/aside>/.exec(markup)?.[0] ?? '';
  const details = [...strip.matchAll(/(?<=<\/summary>).*?(?=<\/details>)/gs)]
    .map(([inside]) => inside)
    .join('');
  const text = (part: string): string => part.replace(/<\/?bdi[^>]*>/g, '');
  return { open: text(strip.replace(/(?<=<\/summary>).*?(?=<\/details>)/gs, '')), folded: text(details) };
}

for (const [name, [given, said]] of Object.entries(states)) {
  test(`an instance ${name} says so on every page, to everybody who is signed in, in both languages`, async () => {
    state = given;
    for (const { path } of pages)
      for (const role of roles)
        for (const language of ['en', 'fr'] as const) {
          const where = `${path} as ${role} in ${language}`;
          const answer = await sessions.get(role)!.get(fill(path), { 'accept-language': language });
          const text = await answer.text();
          assert.ok(answer.status < 500, `${where}: ${answer.status}`);
          parseStrictHtml(text, where);
          const { open, folded } = noticesOf(text);
          const short = path === '/' ? undefined : said.short?.[language];
          assert.match(open, short ?? said[language], where);
          if (short === undefined) continue;
          assert.match(folded, said[language], where);
          assert.doesNotMatch(open, said[language], where);
        }
    state = {};
    assert.equal(noticesOf(await (await sessions.get('viewer')!.get('/')).text()).open, '');
  });
}

test('with everything at once the overview has the first notices in sight, and every other page one line of warnings below what stops it', async () => {
  state = Object.assign({}, ...Object.values(states).map(([each]) => each)) as State;
  state = {
    ...state,
    retriever: {
      anonymousFilesets: ['manuals'],
      relaxedScopes: [{ name: 'lab', repositories: ['lab/**'], allowUnsigned: true }],
    },
  };
  const readNotices = async (path: string) =>
    noticesOf(await (await sessions.get('admin')!.get(fill(path))).text());
  const full = (name: string): RegExp => states[name]![1].en;
  const overview = await readNotices('/');
  assert.match(overview.open, full('over its threshold'));
  assert.match(
    overview.open,
    /2 settings weaken this instance: file sets without credentials and relaxed trust scopes</,
  );
  for (const name of inOneLine) {
    assert.match(overview.folded, full(name), name);
    assert.doesNotMatch(overview.open, full(name), name);
  }
  for (const { path } of pages) {
    if (path === '/') continue;
    const { open, folded } = await readNotices(path);
    assert.match(open, full('gated after a refusal'), path);
    assert.match(
      open,
      /4 warnings: store over its threshold, file sets without credentials, relaxed trust scopes,? and store read-only</,
      path,
    );
    for (const name of [...inOneLine, 'over its threshold', 'with a store that cannot be written'])
      assert.match(folded, full(name), `${path}: ${name}`);
  }
  state = {};
});

test('the sign-in page tells nobody of the state', async () => {
  state = { exceeded: true, readOnly: 'no space' };
  assert.equal(noticesOf(await (await openBrowserSession(server).get('/login')).text()).open, '');
  state = {};
});

test('without authentication every page says so before anything else, and it does not fold', async () => {
  await using own = await openTempFolder();
  await using open = await startTestServer({
    folder: own.path,
    authDisabled: true,
    preflightDisabled: true,
    retriever: () => ({
      mode: 'passthrough',
      substitutions: [],
      relaxedScopes: [{ name: 'lab', repositories: ['lab/**'], allowUnsigned: true }],
      anonymousFilesets: ['manuals'],
      prune: false,
    }),
    occupancyThreshold: () => 1000,
  });
  open.store.core.state.bytes = 2000;
  const session = openBrowserSession(open);
  for (const { path } of pages) {
    const text = await (await session.get(fill(path))).text();
    if (path === '/login') {
      assert.match(text, /Authentication is disabled/, path);
      continue;
    }
    const items = [...noticesOf(text).open.matchAll(/<li[^>]*>([\s\S]*?)<\/li>/g)].map(([, item]) => item!);
    assert.match(items[0] ?? '', /Authentication is disabled/, path);
    assert.equal(items.length, path === '/' ? 2 : 1, `${path}: notices that stay in sight`);
    assert.match(
      noticesOf(text).open,
      path === '/'
        ? /3 settings weaken this instance: file sets without credentials, relaxed trust scopes,? and no pre-flight check</
        : /4 warnings: store over its threshold, file sets without credentials, relaxed trust scopes,? and no pre-flight check</,
      path,
    );
    for (const words of [
      /without credentials: manuals/,
      /relaxed rules: lab/,
      /pre-flight check is disabled/,
    ])
      assert.match(noticesOf(text).folded, words, path);
  }
});

test('an instance without pre-flight says so on every page', async () => {
  await using own = await openTempFolder();
  await using loose = await startTestServer({ folder: own.path, preflightDisabled: true });
  for (const { path } of pages) {
    if (path === '/login') continue;
    const answer = await loose.fetch(fill(path), { headers: { accept: 'text/html' } });
    const { open, folded } = noticesOf(await answer.text());
    assert.match(
      open,
      path === '/' ? /pre-flight check is disabled/ : /1 warning: no pre-flight check</,
      path,
    );
    assert.match(open + folded, /pre-flight check is disabled/, path);
  }
});

const stops = { en: /The instance is shutting down/, fr: /L’instance s’arrête/ } as const;
const noticesIn = (text: string): string => /<aside class="notices".*?<\/aside>/s.exec(text)?.[0] ?? '';

test('while an instance stops, its pages are shown and say so, signed in or not, and so does the status', async () => {
  await using own = await openTempFolder();
  await using stopping = await startTestServer({ folder: own.path });
  const session = openBrowserSession(stopping);
  await session.signIn('admin', 'admin password');
  stopping.instance.app.drain();
  await eventually('the first page says it', async () =>
    stops.en.test(noticesIn(await (await session.get('/')).text())),
  );
  for (const language of ['en', 'fr'] as const) {
    for (const { path } of pages) {
      const answer = await session.get(fill(path), { 'accept-language': language });
      const text = await answer.text();
      assert.notEqual(answer.status, 503, path);
      if (answer.status === 303) continue;
      parseStrictHtml(text, path);
      assert.match(noticesIn(text), stops[language], path);
    }
    const login = await openBrowserSession(stopping).get('/login', { 'accept-language': language });
    assert.match(noticesIn(await login.text()), stops[language], 'nobody can sign in now');
  }
  const status = await stopping.fetch('/api/v1/status');
  assert.equal(status.status, 200);
  assert.equal(status.headers.get('connection'), 'close');
  assert.ok(((await status.json()) as { notices: string[] }).notices.includes('draining'));
});

test('while an instance stops, a form is refused with that reason, and its sender stays signed in', async () => {
  await using own = await openTempFolder();
  await using stopping = await startTestServer({ folder: own.path });
  const session = openBrowserSession(stopping);
  await session.signIn('admin', 'admin password');
  stopping.instance.app.drain();
  for (const { path } of uiRoutes.filter((route) => route.method === 'POST')) {
    const answer = await session.post(fill(path), {}, { token: 'x' });
    const text = await answer.text();
    assert.equal(answer.status, 503, path);
    // the typed values are one step back: the answer to a form does not move on
    assert.equal(answer.headers.get('refresh'), null, path);
    assert.equal(answer.headers.get('retry-after'), '5', path);
    parseStrictHtml(text, path);
    assert.match(text, /SVC-SRV-006/);
    assert.match(text, /<dd>The instance is shutting down: it completes work under way/, path);
    assert.doesNotMatch(text, /too many sign-ins|href="\/login"/i, path);
    assert.match(text, /action="\/logout"/, path);
  }
});
