import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { untilAborted } from '../../kit/instance/task-queue.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';

let folder: TempFolder;
let server: TestServer;
const password = 'a password of today';

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    run: async (_task, _request, _journal, signal) => untilAborted(signal),
  });
  await server.accounts.create({ name: 'alice', role: 'admin', password });
  await server.accounts.create({ name: 'olga', role: 'operator', password });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const basic = (name: string): string => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

async function call(method: string, path: string, body?: unknown, authorization = server.as.admin) {
  const response = await server.fetch(`/api/v1${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function queue(
  authorization: string,
): Promise<{ status: number; id: string; code: string; title: string }> {
  const answer = await call('POST', '/sync', { prune: false }, authorization);
  const { task, code, title } = answer.body;
  return { status: answer.status, id: task?.id, code, title };
}

test('one operator fills no more than a share of the queue, and an administrator still queues tasks', async () => {
  for (let n = 0; n < 65; n += 1) assert.equal((await queue(basic('olga'))).status, 201);
  const refused = await queue(basic('olga'));
  assert.deepEqual([refused.status, refused.code], [429, 'SVC-TSK-002']);
  assert.match(refused.title, /^olga: 64 tasks of this account are waiting/);
  assert.equal((await queue(basic('alice'))).status, 201);
  assert.equal((await queue(server.as.operator)).status, 201);
});

test('several tasks are cancelled by one request, and each that cannot be is named', async () => {
  const { tasks } = (await call('GET', '/tasks?view=summary&status=pending&q=olga&pageSize=3')).body;
  const ids = tasks.map(({ id }: { id: string }) => id);
  assert.equal((await call('POST', '/tasks/cancel', { ids }, server.as.viewer)).status, 403);
  const unknown = 'tsk_000000000000';
  const done = await call('POST', '/tasks/cancel', { ids: [...ids, unknown] });
  assert.deepEqual(done, {
    status: 200,
    body: { cancelled: ids, refused: [{ id: unknown, code: 'SVC-TSK-001' }] },
  });
  assert.deepEqual(
    server.report.audits.slice(-4).map(({ action, target, outcome }) => [action, target, outcome]),
    [...ids.map((id: string) => ['task.cancel', id, 'success']), ['task.cancel', unknown, 'failure']],
  );
});

test('the page cancels the waiting tasks of its list, and says how many', async () => {
  const admin = openBrowserSession(server);
  await admin.signIn('alice', password);
  const at = '/tasks?q=olga&status=pending';
  const list = await (await admin.get(at)).text();
  assert.match(list, /Cancel the 50 tasks of this list that wait/);
  const ids = [...list.matchAll(/name="ids" value="([^"]+)"/g)].map(([, id]) => id!);
  assert.equal(ids.length, 50);
  const fields = { ids: ids.slice(0, 2).join('\n') };
  const question = await admin.post('/tasks/cancel', fields, { page: '/tasks' });
  assert.equal(question.status, 200, 'they are of somebody else');
  assert.match(await question.text(), /<h1[^>]*>Cancel 2 tasks\?/);
  const answer = await admin.post('/tasks/cancel', { ...fields, _asked: 'true' }, { page: '/tasks' });
  assert.equal(answer.status, 303, await answer.text());
  for (const [language, said] of [
    ['en', /2 tasks were cancelled\./],
    ['fr', /2 tâches ont été annulées\./],
  ] as const)
    assert.match(
      await (await admin.get(answer.headers.get('location')!, { 'accept-language': language })).text(),
      said,
    );
});

test('the waiting tasks of a deleted account are cancelled with it, which its audit record names', async () => {
  const waiting = async (): Promise<number> =>
    (await call('GET', '/tasks?view=summary&status=pending&q=olga')).body.total;
  const before = await waiting();
  assert.ok(before > 10);
  assert.equal((await call('DELETE', '/accounts/olga', {})).status, 204);
  assert.equal(await waiting(), 0);
  const { action, details } = server.report.audits.at(-1)!;
  assert.equal(action, 'account.delete');
  assert.equal((details!.cancelledTasks as readonly string[]).length, before);
});
