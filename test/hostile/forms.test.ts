import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { operations } from '../../server/operations.ts';
import { contentPolicy } from '../../server/ui/policy.ts';
import { uiRoutes } from '../../server/ui/routes.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { openArrivals } from '../../src/zone/arrivals.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { toRecipeDocument } from '../kit/content/origin.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { passthroughRetriever } from '../kit/instance/test-instance.ts';
import { tlsPair } from '../kit/program/tls-pair.ts';
import { scriptMedia } from '../kit/scene/media-state.ts';
import { showcaseArrival } from '../kit/showcase/delivery.ts';
import { type BrowserSession, fingerprintOf, openBrowserSession } from '../kit/web/browser-session.ts';
import { toPageText } from '../kit/web/page-text.ts';
import { nameMirror } from '../kit/web/printed-lines.ts';
import { requestRaw } from '../kit/web/request-raw.ts';
import { parseStrictHtml } from '../kit/web/strict-html.ts';

const digest = `sha256:${'a'.repeat(64)}` as const;
const password = 'canary-password-1';
const secrets = ['canary-password-1', 'canary-password-2', 'canary-key-3'];
const document = toRecipeDocument('registry.example', {
  name: 'shop',
  version: '1.4.2',
  ingredients: [{ name: 'web', repository: 'shop/web', version: '1.4.0', digest }],
});

interface Form {
  /** The path as a browser posts to it. */
  readonly at?: string;
  /** The page with the form, where it differs. */
  readonly page?: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Something typed that the form has again after a refusal. */
  readonly again?: string;
}

/** Of every action a form that would do something. */
const forms: Readonly<Record<string, Form>> = {
  '/login': { fields: { name: 'vera', password, next: '/tasks' }, again: 'vera' },
  '/logout': { page: '/', fields: {} },
  '/lang': { page: '/', fields: { language: 'fr', next: '/' } },
  '/theme': { page: '/', fields: { theme: 'dark', next: '/' } },
  '/columns': { page: '/content', fields: { table: 'content', column: 'kind' } },
  '/evidence': { fields: { delivery: 'dlv_0123456789ab', language: 'en' } },
  '/content/{repo}/-/delete': { at: '/content/m/-/delete', fields: {} },
  '/tasks/{id}/cancel': { at: '/tasks/{id}/cancel', page: '/tasks/{id}', fields: {} },
  '/tasks/cancel': { page: '/tasks', fields: { ids: '{id}' } },
  '/media/verify/cancel': { page: '/media', fields: {} },
  '/media/verify': { page: '/media', fields: { wait: 'false' } },
  '/media/import': { page: '/media', fields: {} },
  '/media/deliveries/{delivery}/forget': {
    at: `/media/deliveries/${showcaseArrival.id}/forget`,
    fields: {},
  },
  '/deliver/write': {
    page: '/deliver',
    fields: { zone: 'zone-b', folders: '/srv/canary-folder' },
  },
  '/deliver/proof': { fields: { wait: 'false', zone: 'canary-zone' }, again: 'canary-zone' },
  '/deliver/proof/cancel': { page: '/deliver/proof', fields: {} },
  '/receipts': { fields: { receipt: 'canary-receipt' }, again: 'canary-receipt' },
  '/recipes/sync/plan': { page: '/recipes/sync', fields: {} },
  '/recipes/sync/prune': { page: '/recipes/sync', fields: {} },
  '/recipes/sync': { fields: { prune: 'true', fingerprint: digest } },
  '/admin/store/reset': { page: '/admin/store', fields: { confirmation: 'RESET' }, again: 'RESET' },
  '/admin/accounts/-/new': {
    fields: { name: 'mallory', role: 'admin', password: 'canary-password-2' },
    again: 'mallory',
  },
  '/admin/accounts/-/token': { fields: { name: 'mallory', role: 'admin' }, again: 'mallory' },
  '/admin/accounts/-/tokens/{name}/revoke': { at: '/admin/accounts/-/tokens/kept/revoke', fields: {} },
  '/admin/accounts/{name}': { at: '/admin/accounts/vera', fields: { role: 'admin' } },
  '/admin/accounts/{name}/delete': { at: '/admin/accounts/vera/delete', fields: {} },
  '/admin/retriever/interval': { page: '/admin/retriever', fields: { interval: '7h' }, again: '7h' },
  '/admin/retriever/interval/clear': { page: '/admin/retriever', fields: {} },
  '/admin/network/preview': {
    page: '/admin/network',
    fields: { certificate: 'a chain', key: 'canary-key-3' },
  },
  '/admin/network/rate-limit': { page: '/admin/network', fields: { rateLimit: '7MiB' }, again: '7MiB' },
  '/admin/network/rate-limit/clear': { page: '/admin/network', fields: {} },
  '/admin/network/windows': {
    page: '/admin/network',
    fields: { windows: '21:17-05:00', timeZone: 'UTC' },
    again: '21:17-05:00',
  },
  '/admin/network/windows/clear': { page: '/admin/network', fields: {} },
  '/admin/network/certificate': {
    page: '/admin/network',
    fields: { certificate: 'a chain', key: 'canary-key-3' },
  },
  '/admin/oci-layout/plan': { page: '/admin/oci-layout', fields: { output: '/srv/o' }, again: '/srv/o' },
  '/admin/oci-layout/export': { page: '/admin/oci-layout', fields: { output: '/srv/o' }, again: '/srv/o' },
  '/admin/oci-layout/import-plan': {
    page: '/admin/oci-layout',
    fields: { input: '/srv/i' },
    again: '/srv/i',
  },
  '/admin/oci-layout/import': {
    page: '/admin/oci-layout',
    fields: { input: '/srv/i', fingerprint: digest },
    again: '/srv/i',
  },
  '/import/inspect': {
    page: '/import',
    fields: { reference: 'registry.example/shop/web:1' },
    again: 'registry.example/shop/web:1',
  },
  '/import': {
    fields: { reference: 'registry.example/shop/web:1', fingerprint: digest },
    again: 'registry.example/shop/web:1',
  },
  '/filesets/pack': { fields: { source: '/srv/s', name: 'tools', version: '1' }, again: '/srv/s' },
  '/recipes/publish/preview': { page: '/recipes/publish', fields: { document }, again: 'kind: Recipe' },
  '/recipes/publish': {
    fields: { reference: 'registry.example/cookbook/shop:1.4.2', document },
    again: 'kind: Recipe',
  },
  '/recipes/check': { fields: { document }, again: 'kind: Recipe' },
  '/recipes/check/pin': { page: '/recipes/check', fields: { document }, again: 'kind: Recipe' },
  '/recipes/compare': {
    fields: { 'old-document': document, 'new-reference': 'registry.example/cookbook/shop:1.4.2' },
    again: 'kind: Recipe',
  },
  '/account/password': {
    page: '/account',
    fields: { current: password, new: 'canary-password-2' },
  },
};

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
let other: BrowserSession;
let task: string;
/** Calls that reached the operations of the instance. */
const reached: string[] = [];

