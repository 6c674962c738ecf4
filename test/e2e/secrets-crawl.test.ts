import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { apiRoutes } from '../../server/api/routes.ts';
import { uiRoutes } from '../../server/ui/routes.ts';
import { isPage } from '../../server/ui/ui-route.ts';
import { buildImage } from '../kit/content/content.ts';
import { publishRecipe, toOrigin } from '../kit/content/origin.ts';
import { toRetriever } from '../kit/content/retriever.ts';
import { adminName } from '../kit/instance/instance.ts';
import { settleTask } from '../kit/instance/settle-task.ts';
import { createTestProxy } from '../kit/program/proxy.ts';
import { tlsPair } from '../kit/program/tls-pair.ts';
import { openApi } from '../kit/result/documented.ts';
import { Evidence } from '../kit/result/evidence.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';
import { type BrowserSession, openBrowserSession } from '../kit/web/browser-session.ts';

const roles = ['viewer', 'operator', 'admin'] as const;

/** Words that stand nowhere else, by where they are given. */
const secrets = {
  'proxy password': 'Pr0xy-c4nary-w0rd',
  'upstream password': 'Upstr3am-c4nary-w0rd',
  'identity token of the credentials file': '1dentity-c4nary-t0ken',
  'query of the Retriever': 'qu3ry-c4nary-w0rd',
  'query of a redirect': 'r3direct-c4nary-w0rd',
  'password in the realm': 'r3alm-c4nary-w0rd',
  'query of the realm': 'r3almquery-c4nary-w0rd',
  'password in a reference': 'r3ference-c4nary-w0rd',
  'password of an account': 'acc0unt-c4nary-w0rd',
  'wrong password': 'wr0ng-c4nary-w0rd',
  'new password': 'n3w-c4nary-w0rd',
  'password typed as a name': 'typ3d-c4nary-w0rd',
  'a token of the environment': 'env1ronment-c4nary-w0rd',
  'a key beside the packed files': 'b3side-c4nary-w0rd',
};

const basic = (name: string, password: string): string => btoa(`${name}:${password}`);

/** The canaries where the examples of the document have something harmless. */
function plantInto(value: unknown): unknown {
  const hostileReference = `https://someone:${secrets['password in a reference']}@127.0.0.1:9/charts/app:1.0.0`;
  const planted: Readonly<Record<string, string>> = {
    password: secrets['new password'],
    current: secrets['wrong password'],
    new: secrets['new password'],
    key: tlsPair.key,
    certificate: tlsPair.otherCa,
    reference: hostileReference,
    'old-reference': hostileReference,
  };
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, given]) => [name, planted[name] ?? given]));
}

function exampleOf(method: string, path: string): Readonly<Record<string, unknown>> {
  const entry = openApi.paths[`/api/v1${path}`][method.toLowerCase()];
  const examples = Object.values<any>(entry.requestBody?.content['application/json'].examples ?? {});
  return plantInto(examples[0]?.value ?? {}) as Record<string, unknown>;
}

/** The fields of forms whose action is no operation with a body. */
const ownFields: Readonly<Record<string, object>> = {
  '/admin/network/preview': { certificate: '', key: '' },
  '/recipes/publish/preview': { reference: '', document: '' },
  '/recipes/check': { document: '' },
  '/recipes/compare': { 'old-reference': '', 'new-reference': '' },
  '/import/inspect': { reference: '' },
  '/recipes/sync/prune': {},
  '/lang': { lang: 'fr' },
  '/theme': { theme: 'dark' },
  '/columns': { table: 'content', column: 'kind' },
};

const toText = (response: Response, body: string): string =>
  `${response.status}\n${[...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${body}`;

