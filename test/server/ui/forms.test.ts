import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiRoute } from '../../../server/api/api-route.ts';
import { apiRoutes } from '../../../server/api/routes.ts';
import { fieldsToRequest, listSecrets } from '../../../server/ui/fields-to-body.ts';
import { field } from '../../../src/contract/operation.ts';
import { boolean, integer, list, object, string } from '../../../src/contract/schema.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';

let folder: TempFolder;
let server: TestServer;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  await server.accounts.create({ name: 'alice', role: 'viewer', password: 'a good password' });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const route: ApiRoute = {
  id: 'changeThing',
  errors: [],
  method: 'POST',
  path: '/things/{name}',
  floor: 'viewer',
  summary: '',
  query: { force: field(string, '', 'yes') },
  headers: {},
  body: {
    examples: {},
    schema: object({
      'title?': string,
      'prune?': boolean,
      'count?': integer,
      'items?': list(string),
      'keys?': list({ ...string, contentMediaType: 'application/x-pem-file' }),
      'secret?': { type: 'string', format: 'password' },
    }),
  },
  answer: { status: 204, description: '' },
  handler: () => ({ empty: true }),
};

const fields = (given: Record<string, string | readonly string[]>) =>
  new Map(Object.entries(given).map(([name, value]) => [name, [value].flat()] as const));

const toLines = (...lines: readonly string[]): string => lines.join('\r\n');

test('fields become members by the types of the schema, parameters of the path and of the query', () => {
  const given = {
    csrf: 'token',
    _preview: 'own',
    name: 'x',
    force: 'yes',
    title: 'two\r\nlines',
    prune: 'true',
    count: '12',
    items: ['a\r\nb', '', 'c'],
    keys: toLines('of a', '-----BEGIN X-----', 'A', '-----END X-----', '', '-----BEGIN X-----', 'no end', ''),
  };
  assert.deepEqual(fieldsToRequest(route, fields(given), {}), {
    path: { name: 'x' },
    query: { force: 'yes' },
    body: {
      title: 'two\nlines',
      prune: true,
      count: 12,
      items: ['a', 'b', 'c'],
      keys: ['of a\n-----BEGIN X-----\nA\n-----END X-----', '\n-----BEGIN X-----\nno end\n'],
    },
  });
});

test('an empty field and an unticked box leave their member out; the path of the form comes first', () => {
  const given = fields({ name: 'field', title: '', prune: ['', 'false'] });
  assert.deepEqual(fieldsToRequest(route, given, { name: 'path' }), {
    path: { name: 'path' },
    query: {},
    body: { prune: false },
  });
});

test('what the route does not take is refused by name', () => {
  for (const [given, path] of [
    [{ name: 'x', other: '1' }, '/other'],
    [{ name: 'x', prune: 'perhaps' }, '/prune'],
    [{ name: 'x', count: '-1' }, '/count'],
    [{ name: 'x', count: '1e3' }, '/count'],
    [{ name: 'x', constructor: '1' }, '/constructor'],
    [{ title: 'x' }, '/name'],
  ] as const)
    assert.throws(
      () => fieldsToRequest(route, fields(given), {}),
      (error: any) => error.code === 'SVC-VAL-001' && error.params.path === path,
      path,
    );
});

test('passwords are never shown again', () => {
  assert.deepEqual([...listSecrets(route, ['key'])].sort(), [
    'csrf',
    'key',
    'key-base64',
    'secret',
    'secret-base64',
  ]);
  // a document is no secret, under any name of its member
  for (const { method, path, body } of apiRoutes)
    for (const [name, schema] of Object.entries((body?.schema.properties ?? {}) as Record<string, any>))
      if (schema.type === 'string' && /password|secret|^(?:current|new)$/.test(name))
        assert.equal(schema.format, 'password', `${method} ${path} ${name}`);
});

test('a form that is too long, has too many fields or is no form is refused before it does anything', async () => {
  const session = openBrowserSession(server);
  await session.signIn('alice', 'a good password');
  const csrf = await session.tokenOf('/account');
  const cookie = `svc_session=${session.cookies.get('svc_session')}`;
  const send = async (body: string, type = 'application/x-www-form-urlencoded') => {
    const response = await fetch(`${server.url}/account/password`, {
      method: 'POST',
      headers: { cookie, accept: 'text/html', 'content-type': type },
      body,
    });
    const text = await response.text();
    return { status: response.status, code: /SVC-[A-Z]+-[0-9]+/.exec(text)?.[0] };
  };
  assert.deepEqual(await send(`csrf=${csrf}&x=${'y'.repeat(16 << 20)}`), {
    status: 413,
    code: 'SVC-VAL-002',
  });
  assert.deepEqual(await send(`csrf=${csrf}${'&a=1'.repeat(1001)}`), { status: 413, code: 'SVC-VAL-002' });
  assert.deepEqual(await send('{}', 'application/json'), { status: 415, code: 'SVC-SRV-005' });
  assert.deepEqual(await send('--x', 'multipart/form-data; boundary=x'), {
    status: 415,
    code: 'SVC-SRV-005',
  });
  assert.deepEqual(await send('--x', 'multipart/form-data'), { status: 415, code: 'SVC-SRV-005' });
  assert.deepEqual(await send(`csrf=${csrf}&current=a&new=b&admin=true`), {
    status: 422,
    code: 'SVC-VAL-001',
  });
  const failures = server.report.audits.filter(({ action }) => action === 'account.password_change');
  assert.deepEqual(
    failures.map(({ outcome, details }) => `${outcome} ${details?.code}`),
    ['VAL-002', 'VAL-002', 'SRV-005', 'SRV-005', 'SRV-005', 'VAL-001'].map((code) => `failure SVC-${code}`),
  );
});

test('a file stands for its text field, and not beside it', async () => {
  const session = openBrowserSession(server);
  await session.signIn('alice', 'a good password');
  const cookie = `svc_session=${session.cookies.get('svc_session')}`;
  const send = async (text: string, file: string) => {
    const body = new FormData();
    body.set('csrf', await session.tokenOf('/account'));
    body.set('current', text);
    body.set('new', 'a new password');
    body.set('current-file', new Blob([file]), 'current.txt');
    const headers = { cookie, accept: 'text/html' };
    return fetch(`${server.url}/account/password`, { method: 'POST', headers, body, redirect: 'manual' });
  };
  const both = await send('typed', 'in a file');
  assert.equal(both.status, 422);
  assert.match(await both.text(), /SVC-VAL-001/);
  const wrong = await send('', 'another password');
  assert.match(await wrong.text(), /SVC-AUTH-006/);
  assert.equal((await send('', 'a good password')).status, 303);
});