const actions = uiRoutes.flatMap((route) => (route.method === 'POST' ? [route.path] : []));
const formOf = (path: string) => {
  const { at = path, page = at, again, ...form } = forms[path]!;
  const named = Object.entries(form.fields).map(([name, value]) => [name, value.replace('{id}', task)]);
  const fields = Object.fromEntries(named) as typeof form.fields;
  return { path: at.replace('{id}', task), page: page.replace('{id}', task), fields, again };
};

function notReached(name: string): () => Promise<never> {
  return async () => {
    reached.push(name);
    throw new Error(`${name} was reached`);
  };
}

before(async () => {
  folder = await openTempFolder();
  // a plan of media only reads: the page of a refused form shows it again
  const { resetStore: _, planMediaWrite: __, ...others } = operations;
  const media = scriptMedia(notReached('media import'));
  server = await startTestServer({
    folder: folder.path,
    zone: showcaseArrival.zone,
    media,
    run: (_task, _request, _journal, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    retriever: () => passthroughRetriever,
    packRoots: ['/srv'],
    operations: Object.fromEntries(Object.keys(others).map((name) => [name, notReached(name)])),
  });
  await openArrivals(join(folder.path, 'state')).update(showcaseArrival, () => showcaseArrival);
  await server.accounts.create({ name: 'vera', role: 'viewer', password });
  await server.accounts.create({ name: 'alice', role: 'admin', password });
  await server.accounts.create({ name: 'bob', role: 'admin', password });
  await server.accounts.tokens.create({ name: 'kept', role: 'viewer' });
  await pushArtifact(
    openRepository(server.store, 'm', { owner: { provenance: 'import' } }),
    buildImage('m'),
    '1',
  );
  task = (await server.tasks.submit({ type: 'sync', reference: 'r', actor: 'alice' })).id;
  admin = openBrowserSession(server);
  other = openBrowserSession(server);
  await admin.signIn('alice', password);
  await other.signIn('bob', password);
  const overridden = await admin.post(
    '/admin/retriever/interval',
    { interval: '6h' },
    { page: '/admin/retriever' },
  );
  assert.equal(overridden.status, 303);
  for (const [name, fields] of [
    ['rate-limit', { rateLimit: '3MiB' }],
    ['windows', { windows: '00:00-24:00' }],
  ] as const)
    assert.equal(
      (await admin.post(`/admin/network/${name}`, fields, { page: '/admin/network' })).status,
      303,
    );
});
beforeEach(() => {
  reached.length = 0;
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

/** Everything that an action could change. */
async function state(): Promise<unknown> {
  const { interval } = (await (await server.fetch('/api/v1/retriever')).json()) as { interval: unknown };
  const { link } = (await (await server.fetch('/api/v1/network')).json()) as { link: unknown };
  return {
    link,
    accounts: (await server.accounts.list()).map(({ lastLoginAt: _, ...account }) => account),
    tokens: await server.accounts.tokens.list(),
    content: server.store.index.repositories(),
    mediaId: server.store.mediaId,
    tasks: (await server.tasks.list()).tasks.map(({ id, status }) => [id, status]),
    interval,
    deliveries: await openArrivals(join(folder.path, 'state')).list(),
    reached: [...reached],
    password: (await server.accounts.verifyPassword(server.accounts.find('alice')!, password)) && 'as before',
    done: server.report.audits.filter(
      ({ outcome, action }) => outcome === 'success' && action !== 'session.login',
    ).length,
  };
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | URLSearchParams;
}

/** Sends a form as it is, by default with the cookies of the administrator. */
async function send(path: string, { headers = {}, body }: Sent, cookies = admin.cookies): Promise<Response> {
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...headers },
    body,
  });
}

