import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import { apiRoutes } from '../../../server/api/routes.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;
before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const basic = `Basic ${Buffer.from('admin:admin password').toString('base64')}`;

async function ask(method: string, path: string, body?: string): Promise<{ status: number; body: any }> {
  const response = await server.fetch(`/api/v1${path}`, {
    method,
    headers: { authorization: basic, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: await response.json() };
}

test('a query parameter that is unknown, empty where that means nothing, or given twice is refused by its name', async () => {
  for (const [query, rule] of [
    ['pagesize=5', 'is not a known parameter'],
    ['page=', 'must be a whole number'],
    ['status=', /^must be one of /],
    ['page=1&page=2', 'must be given once'],
  ] as const) {
    const { status, body } = await ask('GET', `/tasks?${query}`);
    assert.deepEqual([status, body.code], [422, 'SVC-VAL-001'], query);
    if (typeof rule === 'string') assert.equal(body.params.rule, rule);
    else assert.match(body.params.rule, rule);
    assert.equal(body.params.path, `/${query.split('=')[0]}`);
  }
  assert.equal((await ask('GET', '/tasks?q=&page=1')).status, 200);
  assert.equal((await ask('GET', '/content?kind=FileSet&kind=HelmChart&prefix=')).status, 200);
});

test('a member that is given twice is refused by its name, at any depth and however it is written', async () => {
  const accounts = async () => (await ask('GET', '/accounts')).body.accounts.length;
  const before = await accounts();
  for (const [path, text, name] of [
    ['/accounts', '{"name":"eve","role":"viewer","password":"a long password","role":"admin"}', 'role'],
    ['/accounts', '{"name":"eve","r\\u006fle":"viewer","role":"admin","password":"a long password"}', 'role'],
    ['/sync', '{"prune":{"a":1,"a":2}}', 'a'],
  ] as const) {
    const { status, body } = await ask('POST', path, text);
    assert.deepEqual([status, body.code], [422, 'SVC-VAL-001'], text);
    assert.equal(body.params.rule, `names ${name} twice in one object`);
  }
  assert.equal(await accounts(), before);
});

test('a fingerprint that is none is refused before anything is compared with it', async () => {
  for (const [method, path, more] of [
    ['POST', '/sync', { prune: false }],
    ['DELETE', '/retriever/interval', {}],
    ['POST', '/store/reset', { confirmation: 'RESET' }],
  ] as const)
    for (const fingerprint of ['', 'sha256:', `sha256:${'g'.repeat(64)}`]) {
      const { status, body } = await ask(method, path, JSON.stringify({ ...more, fingerprint }));
      const found = [status, body.code, body.params.path, body.params.rule];
      assert.deepEqual(
        found,
        [422, 'SVC-VAL-001', '/fingerprint', 'must be a digest'],
        `${path} ${fingerprint}`,
      );
    }
  assert.equal(server.tasks.pending(), 0);
});

test('an invalid attempt to change access is audited', async () => {
  const attempts: readonly (readonly [string, string, string, string])[] = [
    ['POST', '/account/password', '{"current":1}', 'account.password_change'],
    ['POST', '/account/password', 'no JSON', 'account.password_change'],
    ['POST', '/accounts', '{}', 'account.create'],
    ['PATCH', '/accounts/admin', '{"role":7}', 'account.role_change'],
    ['POST', '/tokens', '{}', 'token.create'],
    ['POST', '/tokens/x/revoke?force=1', '{}', 'token.revoke'],
  ];
  for (const [method, path, body, action] of attempts) {
    const before = server.report.audits.length;
    assert.equal((await ask(method, path, body)).status, 422);
    const told = server.report.audits.slice(before);
    assert.deepEqual(
      told.map((one) => [one.actor, one.action, one.outcome, one.details?.code]),
      [['admin', action, 'failure', 'SVC-VAL-001']],
    );
  }
});

test('every request with an effect that is refused because it is invalid is audited once, with its outcome', async () => {
  const harmless = new Set([
    '/plan',
    '/oci-layout/plan',
    '/oci-layout/import-plan',
    '/recipes/lint',
    '/recipes/pin',
    '/recipes/diff',
  ]);
  const routes = apiRoutes.filter(({ method, path }) => method !== 'GET' && !harmless.has(path));
  assert.ok(routes.length > 15);
  for (const { method, path } of routes) {
    const target = path.replaceAll(/\{[a-z]+\}/g, 'x');
    for (const [query, body] of [
      ['', '{"unknown":1}'],
      ['', 'no JSON'],
      ['?unknown=1', '{}'],
    ] as const) {
      const before = server.report.audits.length;
      assert.equal((await ask(method, `${target}${query}`, body)).status, 422, `${method} ${target}`);
      const audits = server.report.audits.slice(before);
      // the body with the subject was not read
      const named = path === '/store/reset' ? /^\// : `${method} /api/v1${target}`;
      if (typeof named === 'string') assert.equal(audits[0]?.target, named);
      else assert.match(audits[0]?.target ?? '', named);
      assert.deepEqual(
        audits.map((one) => [one.actor, one.outcome, one.details?.code]),
        [['admin', 'failure', 'SVC-VAL-001']],
        `${method} ${target}${query} ${body}`,
      );
    }
  }
});

test('a request that is refused because the instance is not set up for it is audited once', async () => {
  const long = JSON.stringify({ reference: 'reg.example/c/shop:1.0.0', document: 'x'.repeat(4_194_305) });
  for (const [method, path, body, action, code] of [
    ['POST', '/media/verify', '{}', 'media.verify', 'SVC-CFG-001'],
    ['POST', '/media/import', '{"allowStale":true}', 'media.import', 'SVC-CFG-001'],
    ['POST', '/recipes/publish', long, 'recipe.publish', 'SVC-VAL-002'],
  ] as const) {
    const before = server.report.audits.length;
    assert.equal((await ask(method, path, body)).body.code, code);
    const audits = server.report.audits.slice(before);
    assert.deepEqual(
      audits.map((one) => [one.actor, one.action, one.outcome, one.details?.code]),
      [['admin', action, 'failure', code]],
      path,
    );
  }
});

test('the described bodies admit no value that the server always refuses', () => {
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false });
  const bodyOf = (path: string) =>
    ajv.compile(apiRoutes.find((route) => route.path === path && route.body)!.body!.schema);
  const cases: readonly (readonly [path: string, good: unknown, bad: readonly unknown[]])[] = [
    ['/store/reset', { confirmation: 'RESET' }, [{ confirmation: 'reset' }]],
    [
      '/account/password',
      { current: 'a', new: 'twelve chars' },
      [
        { current: 'a', new: 'eleven char' },
        { current: 'a', new: 'x'.repeat(1025) },
        { current: 'a', new: 'svc_twelve chars' },
        { current: 'a', new: 'twelve\nchars' },
      ],
    ],
    ['/oci-layout/export', { output: '/x.tar' }, [{ output: 'x.tar' }, { output: '/x\0' }]],
    [
      '/oci-layout/import',
      { input: '/x.tar', repository: 'a/b:1' },
      [{ input: 'x' }, { input: '/x', repository: '../x' }],
    ],
    [
      '/recipes/publish',
      { reference: 'reg.example:5000/cookbook/shop:1.0.0', document: 'x' },
      [
        { reference: 'reg.example/shop:1', document: 'x' },
        { reference: 'user:pw@reg.example/c/shop:1', document: 'x' },
      ],
    ],
    [
      '/import',
      { reference: 'oci://reg.example/x:1', platforms: [{ name: 'x', digest: `sha256:${'0'.repeat(64)}` }] },
      [
        { reference: 'nginx', platforms: [{ name: 'x', digest: `sha256:${'0'.repeat(64)}` }] },
        { reference: 'oci://reg.example/x:1', platforms: [] },
      ],
    ],
    ['/filesets/pack', { source: '/x', name: 'n', version: '1' }, [{ source: 'x', name: 'n', version: '1' }]],
  ];
  for (const [path, good, bad] of cases) {
    const check = bodyOf(path);
    assert.ok(check(good), `${path} ${JSON.stringify(check.errors)}`);
    for (const one of bad) assert.ok(!check(one), `${path} ${JSON.stringify(one)}`);
  }
});
