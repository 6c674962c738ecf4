import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { concealLines, createConceal } from '../../server/conceal.ts';
import { showTask } from '../../server/views/tasks.ts';
import { svcError } from '../../src/text/error.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { plan } from '../kit/scene/plan-document.ts';

let folder: TempFolder;
let server: TestServer;
before(async () => {
  folder = await openTempFolder();
  const path = `${folder.path}/store/blobs/sha256/x`;
  server = await startTestServer({
    folder: folder.path,
    operations: {
      planSync: async () => ({
        plan: plan({ checks: [{ ...plan().checks[0]!, path: `${folder.path}/store` }] }),
        exit_code: 0,
      }),
      inspectArtifact: () => Promise.reject(svcError('SVC-STO-001', { path })),
    },
  });
});
after(async () => {
  for (const one of [server, folder]) await one[Symbol.asyncDispose]();
});

test('paths of the machine are replaced by setting names for everybody except administrators', async () => {
  const ask = async (role: 'operator' | 'admin', path: string, method = 'GET') =>
    (await server.fetch(`/api/v1${path}`, { method, headers: { authorization: server.as[role] } })).text();
  for (const [path, method, shown] of [
    ['/plan', 'POST', '"path":"<storage.root>"'],
    ['/import/inspect?reference=x', 'GET', '<storage.root>/blobs/sha256/x'],
  ] as const) {
    const hidden = await ask('operator', path, method);
    assert.ok(hidden.includes(shown), hidden);
    assert.ok(!hidden.includes(folder.path));
    assert.ok((await ask('admin', path, method)).includes(`${folder.path}/store`));
  }
});

test('a viewer can neither see nor search for the path of a layout task', async () => {
  const output = '/exports/secret/zone.tar';
  await server.tasks.submit({
    type: 'layout-export',
    reference: output,
    actor: 'admin',
    parameters: { output, format: 'tar', recipes: [], repositories: [], overwrite: false },
  } as never);
  const list = async (role: 'viewer' | 'operator' | 'admin', q: string) => {
    const headers = { authorization: server.as[role] };
    return (await (await server.fetch(`/api/v1/tasks?q=${q}`, { headers })).json()) as any;
  };
  for (const role of ['viewer', 'operator'] as const) {
    const { tasks } = await list(role, 'zone.tar');
    assert.equal(tasks[0].reference, 'zone.tar');
    assert.equal((await list(role, '/exports/secret')).total, 0);
    const one = await server.fetch(`/api/v1/tasks/${tasks[0].id}`, {
      headers: { authorization: server.as[role] },
    });
    assert.doesNotMatch(await one.text(), /exports/);
  }
  assert.equal((await list('admin', '/exports/secret')).tasks[0].reference, output);
});

test('only an administrator sees the folders that the error of a layout task names', async () => {
  const task = {
    type: 'layout-export',
    reference: '/exports/secret/zone.tar',
    error: {
      detail: "ENOENT: open '/exports/secret/.zone.tar.1', mkdir '/exports/secret', lstat '/exports'",
    },
  };
  const parts = { tasks: { get: async () => task } } as never;
  const show = async (role: 'viewer' | 'operator' | 'admin') =>
    (await showTask(parts, { role } as never, 'any')) as unknown as typeof task;
  for (const role of ['viewer', 'operator'] as const)
    assert.equal((await show(role)).error.detail, "ENOENT: open '…/.zone.tar.1', mkdir '…', lstat '…'");
  assert.equal((await show('admin')).error.detail, task.error.detail);
});

test('the target of a link above a layout is concealed as the link is', async () => {
  const task = {
    type: 'layout-import',
    reference: '/exports/secret/zone.tar',
    error: {
      code: 'SVC-FIL-005',
      params: { path: '/real/place/zone.tar', denied: '/real/place' },
      detail: "EACCES: open '/real/place/.zone.tar.1', read https://registry.example/v2/app, app/web:1.0",
    },
  };
  const parts = { tasks: { get: async () => task } } as never;
  const { error } = (await showTask(parts, { role: 'viewer' } as never, 'any')) as unknown as typeof task;
  assert.deepEqual(error.params, { path: '…/zone.tar', denied: '…/place' });
  assert.equal(
    error.detail,
    "EACCES: open '…/.zone.tar.1', read https://registry.example/v2/app, app/web:1.0",
  );
});

test('a path is concealed as a whole only, in JSON and in text that comes in pieces', async () => {
  const conceal = createConceal([
    { setting: 'state.root', path: '/srv' },
    { setting: 'storage.root', path: '/srv/store' },
    { setting: 'ignored', path: '/' },
    { setting: 'quoted', path: '/a"b' },
  ]);
  assert.equal(conceal('/srv/store/x /srv /srv/state'), '<storage.root>/x <state.root> <state.root>/state');
  assert.equal(conceal('/srv2 host/srv /srv.old'), '/srv2 host/srv /srv.old');
  assert.equal(conceal('in /srv/store. Or /srv. /srv…'), 'in <storage.root>. Or <state.root>. <state.root>…');
  assert.equal(conceal('/srv... /srv./x /srv..'), '<state.root>... /srv./x <state.root>..');
  assert.equal(conceal(JSON.stringify({ path: '/a"b' })), '{"path":"<quoted>"}');
  const pieces = ['one /sr', 'v/sto', 're\ntwo /srv/store'].map((piece) => Buffer.from(piece));
  assert.equal(
    await text(concealLines(Readable.from(pieces), conceal)),
    'one <storage.root>\ntwo <storage.root>',
  );
});

test('errors of the registry contain no path, and its answers run nothing in a browser', async () => {
  for (const [path, status] of [
    ['/v2/', 200],
    ['/v2/_catalog', 200],
    ['/v2/none/manifests/x', 404],
  ] as const) {
    const answer = await server.fetch(path);
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    const policy = "default-src 'none'; frame-ancestors 'none'; sandbox";
    assert.equal(answer.headers.get('content-security-policy'), policy);
    await answer.text();
  }
});