/** As `send`, then opens the result that it leads to. */
async function sendAndOpen(path: string, sent: Sent): Promise<Response> {
  const answer = await send(path, sent);
  const location = answer.headers.get('location') ?? '';
  return /[?&]result=/.test(location) ? admin.get(location) : answer;
}

/** The answer is a page that describes the error, under the policy, and shows no secret. */
async function requirePage(answer: Response, codes: readonly string[], name: string): Promise<string> {
  const text = await answer.text();
  assert.ok(answer.status >= 400 && answer.status < 500, `${name}: ${answer.status} ${text.slice(-1500)}`);
  assert.equal(answer.headers.get('content-security-policy'), contentPolicy, name);
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', name);
  assert.equal(answer.headers.get('cache-control'), 'no-store', name);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/, name);
  parseStrictHtml(text, name);
  assert.ok(
    codes.some((code) => text.includes(code)),
    `${name}: ${/SVC-[A-Z]+-[0-9]+/.exec(text)?.[0]} instead of ${codes.join(', ')}`,
  );
  assert.ok(text.includes(answer.headers.get('x-request-id')!), `${name}: the correlation id`);
  for (const secret of secrets) assert.ok(!text.includes(secret), `${name}: shows ${secret}`);
  return text;
}

const encode = (fields: Readonly<Record<string, string>>): Sent => ({ body: new URLSearchParams(fields) });
const boundary = 'x'.repeat(30);
/** A multipart body written by hand, as a browser would not write it. */
const multipart = (parts: readonly string[], type = `multipart/form-data; boundary=${boundary}`): Sent => ({
  headers: { 'content-type': type },
  body: `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`,
});
const part = (name: string, value: string, more = ''): string =>
  `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}`;

test('the table has a form for every action', () => {
  assert.deepEqual(Object.keys(forms).sort(), [...actions].sort());
});