test('no secret appears in any answer to anybody, in a log, a task, a file or the output of a command', async (t) => {
  const evidence = new Evidence();
  for (const [name, value] of Object.entries(secrets)) evidence.plant(name, value);
  for (const [i, line] of tlsPair.key.split('\n').entries())
    if (!line.startsWith('-') && line.length > 12) evidence.plant(`listener key, line ${i}`, line);
  const before = getGlobalDispatcher();
  setGlobalDispatcher(new Agent({ connect: { ca: [tlsPair.ca] } }));
  t.after(() => setGlobalDispatcher(before));

  await using world = await openRehearsal();
  await using proxy = await createTestProxy({ username: 'egress', password: secrets['proxy password'] });
  const auth = { kind: 'bearer', username: 'reader', password: secrets['upstream password'] } as const;
  const double = await world.double({ tls: tlsPair, auth });
  const origin = toOrigin(double);
  const image = buildImage('crawl');
  await origin.put('shop/web', image, '1.0');
  await publishRecipe(origin, {
    name: 'shop',
    version: '1.0.0',
    ingredients: [
      { name: 'web', repository: 'shop/web', version: '1.0', digest: image.manifest.descriptor.digest },
    ],
    signatures: [{ signer: world.signer }],
  });
  const document = toRetriever({
    cookbook: `${origin.host}/cookbook`,
    recipes: [{ name: 'shop', version: '^1' }],
  });
  double.intercept((request, response) => {
    if (!request.path.startsWith('/retriever.yaml')) return false;
    response.end(document);
    return true;
  });
  const credentials = world.path('credentials.json');
  const pair = basic('reader', secrets['upstream password']);
  evidence.plant('entry of the credentials file', pair);
  evidence.plant('credential of the proxy', basic('egress', secrets['proxy password']));
  await writeFile(
    credentials,
    JSON.stringify({
      auths: {
        [origin.host]: { auth: pair },
        'other.example': { identitytoken: secrets['identity token of the credentials file'] },
      },
    }),
    { mode: 0o600 },
  );
  for (const folder of ['keys', 'packed/tree']) await mkdir(world.path(folder), { recursive: true });
  await writeFile(world.path('keys/leaf.pem'), tlsPair.cert);
  await writeFile(world.path('keys/leaf-key.pem'), tlsPair.key, { mode: 0o600 });
  await writeFile(world.path('packed/secret.key'), secrets['a key beside the packed files'], { mode: 0o600 });
  await writeFile(world.path('packed/tree/file'), 'content');
  const instance = await world.start(
    'instance',
    {
      mode: 'mirror',
      zone: 'zone-b',
      server: {
        addr: '127.0.0.1:0',
        tls: { certFile: world.path('keys/leaf.pem'), keyFile: world.path('keys/leaf-key.pem') },
        trustedProxies: ['127.0.0.1'],
      },
      retriever: { source: `${double.origin}/retriever.yaml?signature=${secrets['query of the Retriever']}` },
      registries: { credentialsFile: credentials },
      network: {
        proxy: { url: proxy.url, username: 'egress', password: secrets['proxy password'] },
        tls: { caFiles: [tlsPair.caFile] },
      },
      trust: world.trust,
      sync: { retries: 0 },
      files: { packRoots: [world.path('packed')] },
      logging: { level: 'debug' },
    },
    { SVC_API_TOKEN: secrets['a token of the environment'] },
  );

  let requests = 0;
  /** Sends a request from an address of its own, and keeps the whole answer. */
  async function visit(
    method: string,
    path: string,
    init: RequestInit = {},
    isShown = true,
  ): Promise<string> {
    requests += 1;
    const headers = new Headers(init.headers);
    headers.set('x-forwarded-for', `198.18.${(requests >> 8) & 255}.${requests & 255}`);
    const response = await fetch(`${instance.url}${path}`, { redirect: 'manual', ...init, method, headers });
    const text = toText(response, await response.text());
    if (isShown) evidence.add(`${method} ${path}`, text);
    return text;
  }
  const json = { 'content-type': 'application/json' };
  const admin = { authorization: instance.authorization };

  // a run, so that there is something to show
  const { result, task } = await world.sync(instance, '--config', instance.configPath);
  evidence.add('output of svc sync', result.stdout + result.stderr);
  assert.equal(result.exitCode, 0, result.stderr + instance.log());
  const tokens = new Map<string, string>();
  for (const role of roles) {
    const { body } = await instance.api('POST', '/tokens', { name: `crawl-${role}`, role });
    tokens.set(role, body.secret ?? body.token.secret);
    evidence.plant(`token of the ${role}`, tokens.get(role)!);
    await instance.api('POST', '/accounts', {
      name: `crawl-${role}`,
      role,
      password: secrets['password of an account'],
    });
  }

  await t.test('runs and imports that fail, each for a credential in an address', async () => {
    const failing = async (name: string, path: string, body: unknown): Promise<void> => {
      const answer = await instance.api('POST', path, body);
      evidence.add(name, JSON.stringify(answer.body));
      assert.equal(answer.status, 201, `${name}: ${JSON.stringify(answer.body)}`);
      const { status } = await settleTask(instance, answer.body.task.id);
      assert.equal(status, 'failed', name);
    };
    const say = (prefix: string, headers: Record<string, string>, status: number) =>
      double.intercept((request, response) => {
        if (!request.path.startsWith(prefix)) return false;
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        const message = `no ${request.headers.authorization} ${JSON.stringify(headers)}`;
        response.end(JSON.stringify({ errors: [{ code: 'DENIED', message, detail: message }] }));
        return true;
      });
    const realm = `https://someone:${secrets['password in the realm']}@${double.host}/other?key=${secrets['query of the realm']}`;
    double.options = { ...double.options, auth: { ...auth, realm } };
    double.tokens.clear();
    await failing('a sync with credentials in the realm', '/sync', { prune: false });
    double.options = { ...double.options, auth };
    const location = `https://someone:${secrets['password in a reference']}@${double.host}/signed?X-Signature=${secrets['query of a redirect']}`;
    let stop = say('/v2/shop/', { location }, 307);
    const choice = { name: 'linux/amd64', digest: image.manifest.descriptor.digest };
    const reference = `${origin.host}/shop/web:1.0`;
    await failing('an import that is redirected', '/import', { reference, platforms: [choice] });
    stop();
    stop = say('/v2/', { 'x-echo': 'yes' }, 403);
    await failing('an import whose registry says back what it was told', '/import', {
      reference: `${origin.host}/shop/other:1.0`,
      platforms: [choice],
    });
    await failing('a sync whose registry says back what it was told', '/sync', {});
    stop();
  });
  for (const token of double.tokens.keys()) evidence.plant('token of the upstream registry', token);

  await t.test('wrong credentials', async () => {
    for (const authorization of [
      `Basic ${basic('admin', secrets['wrong password'])}`,
      `Basic ${basic(secrets['password typed as a name'], 'x')}`,
      `Bearer ${secrets['wrong password']}`,
      `Digest ${secrets['wrong password']}`,
    ])
      for (const path of ['/api/v1/tasks', '/v2/', '/files/x/y', '/tasks'])
        await visit('GET', path, { headers: { authorization } });
    await visit('GET', '/api/v1/tasks', { headers: { cookie: `svc_session=${secrets['wrong password']}` } });
  });

  const fill = (path: string): string =>
    path
      .replace('{repo}', `${origin.host.replace(':', '_')}/shop/web`)
      .replace('{tag}', '1.0')
      .replace('{id}', task.id)
      .replace('{recipe}', 'shop')
      .replace('{name}', path.startsWith('/recipes') ? 'shop' : 'nobody');

  await t.test('every route of the API as everybody', async () => {
    for (const role of [undefined, ...roles]) {
      const authorization: Record<string, string> =
        role === undefined ? {} : { authorization: `Bearer ${tokens.get(role)}` };
      for (const { method, path } of apiRoutes) {
        // operations that end the test, and those that may show a secret once
        if (path === '/store/reset' || (path === '/tokens' && method === 'POST')) continue;
        const query =
          path === '/import/inspect'
            ? `?reference=${encodeURIComponent(String(plantInto({ reference: '' })))}`
            : '';
        const body =
          method === 'GET' ? {} : { body: JSON.stringify(exampleOf(method, path)), headers: { ...json } };
        await visit(method, `/api/v1${fill(path)}${query}`, {
          ...body,
          headers: { ...body.headers, ...authorization },
        });
      }
    }
    const wrong = JSON.stringify({ password: [secrets['new password']], [secrets['new password']]: 1 });
    await visit('POST', '/api/v1/accounts', { headers: { ...admin, ...json }, body: wrong });
    await visit('POST', '/api/v1/accounts', {
      headers: { ...admin, ...json },
      body: `${wrong.slice(0, -1)}oops`,
    });
    for (const one of await instance.api('GET', '/tasks?pageSize=200').then(({ body }) => body.tasks))
      for (const path of ['', '/logs', '/logs?format=raw'])
        await visit('GET', `/api/v1/tasks/${one.id}${path}`, { headers: admin });
  });

  await t.test('every page and every form as everybody', async () => {
    const browse = async (who: string, session: BrowserSession): Promise<void> => {
      for (const route of uiRoutes) {
        if (route.method !== 'GET') continue;
        for (const language of ['en', 'fr']) {
          const response = await session.get(fill(route.path), { 'accept-language': language });
          evidence.add(`GET ${route.path} as ${who}`, toText(response, await response.text()));
        }
      }
      for (const route of uiRoutes) {
        if (route.method !== 'POST' || ['/logout', '/login', '/admin/store/reset'].includes(route.path))
          continue;
        if (route.path === '/admin/accounts/-/token') continue;
        const own = ownFields[route.path];
        const mirror = 'mirror' in route ? route.mirror : undefined;
        const example = own === undefined ? exampleOf(mirror!.method, mirror!.path) : plantInto(own);
        const fields = Object.fromEntries(
          Object.entries(example as object).map(([name, value]) => [name, String(value)]),
        );
        const page = uiRoutes.find((one) => isPage(one) && one.path === route.page)?.path ?? '/';
        const response = await session.post(fill(route.path), fields, { page: fill(page) });
        evidence.add(`POST ${route.path} as ${who}`, toText(response, await response.text()));
      }
    };
    const nobody = openBrowserSession(instance);
    await browse('nobody', nobody);
    for (const [name, password] of [
      [adminName, secrets['wrong password']],
      ['nobody', secrets['wrong password']],
    ] as const) {
      const response = await nobody.post('/login', { name, password });
      evidence.add('a sign-in with a wrong password', toText(response, await response.text()));
    }
    for (const role of roles) {
      const session = openBrowserSession(instance);
      await session.signIn(`crawl-${role}`, secrets['password of an account']);
      evidence.plant(`session of the ${role}`, session.cookies.get('svc_session')!);
      await browse(role, session);
    }
  });

  await t.test('registry, probes, metrics, assets and errors', async () => {
    const repository = fill('{repo}');
    for (const headers of [{}, admin])
      for (const [method, path] of [
        ['GET', '/healthz'],
        ['GET', '/readyz'],
        ['GET', '/metrics'],
        ['GET', '/static/theme.css'],
        ['GET', '/nothing'],
        ['GET', '/auth/callback'],
        ['PROPFIND', '/'],
        ['GET', '/v2/'],
        ['GET', '/v2/_catalog'],
        ['GET', `/v2/${repository}/tags/list`],
        ['GET', `/v2/${repository}/manifests/1.0`],
        ['GET', `/v2/${repository}/manifests/none`],
        ['POST', `/v2/${repository}/blobs/uploads/`],
        ['DELETE', `/v2/${repository}/manifests/1.0`],
        ['GET', '/files/nothing/x'],
      ] as const)
        await visit(method, path, { headers: { accept: 'text/html', ...headers } });
  });

  await t.test('commands', async () => {
    const env = { SVC_API_TOKEN: tokens.get('operator')! };
    for (const args of [
      ['config', 'dump'],
      ['config', 'dump', '--output', 'json'],
      ['user', 'list', '--output', 'json'],
      ['sync', '--instance', instance.url, '--wait'],
      ['sync', '--dry-run'],
      ['media', 'verify'],
    ]) {
      const { stdout, stderr } = await world.svc([...args, '--config', instance.configPath], { env });
      evidence.add(`svc ${args.join(' ')}`, stdout + stderr);
    }
  });

  assert.equal(await instance.stop(), 0);
  evidence.add('log', instance.log());
  assert.match(instance.log(), /"logType":"audit"/);
  await evidence.addTree('state', world.path('instance', 'state'));
  await evidence.addTree('store', world.path('instance', 'store'));
  assert.ok(evidence.size > 1_000_000, `${evidence.size} bytes looked through`);
  t.diagnostic(`${requests} requests beside pages, ${evidence.size} bytes looked through`);
  assert.deepEqual(evidence.find(), []);
});
