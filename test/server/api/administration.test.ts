import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { scriptMedia } from '../../kit/scene/media-state.ts';

let folder: TempFolder;
let server: TestServer;
const media = scriptMedia(({ actor }) =>
  server.tasks.submit({
    type: 'media-import',
    reference: '/store',
    actor,
    parameters: { allowZoneMismatch: false, allowStale: false },
  }),
);

media.current = { guarded: true, serving: 'closed' };

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    media,
  });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function call(method: string, path: string, body?: unknown, authorization?: string) {
  const response = await server.fetch(`/api/v1${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as any) };
}

const lastAudit = (action: string) => server.report.audits.filter((event) => event.action === action).at(-1);

test('accounts are created, changed and deleted, and each step is audited', async () => {
  const created = await call('POST', '/accounts', { name: 'eve', password: 'a good password' });
  assert.equal(created.status, 201);
  assert.equal(created.body.account.role, 'viewer');
  assert.deepEqual(
    [lastAudit('account.create')?.target, lastAudit('account.create')?.outcome],
    ['eve', 'success'],
  );
  const taken = await call('POST', '/accounts', { name: 'eve', password: 'a good password' });
  assert.deepEqual([taken.status, taken.body.code], [409, 'SVC-AUTH-009']);
  assert.equal(lastAudit('account.create')?.outcome, 'failure');
  const promoted = await call('PATCH', '/accounts/eve', { role: 'operator' });
  assert.equal(promoted.body.account.role, 'operator');
  assert.equal(lastAudit('account.role_change')?.target, 'eve');
  assert.deepEqual(lastAudit('account.role_change')?.details, { role: 'operator', formerRole: 'viewer' });
  const last = await call('PATCH', '/accounts/admin', { role: 'viewer' });
  assert.deepEqual([last.status, last.body.code], [409, 'SVC-AUTH-011']);
  assert.equal((await call('DELETE', '/accounts/admin')).body.code, 'SVC-AUTH-011');
  assert.equal(lastAudit('account.delete')?.outcome, 'denied');
  assert.equal((await call('DELETE', '/accounts/eve')).status, 204);
  assert.deepEqual(lastAudit('account.delete')?.details, { role: 'operator' });
  assert.equal((await call('DELETE', '/accounts/eve')).status, 404);
  const { body } = await call('GET', '/accounts');
  assert.deepEqual(
    body.accounts.map(({ name }: any) => name),
    ['admin'],
  );
});

test('a token works until it is revoked, and its secret is shown once', async () => {
  const { status, body } = await call('POST', '/tokens', { name: 'ci', role: 'operator' });
  assert.equal(status, 201);
  const authorization = `Bearer ${body.token.secret}`;
  assert.equal((await call('GET', '/tasks', undefined, authorization)).status, 200);
  const list = await call('GET', '/tokens');
  assert.doesNotMatch(JSON.stringify(list.body), new RegExp(body.token.secret));
  const revoked = await call('POST', '/tokens/ci/revoke');
  assert.equal(revoked.status, 200);
  assert.deepEqual(lastAudit('token.revoke')?.details, { role: 'operator' });
  assert.equal(typeof revoked.body.token.revokedAt, 'string');
  assert.equal((await call('GET', '/tasks', undefined, authorization)).status, 401);
});

test('an account changes its own password, knowing the old one; a token has none', async () => {
  await call('POST', '/accounts', { name: 'own', password: 'the old password' });
  const basic = (password: string) => `Basic ${Buffer.from(`own:${password}`).toString('base64')}`;
  const change = (current: string, next: string) =>
    call('POST', '/account/password', { current, new: next }, basic('the old password'));
  const wrong = await change('not it', 'the new password');
  assert.deepEqual([wrong.status, wrong.body.code], [422, 'SVC-AUTH-006']);
  assert.equal(lastAudit('account.password_change')?.outcome, 'failure');
  assert.equal((await change('the old password', 'the new password')).status, 204);
  assert.equal(lastAudit('account.password_change')?.outcome, 'success');
  assert.equal((await call('GET', '/tasks', undefined, basic('the old password'))).status, 401);
  assert.equal((await call('GET', '/tasks', undefined, basic('the new password'))).status, 200);
  const token = await call('POST', '/account/password', { current: 'a', new: 'b' });
  assert.equal(token.body.code, 'SVC-AUTH-008');
});

test('the interval is overridden, shown and reset, and the audit has the values before and after', async () => {
  const put = await call('PUT', '/retriever/interval', { interval: '5m' });
  assert.equal(put.body.interval.effective, '5m');
  assert.deepEqual(lastAudit('config.interval')?.details, { before: '15m', after: '5m' });
  const { body } = await call('GET', '/retriever');
  assert.equal(body.interval.overridden, true);
  const short = await call('PUT', '/retriever/interval', { interval: '5s' });
  assert.deepEqual([short.status, short.body.code], [422, 'SVC-VAL-001']);
  assert.equal((await call('DELETE', '/retriever/interval')).status, 204);
  assert.equal((await call('GET', '/retriever')).body.interval.effective, '15m');
});

test('the cap is overridden, shown and reset, and the audit has the values before and after', async () => {
  const put = await call('PUT', '/network/rate-limit', { rateLimit: '2MiB/s' });
  const { effective, bytesPerSecond, overridden, fingerprint } = put.body.rateLimit;
  assert.deepEqual([effective, bytesPerSecond, overridden], ['2MiB', 2_097_152, true]);
  assert.deepEqual(lastAudit('config.rate-limit')?.details, { before: 'unlimited', after: '2MiB/s' });
  assert.equal((await call('GET', '/status')).body.link.bytesPerSecond, 2_097_152);
  for (const [rateLimit, rule] of [
    ['0', /must not be 0/],
    ['-1', /must not be negative/],
    ['5', /at least 1KiB/],
    ['9Mbit', /bytes, not bits/],
  ] as const) {
    const { status, body } = await call('PUT', '/network/rate-limit', { rateLimit });
    assert.deepEqual([status, body.code], [422, 'SVC-VAL-001'], rateLimit);
    assert.match(JSON.stringify(body), rule);
    assert.equal(lastAudit('config.rate-limit')?.outcome, 'failure');
  }
  const stale = { fingerprint: `sha256:${'0'.repeat(64)}` };
  assert.equal((await call('DELETE', '/network/rate-limit', stale)).body.code, 'SVC-SRV-007');
  assert.equal((await call('DELETE', '/network/rate-limit', { fingerprint })).status, 204);
  assert.equal((await call('GET', '/network')).body.link.rateLimit.effective, 'unlimited');
  assert.equal((await call('GET', '/status')).body.link.bytesPerSecond, undefined);
});

test('the windows are overridden, shown and reset, and a plan says what they mean', async () => {
  const windows = ['22:00-06:00', '12:00-13:00'];
  const put = await call('PUT', '/network/windows', { windows, timeZone: 'Europe/Paris' });
  assert.deepEqual([put.status, put.body.windows.effective], [200, windows]);
  assert.deepEqual(lastAudit('config.windows')?.details, { before: '', after: '22:00-06:00,12:00-13:00' });
  const { link } = (await call('GET', '/status')).body;
  assert.deepEqual([link.windows, link.timeZone], [windows, 'Europe/Paris']);
  assert.equal(typeof link.changesAt, 'string');
  for (const [given, rule] of [
    [{ windows: [] }, /minItems|at least|must/],
    [{ windows: ['08:00-08:00'] }, /is empty/],
    [{ windows: ['night'] }, /must be HH:MM-HH:MM/],
    [{ windows: ['22:00-06:00', '05:00-07:00'] }, /windows 1 and 2 overlap/],
    [{ windows, timeZone: 'Nowhere' }, /time zone of the IANA database/],
  ] as const) {
    const { status, body } = await call('PUT', '/network/windows', given);
    assert.deepEqual([status, body.code], [422, 'SVC-VAL-001'], JSON.stringify(given));
    assert.match(JSON.stringify(body), rule);
  }
  assert.equal((await call('DELETE', '/network/windows')).status, 204);
  assert.deepEqual((await call('GET', '/network')).body.link.windows.effective, []);
});

test('a waiver from a role below admin is refused and audited, whatever its value', async () => {
  for (const path of ['/media/verify', '/media/import']) {
    for (const body of [{ allowStale: true }, { allowZoneMismatch: false }]) {
      const refused = await call('POST', path, body, server.as.operator);
      assert.deepEqual([refused.status, refused.body.code], [403, 'SVC-AUTH-003']);
      assert.deepEqual(refused.body.params, { role: 'admin' });
      assert.equal(lastAudit('media.waiver')?.outcome, 'denied');
    }
    assert.ok((await call('POST', path, {}, server.as.operator)).status < 300);
  }
  const begun = await call('POST', '/media/verify', { wait: false }, server.as.operator);
  assert.deepEqual(begun, { status: 200, body: { guarded: true, serving: 'closed' } });
  assert.equal((await call('POST', '/media/verify', { allowStale: true })).status, 200);
  assert.equal(lastAudit('media.waiver')?.outcome, 'success');
  assert.equal(media.verifications.at(-1)!.origin, lastAudit('media.waiver')?.origin);
  const { allowStale, allowZoneMismatch } = media.verifications.at(-1)!;
  assert.deepEqual({ allowStale, allowZoneMismatch }, { allowStale: true, allowZoneMismatch: false });
});

test('a waiver may have a reason, which is recorded; a reason of nothing is refused', async () => {
  const reason = 'after the incident \u202e of 4 July';
  assert.equal((await call('POST', '/media/verify', { allowStale: true, reason })).status, 200);
  assert.equal(media.verifications.at(-1)!.reason, reason);
  assert.deepEqual(lastAudit('media.waiver')?.details, { step: 'attempt', waivers: ['allowStale'], reason });
  assert.ok((await call('POST', '/media/import', { allowZoneMismatch: true, reason })).status < 300);
  for (const body of [
    { reason },
    { allowStale: false, reason },
    { allowStale: true, reason: '' },
    { allowStale: true, reason: '  \t ' },
    { allowStale: true, reason: 'x'.repeat(501) },
    { allowStale: true, reason: 1 },
  ])
    for (const path of ['/media/verify', '/media/import']) {
      const refused = await call('POST', path, body);
      assert.deepEqual([refused.status, refused.body.code], [422, 'SVC-VAL-001'], JSON.stringify(body));
      assert.equal(refused.body.params.path, '/reason');
      assert.equal(lastAudit(path === '/media/verify' ? 'media.verify' : 'media.import')?.outcome, 'failure');
    }
  const below = await call('POST', '/media/verify', { allowStale: false, reason }, server.as.operator);
  assert.equal(below.body.code, 'SVC-AUTH-003');
});

test('without a zone the media endpoints name the missing setting', async () => {
  await using own = await openTempFolder();
  await using plain = await startTestServer({ folder: own.path });
  for (const [method, path] of [
    ['GET', '/media'],
    ['GET', '/media/verification'],
    ['POST', '/media/verify'],
    ['POST', '/media/import'],
  ] as const) {
    const response = await plain.fetch(`/api/v1${path}`, { method });
    assert.equal(response.status, 409);
    const problem = (await response.json()) as any;
    assert.deepEqual([problem.code, problem.params.setting], ['SVC-CFG-001', 'zone']);
  }
});

test('a triggered synchronization is a created task with its choice of prune', async () => {
  const { status, body } = await call('POST', '/sync', { prune: false });
  assert.equal(status, 201);
  assert.deepEqual(
    [lastAudit('sync.create')?.details?.taskId, lastAudit('sync.create')?.details?.runId],
    [body.task.id, body.task.runId],
  );
  assert.match(body.task.id, /^tsk_[0-9a-f]{12}$/);
  assert.equal(body.task.prune, false);
  await server.tasks.settled(body.task.id);
  const one = await call('GET', `/tasks/${body.task.id}`);
  assert.equal(one.body.task.status, 'done');
  const log = await call('GET', `/tasks/${body.task.id}/logs`);
  assert.equal(typeof log.body.next, 'number');
  const raw = await server.fetch(`/api/v1/tasks/${body.task.id}/logs?format=raw`);
  assert.match(raw.headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(raw.headers.get('content-disposition') ?? '', /^attachment/);
  assert.equal(raw.headers.get('x-content-type-options'), 'nosniff');
  await raw.text();
  for (const id of ['tsk_000000000000', '..', 'x'.repeat(300)]) {
    const missing = await server.fetch(`/api/v1/tasks/${encodeURIComponent(id)}`);
    assert.equal(missing.status, 404, id);
    await missing.text();
  }
});

test('without TLS there is no certificate to show or to replace', async () => {
  const { body } = await call('GET', '/network');
  assert.deepEqual([body.tls, body.replaceable], [false, false]);
  const put = await call('PUT', '/network/certificate', { certificate: 'x', key: 'y' });
  assert.deepEqual([put.status, put.body.code], [409, 'SVC-CFG-001']);
});