for (const action of actions) {
  test(`POST ${action}: a token that is forged, missing or of somebody else does nothing, and the form comes back filled`, async () => {
    const { path, page, fields, again } = formOf(action);
    const anonymous = openBrowserSession(server);
    const tokens = {
      'no token': undefined,
      'an empty token': '',
      'a forged token': Buffer.alloc(64, 7).toString('base64url'),
      'the token of another session': await other.tokenOf(page),
      'the token of nobody': await anonymous.tokenOf('/login'),
      'a token cut short': (await admin.tokenOf(page)).slice(0, 43),
    };
    const before = await state();
    for (const [name, csrf] of Object.entries(tokens)) {
      const answer = await send(path, encode({ ...(csrf === undefined ? {} : { csrf }), ...fields }));
      const text = await requirePage(answer, ['SVC-AUTH-004'], name);
      if (again !== undefined) assert.ok(text.includes(again), `${name}: the form is not filled`);
      assert.equal(answer.headers.getSetCookie().join(), '', name);
    }
    assert.deepEqual(await state(), before);
  });

  test(`POST ${action}: what another site, another port or a program sends does nothing`, async () => {
    const { path, page, fields } = formOf(action);
    const form = encode({ csrf: await admin.tokenOf(page), ...fields });
    const before = await state();
    const port = Number(new URL(server.url).port);
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${port + 1}` },
      { origin: `http://127.0.0.1:${port}.evil.example` },
      { 'sec-fetch-site': 'cross-site', origin: server.url },
    ] as Record<string, string>[])
      await requirePage(await send(path, { ...form, headers }), ['SVC-AUTH-004'], JSON.stringify(headers));
    if (!['/login', '/logout', '/lang', '/theme'].includes(action))
      for (const authorization of [
        server.as.admin,
        `Basic ${Buffer.from(`bob:${password}`).toString('base64')}`,
      ])
        await requirePage(
          await send(path, { ...form, headers: { authorization } }, new Map()),
          ['SVC-AUTH-004'],
          authorization.slice(0, 6),
        );
    assert.deepEqual(await state(), before);
  });

  test(`POST ${action}: a body that is no such form does nothing`, async () => {
    const { path, page, fields } = formOf(action);
    const csrf = await admin.tokenOf(page);
    const good = new URLSearchParams({ csrf, ...fields }).toString();
    const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
    const parts = Object.entries({ csrf, ...fields }).map(([name, value]) => part(name, value));
    const before = await state();
    const bodies: readonly (readonly [name: string, sent: Sent, ...codes: string[]])[] = [
      [
        'JSON',
        { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ csrf, ...fields }) },
        'SRV-005',
      ],
      ['plain text', { headers: { 'content-type': 'text/plain' }, body: good }, 'SRV-005'],
      ['a type without end', { headers: { 'content-type': 'x'.repeat(4000) }, body: good }, 'SRV-005'],
      ['no boundary', multipart(parts, 'multipart/form-data'), 'SRV-005'],
      ['another boundary', multipart(parts, 'multipart/form-data; boundary=y'), 'SRV-005'],
      ['multipart of another kind', multipart(parts, `multipart/mixed; boundary=${boundary}`), 'SRV-005'],
      [
        'multipart that breaks off',
        {
          headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
          body: `--${boundary}\r\n${parts[0]}`,
        },
        'SRV-005',
      ],
      [
        'a part in a part',
        multipart([
          `Content-Disposition: form-data; name="csrf"\r\nContent-Type: multipart/mixed; boundary=z\r\n\r\n--z\r\n${part('csrf', csrf)}\r\n--z--`,
        ]),
        'AUTH-004',
        'SRV-005',
      ],
      ['10 000 fields', { headers: urlencoded, body: `${good}${'&a=1'.repeat(10_000)}` }, 'VAL-002'],
      [
        '10 000 parts',
        multipart([...parts, ...Array.from({ length: 10_000 }, () => part('a', '1'))]),
        'VAL-002',
      ],
      ['bad percent signs', { headers: urlencoded, body: 'csrf=%&%zz=%ff&%00=%' }, 'AUTH-004'],
      ['two tokens', { headers: urlencoded, body: `csrf=x&${good}` }, 'AUTH-004'],
      ['a token too many', { headers: urlencoded, body: `${good}&csrf=x` }, 'VAL-001', 'SRV-007'],
      // a list takes a field as often as it comes
      ...Object.entries(fields)
        .filter(([name]) => !['ids', 'folders', 'column'].includes(name))
        .flatMap(([name, value]) => [
          [
            `${name} twice`,
            { headers: urlencoded, body: `${good}&${new URLSearchParams({ [name]: `${value}x` })}` },
            'VAL-001',
            'SRV-007',
          ] as const,
        ]),
      ['16 MiB', { headers: urlencoded, body: `${good}&a=${'x'.repeat(16 << 20)}` }, 'VAL-002', 'VAL-001'],
    ];
    for (const [name, sent, ...codes] of bodies)
      await requirePage(
        await send(path, sent),
        codes.map((code) => `SVC-${code}`),
        name,
      );
    assert.deepEqual(await state(), before);
  });
}

