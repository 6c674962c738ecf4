import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { apiRoutes } from '../../server/api/routes.ts';
import { type Operations, operations } from '../../server/operations.ts';
import { registryMethods } from '../../server/registry/route.ts';
import { uiRoutes } from '../../server/ui/routes.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { svcError } from '../../src/text/error.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../kit/content/fileset-image.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { toArchive } from '../kit/content/tar-archive.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { openApi, requireDocumented } from '../kit/result/documented.ts';
import { folderPrint } from '../kit/result/folder-print.ts';
import { scriptMedia } from '../kit/scene/media-state.ts';
import { openBrowserSession } from '../kit/web/browser-session.ts';
import { nameMirror } from '../kit/web/printed-lines.ts';
import { routeTable, type SurfaceName } from '../structure/route-table.ts';

const roles = ['viewer', 'operator', 'admin'] as const;
type Role = (typeof roles)[number];

/** Senders of a request: without a credential, with one that is not accepted, or with a role. */
const credentials = [
  'nothing',
  'a wrong token',
  'a wrong password',
  'a revoked token',
  'an expired session',
  ...roles.map((role) => `a token: ${role}` as const),
  ...roles.map((role) => `a session: ${role}` as const),
] as const;
type Credential = (typeof credentials)[number];

const roleOf = (who: Credential): Role | undefined => roles.find((role) => who.endsWith(`: ${role}`));
const isSession = (who: Credential): boolean => who.includes('session');

interface Route {
  readonly surface: SurfaceName;
  readonly method: string;
  /** As the table has it. */
  readonly name: string;
  readonly floor: 'public' | Role;
}

const routes: readonly Route[] = Object.entries(routeTable).flatMap(([surface, rows]) =>
  rows.map(([method, name, floor]) => ({ surface: surface as SurfaceName, method, name, floor })),
);

/** The required answer: `admitted` says that the work of the route began. */
type Expected = 'admitted' | { readonly status: number; readonly code?: string; readonly location?: RegExp };

const isBelow = (role: Role, floor: 'public' | Role): boolean =>
  floor !== 'public' && roles.indexOf(role) < roles.indexOf(floor);

/** The rule of the whole listener: the answer of each surface to each credential. */
function expect({ surface, method, floor }: Route, who: Credential): Expected {
  const role = roleOf(who);
  const isForm = surface === 'ui' && method !== 'GET';
  if (isForm) {
    // a form of a public page is refused without its token, from any sender
    if (floor === 'public') return { status: 403, code: 'SVC-AUTH-004' };
    if (role === undefined) return { status: 401 };
    if (isBelow(role, floor)) return { status: 403, code: 'SVC-AUTH-003' };
    return isSession(who) ? 'admitted' : { status: 403, code: 'SVC-AUTH-004' };
  }
  if (floor === 'public') return 'admitted';
  const takesSession = surface === 'ui' || (surface === 'api' && method === 'GET');
  if (role === undefined || (isSession(who) && !takesSession)) {
    if (surface === 'ui') return { status: 303, location: /^\/login(\?|$)/ };
    const isExpired = who === 'an expired session' && takesSession;
    if (surface === 'registry') return { status: 401, code: 'UNAUTHORIZED' };
    return { status: 401, code: isExpired ? 'SVC-AUTH-005' : 'SVC-AUTH-002' };
  }
  return isBelow(role, floor) ? { status: 403, code: 'SVC-AUTH-003' } : 'admitted';
}

const image = buildImage('roles');
const config = image.blobs[0]!.descriptor.digest;
const tree = toFilesetImage([toLayer(toArchive({ file: 'content' }))]);

/** Operations that were begun; none does anything. */
const begun: string[] = [];
function refuseToWork(name: string): never {
  begun.push(name);
  throw svcError('SVC-SRV-006', {});
}
const refusing: Partial<Operations> = Object.fromEntries(
  Object.keys(operations).map((name) => [name, async () => refuseToWork(name)]),
);

let folder: TempFolder;
let openFolder: TempFolder;
let server: TestServer;
/** The same without authentication. */
let open: TestServer;
let upload = '';
let hours = 0;
const headersOf = new Map<Credential, Readonly<Record<string, string>>>();
const formTokens = new Map<Credential, string>();

async function start(at: TempFolder, authDisabled: boolean): Promise<TestServer> {
  const media = scriptMedia(async () => refuseToWork('the import of the medium'));
  const started = await startTestServer({
    folder: at.path,
    authDisabled,
    now: () => performance.now() + hours * 3_600_000,
    trustedProxies: ['127.0.0.1'],
    operations: refusing,
    media,
    filesets: ['closed', 'open', 'absent'].map((name) => ({
      name,
      ref: `localhost/filesets/${name === 'absent' ? 'absent' : 'tree'}`,
      anonymous: name === 'open',
    })),
  });
  const owner = { provenance: 'import' } as const;
  const put = (name: string) => openRepository(started.store, name, { owner, kind: 'FileSet' });
  await pushArtifact(put('localhost/filesets/tree'), tree, '1.0.0');
  return started;
}

