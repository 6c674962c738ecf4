import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { apiRoutes } from '../../../server/api/routes.ts';
import { taskFloors } from '../../../server/api/tasks.ts';
import { showIdentity } from '../../../server/views/status.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { untilAborted } from '../../kit/instance/task-queue.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;
before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path, zone: 'zone-b' });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function call(
  method: string,
  path: string,
  { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body?: unknown } = {},
) {
  const response = await server.fetch(`/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { status } = response;
  return {
    status,
    etag: response.headers.get('etag'),
    body: text === '' ? undefined : (JSON.parse(text) as any),
  };
}

const as = (authorization: string) => ({ headers: { authorization } });

test('whoever asks is told name, role and how the request was authenticated', async () => {
  const token = await call('GET', '/whoami', as(server.as.operator));
  assert.deepEqual([token.body.role, token.body.via, token.body.account], ['operator', 'bearer', undefined]);
  assert.match(token.body.name, /^token:/);
  await server.accounts.create({ name: 'ana', role: 'viewer', password: 'a good password' });
  const basic = `Basic ${Buffer.from('ana:a good password').toString('base64')}`;
  const { body } = await call('GET', '/whoami', as(basic));
  const { role } = await server.accounts.get('ana');
  assert.deepEqual(body, { name: 'ana', role, via: 'basic', account: 'ana' });
  assert.equal((await call('GET', '/whoami', as('Bearer svc_wrong'))).status, 401);
});

test('a session is shown with its end, and other credentials without one', () => {
  const ana = { actor: 'ana', role: 'viewer', account: 'ana' } as const;
  const options = { sessionLeft: 3_600_200, now: 0 };
  assert.deepEqual(showIdentity({ ...ana, via: 'session' }, options), {
    name: 'ana',
    role: 'viewer',
    via: 'session',
    account: 'ana',
    expiresAt: '1970-01-01T01:00:00.000Z',
  });
  assert.equal(showIdentity({ ...ana, via: 'basic' }, options).expiresAt, undefined);
});

test('the state of the instance tells version, mode, gate, occupancy and what runs', async () => {
  const { body } = await call('GET', '/status', as(server.as.viewer));
  assert.deepEqual(
    [body.mode, body.authentication, body.gate.serving, body.verifying, body.pending],
    ['passthrough', { disabled: false }, 'open', false, 0],
  );
  assert.equal(body.occupancy.monitored, false);
  assert.deepEqual(body.notices, []);
  const { id } = await server.tasks.submit({ type: 'sync', reference: '/retriever.yaml', actor: 'ana' });
  const ended = await server.tasks.settled(id);
  const next = await call('GET', '/status', as(server.as.viewer));
  assert.deepEqual([next.body.lastTask.id, next.body.lastTask.status], [id, ended.status]);
  assert.equal(next.body.lastTask.items, undefined);
  assert.equal(next.body.lastTask.reference, '<retriever.source>', 'the source is for administrators');
});

test('while authentication is disabled the state says so, and everybody is the anonymous administrator', async () => {
  await using own = await openTempFolder();
  await using open = await startTestServer({
    folder: own.path,
    authDisabled: true,
    preflightDisabled: true,
    occupancyThreshold: () => 1,
  });
  open.store.core.state.bytes = 2;
  const get = async (path: string): Promise<any> => (await fetch(`${open.url}/api/v1${path}`)).json();
  const { authentication, notices: told } = await get('/status');
  assert.deepEqual(authentication, { disabled: true });
  assert.deepEqual(told, ['authentication-disabled', 'occupancy-exceeded', 'preflight-disabled']);
  assert.deepEqual(await get('/whoami'), { name: 'anonymous', role: 'admin', via: 'disabled' });
});

test('what clients poll has an entity tag, and is answered 304 until it changes', async () => {
  const polled = ['/status', '/tasks', '/tasks?view=summary'];
  const { id } = (await server.tasks.list()).tasks[0]!;
  for (const path of [...polled, `/tasks/${id}`]) {
    const first = await call('GET', path);
    assert.equal(first.status, 200, path);
    assert.match(first.etag ?? '', /^"[A-Za-z0-9_-]{27}"$/, path);
    for (const named of [first.etag!, `W/${first.etag}`, `"other", ${first.etag}`, '*']) {
      const again = await call('GET', path, { headers: { 'if-none-match': named } });
      assert.deepEqual([again.status, again.body, again.etag], [304, undefined, first.etag], path);
    }
    assert.equal((await call('GET', path, { headers: { 'if-none-match': '"other"' } })).status, 200);
  }
  const before = await call('GET', '/tasks');
  await server.tasks.settled((await server.tasks.submit({ type: 'sync', reference: 'r', actor: 'a' })).id);
  const changed = await call('GET', '/tasks', { headers: { 'if-none-match': before.etag! } });
  assert.equal(changed.status, 200);
  assert.equal((await call('GET', '/content')).etag, null);
});

test('an answer that a role may not see in full has another entity tag', async () => {
  const path = '/tasks?view=summary&q=retriever';
  const [admin, viewer] = [await call('GET', path), await call('GET', path, as(server.as.viewer))];
  assert.notEqual(admin.etag, viewer.etag);
});

test('a summary has the counts and no items', async () => {
  const { body } = await call('GET', '/tasks?view=summary&pageSize=1');
  assert.deepEqual([body.tasks.length, body.page, body.tasks[0].items], [1, 1, undefined]);
  assert.equal(typeof body.tasks[0].counts.total, 'number');
  assert.equal((await call('GET', '/tasks?view=odd')).body.code, 'SVC-VAL-001');
});

test('the floor of a cancellation is that of the request that starts such a task', () => {
  const starts = {
    sync: '/sync',
    import: '/import',
    'media-import': '/media/import',
    'layout-export': '/oci-layout/export',
    'layout-import': '/oci-layout/import',
  } as const;
  for (const [type, path] of Object.entries(starts)) {
    const route = apiRoutes.find((one) => one.method === 'POST' && one.path === path);
    assert.equal(taskFloors[type as keyof typeof starts], route?.floor, type);
  }
});

test('a task is cancelled by who may start such a task, and each attempt is audited', async () => {
  await using own = await openTempFolder();
  const begun = Promise.withResolvers<void>();
  await using busy = await startTestServer({
    folder: own.path,
    run: (_task, _request, _journal, signal) => {
      begun.resolve();
      return untilAborted(signal);
    },
  });
  const layout = { output: '/out', format: 'tar', recipes: [], repositories: [], overwrite: false } as const;
  const running = await busy.tasks.submit({ type: 'sync', reference: '/r', actor: 'ana' });
  const waiting = await busy.tasks.submit({
    type: 'layout-export',
    reference: '/out',
    actor: 'ana',
    parameters: layout,
  });
  await begun.promise;
  const cancel = async (id: string, authorization: string) => {
    const response = await busy.fetch(`/api/v1/tasks/${id}/cancel`, {
      method: 'POST',
      headers: { authorization },
    });
    return { status: response.status, body: (await response.json()) as any };
  };
  const { operator, viewer, admin } = busy.as;
  assert.equal((await cancel(running.id, viewer)).status, 403);
  const refused = await cancel(waiting.id, operator);
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.params],
    [403, 'SVC-AUTH-003', { role: 'admin' }],
  );
  const ended = await cancel(waiting.id, admin);
  assert.deepEqual(
    [ended.status, ended.body.task.status, ended.body.task.principalCode],
    [200, 'cancelled', 'SVC-TSK-004'],
  );
  const stopping = await cancel(running.id, operator);
  assert.equal(stopping.status, 200);
  assert.match(stopping.body.task.cancelledBy, /^token:operator/);
  assert.equal((await busy.tasks.settled(running.id)).principalCode, 'SVC-TSK-004');
  const late = await cancel(running.id, operator);
  assert.deepEqual([late.status, late.body.code], [409, 'SVC-TSK-005']);
  assert.equal((await cancel('tsk_000000000000', admin)).status, 404);
  assert.deepEqual(
    busy.report.audits
      .filter(({ action }) => action === 'task.cancel')
      .map(({ target, outcome, details }) => [target, outcome, details?.code ?? details?.type]),
    [
      [waiting.id, 'denied', 'SVC-AUTH-003'],
      [waiting.id, 'success', 'layout-export'],
      [running.id, 'success', 'sync'],
      [running.id, 'failure', 'SVC-TSK-005'],
      ['tsk_000000000000', 'failure', 'SVC-TSK-001'],
    ],
  );
});