test('a file name of 10 000 characters, and files that a form does not ask for, are left alone', async () => {
  const csrf = await admin.tokenOf('/recipes/publish');
  const long = `${'n'.repeat(10_000)}.yaml`;
  const answer = await sendAndOpen(
    '/recipes/publish/preview',
    multipart([
      part('csrf', csrf),
      part('document', ''),
      part('document-file', document, `; filename="${long}"`),
      part('other-file', 'x', `; filename="${long}"`),
    ]),
  );
  const text = await answer.text();
  assert.equal(answer.status, 200, text.slice(-1500));
  parseStrictHtml(text, 'preview');
  assert.match(text, /1\.4\.2/);
  assert.ok(!text.includes('n'.repeat(100)));
});

test('a recipe of 4 MiB of comments is read within its limit, and one byte more is refused', async () => {
  const csrf = await admin.tokenOf('/recipes/publish');
  const line = `# ${'c'.repeat(1021)}\n`;
  const fill = (size: number): string => {
    const rest = size - document.length;
    return document + line.repeat(Math.floor(rest / line.length)) + '#'.repeat(rest % line.length);
  };
  const form = (text: string): Sent =>
    multipart([part('csrf', csrf), part('document-file', text, '; filename="r.yaml"')]);
  const whole = await sendAndOpen('/recipes/publish/preview', form(fill(4 << 20)));
  const text = await whole.text();
  assert.ok([200, 413, 422].includes(whole.status), `${whole.status} ${text.slice(-1500)}`);
  parseStrictHtml(text, 'whole');
  await requirePage(
    await send('/recipes/publish/preview', form(fill((4 << 20) + 1))),
    ['SVC-VAL-002'],
    'one more',
  );
  assert.deepEqual(reached, []);
});