before(async () => {
  [folder, openFolder] = [await openTempFolder(), await openTempFolder()];
  server = await start(folder, false);
  open = await start(openFolder, true);
  const { tokens } = server.accounts;
  const revoked = await tokens.create({ name: 'revoked', role: 'admin' });
  await tokens.revoke('revoked');
  await server.accounts.create({ name: 'ana', role: 'admin', password: 'a password of ana' });
  await tokens.create({ name: 'ana', role: 'viewer' });
  // not that of the examples, which would change it and end the session
  const password = 'a password of this test';
  const toCookie = async (name: string): Promise<{ cookie: string; token: string }> => {
    const session = openBrowserSession(server);
    await session.signIn(name, password);
    return {
      cookie: [...session.cookies].map((pair) => pair.join('=')).join('; '),
      token: await session.tokenOf('/account'),
    };
  };
  const keep = async (who: Credential, name: string): Promise<void> => {
    const { cookie, token } = await toCookie(name);
    headersOf.set(who, { cookie });
    formTokens.set(who, token);
  };
  await server.accounts.create({ name: 'late', role: 'admin', password });
  await keep('an expired session', 'late');
  hours += 2;
  headersOf.set('nothing', {});
  headersOf.set('a wrong token', { authorization: `Bearer svc_${'x'.repeat(43)}` });
  headersOf.set('a wrong password', { authorization: `Basic ${btoa('admin:not this one')}` });
  headersOf.set('a revoked token', { authorization: `Bearer ${revoked.secret}` });
  for (const role of roles) {
    await server.accounts.create({ name: `one-${role}`, role, password });
    headersOf.set(`a token: ${role}`, { authorization: server.as[role] });
    await keep(`a session: ${role}`, `one-${role}`);
  }
  for (const one of [server, open]) {
    const at = { registry: one.url, repository: 'team/app', authorization: one.as.admin };
    await pushArtifactOverHttp(at, image, '1.4.2');
  }
  const opened = await server.fetch('/v2/team/app/blobs/uploads/', { method: 'POST' });
  upload = opened.headers.get('location')!.split('/').at(-1)!;
});
after(async () => {
  for (const item of [server, open, folder, openFolder]) await item[Symbol.asyncDispose]();
});

const registryPaths: Readonly<Record<string, () => string>> = {
  version: () => '/v2/',
  catalog: () => '/v2/_catalog',
  tags: () => '/v2/team/app/tags/list',
  manifest: () => '/v2/team/app/manifests/1.4.2',
  blob: () => `/v2/team/app/blobs/${config}`,
  uploads: () => '/v2/team/app/blobs/uploads/',
  upload: () => `/v2/team/app/blobs/uploads/${upload}`,
  referrers: () => `/v2/team/app/referrers/${image.manifest.descriptor.digest}`,
};

function toTarget({ surface, name }: Route): string {
  if (surface === 'registry') return registryPaths[name]!();
  const path = name
    .replace('{repo}', 'team/app')
    .replace('{tag}', '1.4.2')
    .replace('{id}', 'tsk_000000000000')
    .replace('{name}', 'ana')
    .replace(/\{[a-z]+\}/g, 'nothing');
  return surface === 'api' ? `/api/v1${path}` : path;
}

const apiOf = new Map(apiRoutes.map((route) => [`${route.method} ${route.path}`, route]));

/** The example of the document: a request that would have its effect. */
function exampleOf(route: string): Readonly<Record<string, unknown>> | undefined {
  const { method, path } = apiOf.get(route)!;
  const entry = openApi.paths[`/api/v1${path}`][method.toLowerCase()];
  return Object.values<any>(entry.requestBody?.content['application/json'].examples ?? {})[0]?.value;
}

function toBody({ surface, method, name }: Route, who: Credential | undefined): RequestInit {
  if (method === 'GET') return {};
  if (surface === 'api') {
    const headers = { 'content-type': 'application/json' };
    return { headers, body: JSON.stringify(exampleOf(`${method} ${name}`) ?? {}) };
  }
  if (surface === 'ui') {
    const route = uiRoutes.find((one) => one.method === method && one.path === name)!;
    const example = 'mirror' in route ? (exampleOf(nameMirror(route.mirror)) ?? {}) : {};
    const fields = Object.fromEntries(
      Object.entries(example).map(([field, value]) => [field, String(value)]),
    );
    const token = route.floor === 'public' || who === undefined ? undefined : formTokens.get(who);
    return { body: new URLSearchParams({ ...(token === undefined ? {} : { csrf: token }), ...fields }) };
  }
  if (surface === 'registry' && method === 'PUT' && name === 'manifest') {
    const { descriptor, bytes } = image.manifest;
    return { headers: { 'content-type': descriptor.mediaType }, body: new Uint8Array(bytes) };
  }
  return method === 'DELETE' ? {} : { body: 'bytes' };
}

let requests = 0;
async function send(to: TestServer, route: Route, method: string, who?: Credential): Promise<Response> {
  requests += 1;
  const { headers, ...init } = toBody(route, who);
  const target = toTarget(route);
  const answer = await fetch(`${to.url}${target}`, {
    redirect: 'manual',
    ...init,
    method,
    headers: {
      accept: route.surface === 'ui' ? 'text/html' : '*/*',
      // each from another address, so that failures do not add up
      'x-forwarded-for': `198.18.${(requests >> 8) & 255}.${requests & 255}`,
      ...(headers as Record<string, string>),
      ...(who === undefined ? {} : headersOf.get(who)),
    },
  });
  await requireDocumented(method, target, answer);
  return answer;
}

/** Refusals for want of a credential, a role or a form token. */
const isRefusal = (text: string): boolean => /SVC-AUTH-00[2345]|UNAUTHORIZED/.test(text);

async function judge(answer: Response, expected: Expected, name: string): Promise<void> {
  const text = await answer.text();
  const told = `${name}: ${answer.status} ${text.slice(0, 300)}`;
  const isHead = name.startsWith('HEAD');
  if (expected === 'admitted') {
    assert.ok(answer.status !== 401 && !(answer.status === 403 && isRefusal(text)), told);
    assert.ok(!(answer.headers.get('location') ?? '').startsWith('/login'), told);
    assert.ok(answer.status < 500 || answer.status === 503, told);
    return;
  }
  assert.equal(answer.status, expected.status, told);
  if (expected.code !== undefined && !isHead) assert.ok(text.includes(expected.code), told);
  if (expected.location !== undefined)
    assert.match(answer.headers.get('location') ?? '', expected.location, told);
  if (answer.status === 401 && !(answer.headers.get('content-type') ?? '').startsWith('text/html'))
    assert.match(answer.headers.get('www-authenticate') ?? '', /^(Basic|Bearer) /, told);
}

/** Everything that a refused request could have changed. */
function look(): unknown {
  const { store, tasks } = server;
  // a store at rest, and the times of earlier sign-ins, are written later
  const isOfRest = (path: string): boolean =>
    /^(store\/(index\.json|media\.jsonl|_svc)|state\/\.?logins)/.test(path);
  return {
    begun: begun.length,
    head: store.head,
    tasks: tasks.pending(),
    files: folderPrint(folder.path, isOfRest),
  };
}

test('the table names every route of the listener with its floor, and no other', () => {
  const rows = (surface: SurfaceName) =>
    routeTable[surface].map(([method, path, floor]) => `${method} ${path} ${floor}`).sort();
  const toRow = ({ method, path, floor }: { method: string; path: string; floor: string }) =>
    `${method} ${path} ${floor}`;
  assert.deepEqual(rows('api'), apiRoutes.map(toRow).sort());
  assert.deepEqual(rows('ui'), uiRoutes.map(toRow).sort());
  const registry = Object.entries(registryMethods).flatMap(([to, methods]) =>
    methods.flatMap((method) => (method === 'HEAD' ? [] : [`${method} ${to}`])),
  );
  assert.deepEqual(
    rows('registry').map((row) => row.split(' ').slice(0, 2).join(' ')),
    registry.sort(),
  );
});

for (const surface of Object.keys(routeTable) as SurfaceName[])
  test(`${surface}: every credential gets what its role gives, and what is refused changes nothing`, async () => {
    for (const route of routes.filter((one) => one.surface === surface)) {
      const methods = route.method === 'GET' && route.name !== 'upload' ? ['GET', 'HEAD'] : [route.method];
      const ordered = (isAdmitted: boolean) =>
        credentials.filter((who) => (expect(route, who) === 'admitted') === isAdmitted);
      const seen = look();
      for (const who of ordered(false))
        for (const method of methods)
          await judge(
            await send(server, route, method, who),
            expect(route, who),
            `${method} ${route.name} with ${who}`,
          );
      assert.deepEqual(look(), seen, `${route.method} ${route.name}: something changed`);
      for (const who of ordered(true))
        await judge(
          await send(server, route, route.method, who),
          'admitted',
          `${route.method} ${route.name} with ${who}`,
        );
    }
  });

test('without authentication every route is open, and a form still needs its token', async () => {
  for (const route of routes) {
    const isForm = route.surface === 'ui' && route.method === 'POST';
    const answer = await send(open, route, route.method);
    const expected = isForm ? { status: 403, code: 'SVC-AUTH-004' } : 'admitted';
    await judge(answer, expected, `${route.method} ${route.name}`);
  }
});

test('a refusal of somebody who is known is in the audit log', () => {
  const { audits } = server.report;
  for (const [action, surface] of [
    ['api.access', 'api'],
    ['ui.access', 'ui'],
    ['registry.access', 'registry'],
  ] as const) {
    const below = routes.filter((one) => one.surface === surface && isBelow('viewer', one.floor));
    for (const route of below) {
      const target = `${route.method} ${toTarget(route)}`;
      assert.ok(
        audits.some(
          (one) => one.action === action && one.target === target && one.actor.startsWith('token:viewer'),
        ),
        `${target} is not in the audit log`,
      );
    }
  }
});