test('a file that is no text, an empty one and a key of another certificate are refused where they were given', async () => {
  const binary = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00, 0x01]);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const another = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const body = async (page: string, fields: Record<string, string | Blob>): Promise<Response> => {
    const data = new FormData();
    data.set('csrf', await admin.tokenOf(page));
    for (const [name, value] of Object.entries(fields))
      typeof value === 'string' ? data.set(name, value) : data.set(name, value, 'a-file');
    const cookie = [...admin.cookies].map((pair) => pair.join('=')).join('; ');
    const path = page === '/admin/network' ? '/admin/network/preview' : '/recipes/publish/preview';
    return fetch(`${server.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', cookie, 'accept-language': 'fr' },
      body: data,
    });
  };
  const before = await state();
  const cases: readonly (readonly [string, () => Promise<Response>, string, RegExp])[] = [
    [
      'a picture as a recipe',
      () => body('/recipes/publish', { document: '', 'document-file': new Blob([binary]) }),
      'SVC-VAL-001',
      /doit être un texte en UTF-8/,
    ],
    [
      'an empty file as a recipe',
      () => body('/recipes/publish', { document: '', 'document-file': new Blob([]) }),
      'SVC-VAL-001',
      /manque|requis|vide/,
    ],
    ['an empty form', () => body('/recipes/publish', {}), 'SVC-VAL-001', /manque|requis|vide/],
    [
      'a picture as a certificate',
      () =>
        body('/admin/network', { certificate: '', 'certificate-file': new Blob([binary]), key: tlsPair.key }),
      'SVC-VAL-001',
      /doit être un texte en UTF-8/,
    ],
    [
      'an empty certificate',
      () => body('/admin/network', { certificate: '', 'certificate-file': new Blob([]), key: tlsPair.key }),
      'SVC-VAL-001',
      /manque/,
    ],
    [
      'the key of another certificate',
      () => body('/admin/network', { certificate: tlsPair.cert, key: another }),
      'SVC-NET-004',
      /clé/,
    ],
  ];
  for (const [name, asked, code, words] of cases) {
    const text = await requirePage(await asked(), [code], name);
    assert.match(toPageText(text), words, name);
    assert.doesNotMatch(toPageText(text), /encoded data/, `${name}: no text of a library`);
    assert.ok(!text.includes('PRIVATE KEY'), `${name}: shows the key`);
  }
  assert.deepEqual(await state(), before);
});

const elsewhere = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\r\n//evil.example',
  '/\r\nset-cookie: svc_session=x',
  'https://evil.example/',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  ' //evil.example',
  'x',
  '',
  '/'.repeat(5000),
] as const;

test('a form leads nowhere else: next is a path of this instance, or the overview', async () => {
  for (const next of elsewhere)
    for (const [path, fields] of [
      ['/login', { name: 'vera', password }],
      ['/lang', { language: 'fr' }],
      ['/theme', { theme: 'dark' }],
    ] as const) {
      const session = openBrowserSession(server);
      const answer = await session.post(path, { ...fields, next });
      assert.equal(answer.status, 303, `${path} ${JSON.stringify(next)}`);
      assert.equal(answer.headers.get('location'), '/', `${path} ${JSON.stringify(next)}`);
      assert.ok(!answer.headers.getSetCookie().some((line) => /=x(?:;|$)/.test(line)));
    }
  for (const encoded of [
    '/%2f/evil.example',
    '/%5cevil.example',
    '/tasks?q=//evil.example',
    '/..//evil.example/',
  ]) {
    const answer = await openBrowserSession(server).post('/login', { name: 'vera', password, next: encoded });
    const location = answer.headers.get('location')!;
    assert.equal(new URL(location, server.url).host, new URL(server.url).host, encoded);
  }
});

test('next may have any letters, which are encoded on the way', async () => {
  for (const next of ['/content?q=日本', '/tasks?q=été', '/tasks?q=\u202e', '/tasks?q=\ud800']) {
    const answer = await openBrowserSession(server).post('/login', { name: 'vera', password, next });
    assert.equal(answer.status, 303, await answer.text());
    assert.match(answer.headers.get('location')!, /^\/[a-z]+\?q=[!-~]+$/);
  }
});

test('a link on another site fills the form of an import and asks nobody; it causes no call of the API', async () => {
  const cookie = `svc_session=${admin.cookies.get('svc_session')}`;
  const navigate = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html' };
  for (const site of ['cross-site', 'same-site', 'none', undefined]) {
    const headers = { cookie, ...navigate, ...(site === undefined ? {} : { 'sec-fetch-site': site }) };
    const page = await requestRaw(`${server.url}/import?reference=evil.example/x:1`, headers);
    assert.equal(page.status, 200, site);
    assert.match(page.body.toString(), /value="evil\.example\/x:1"/);
    assert.deepEqual(reached, [], site);
  }
  for (const path of ['/import/inspect?reference=evil.example/x:1', '/sync/prune-preview'])
    for (const site of ['cross-site', 'same-site']) {
      const headers = { cookie, ...navigate, 'sec-fetch-site': site };
      assert.equal((await requestRaw(`${server.url}/api/v1${path}`, headers)).status, 403, `${site} ${path}`);
    }
  assert.deepEqual(reached, []);
});

test('what a page shows is what its form removes: without the fingerprint, and with an old one, nothing happens', async () => {
  // the question before a task is cancelled shows nothing that could change meanwhile
  const needing = uiRoutes.flatMap((route) =>
    'mirror' in route && route.needsPreview !== undefined && !route.path.endsWith('/cancel')
      ? [route.path]
      : [],
  );
  const removing = uiRoutes.flatMap((route) =>
    'mirror' in route &&
    /^DELETE |\/(?:revoke|reset)$|^POST \/(?:sync|oci-layout\/import)$/.test(nameMirror(route.mirror))
      ? [route.path]
      : [],
  );
  // a store is not emptied while a task runs
  await server.tasks.cancel(task, 'alice');
  await server.tasks.settled(task);
  assert.deepEqual([...needing].sort(), [...removing].sort(), 'every action that removes needs a preview');
  for (const action of needing) {
    const { path, page, fields } = formOf(action);
    const before = await state();
    for (const fingerprint of [undefined, '', digest]) {
      // this server plans and previews nothing, which the actions whose preview asks the network would
      if (fingerprint === digest && /sync|oci-layout/.test(action)) continue;
      const { fingerprint: _, ...rest } = fields;
      const csrf = await admin.tokenOf(page);
      const answer = await send(
        path,
        encode({ csrf, ...rest, ...(fingerprint === undefined ? {} : { fingerprint }) }),
      );
      const name = `${action} with ${fingerprint}`;
      const text = await answer.text();
      assert.match(text, /SVC-(?:SRV-007|STO-015|SRV-001)/, name);
      const anew = fingerprintOf(text, path);
      if (!/sync|oci-layout/.test(action)) {
        assert.equal(answer.status, 409, name);
        assert.match(anew ?? '', /^sha256:[0-9a-f]{64}$/, `${name}: the preview is shown anew`);
        assert.notEqual(anew, digest, name);
      }
    }
    reached.length = 0;
    assert.deepEqual(
      { ...((await state()) as object), reached: [] },
      { ...(before as object), reached: [] },
      action,
    );
  }
});
