import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusalLog } from '../../server/refusal-log.ts';
import { createManualClock } from '../kit/instance/clock.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { startTestServer } from '../kit/instance/server.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const unknown = { code: 'BLOB_UNKNOWN', status: 404 };

test('every refusal is logged once at level info with the correlation id of its answer', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const viewer = { authorization: server.as.viewer };
  const digest = `sha256:${'0'.repeat(64)}`;
  for (const [path, init, status, code] of [
    ['/api/v1/content', { headers: { authorization: 'Bearer wrong' } }, 401, 'SVC-AUTH-002'],
    ['/v2/', { headers: { authorization: '' } }, 401, 'SVC-AUTH-002'],
    ['/nowhere', {}, 404, 'SVC-SRV-002'],
    ['/api/v1/nowhere', {}, 404, 'SVC-SRV-002'],
    [`/v2/a/blobs/${digest}`, {}, 404, 'BLOB_UNKNOWN'],
    ['/v2/a/blobs/uploads/', { method: 'POST', headers: viewer }, 403, 'SVC-AUTH-003'],
    ['/v2/a/blobs/sha256:x', {}, 400, 'DIGEST_INVALID'],
  ] as const) {
    const response = await server.fetch(path, init);
    await response.arrayBuffer();
    assert.equal(response.status, status, path);
    const id = response.headers.get('x-request-id');
    const found = server.report.records.filter(({ fields }) => fields.correlationId === id);
    assert.deepEqual(
      found.map(({ level, message, fields }) => [level, message, fields.code, fields.status]),
      [['info', 'request refused', code, status]],
      path,
    );
  }
});

test('after a dozen a minute the refusals of an origin are summed up', () => {
  const clock = createManualClock();
  const report = createRecordingReport();
  using log = new RefusalLog(report, { clock });
  for (let n = 0; n < 40; n += 1) log.record('192.0.2.1', unknown, { correlationId: String(n) });
  log.record('192.0.2.2', unknown, { correlationId: 'another origin' });
  assert.equal(report.records.length, 13);
  clock.advance(60_000);
  log.sum();
  const [last] = report.records.slice(-1);
  assert.equal(report.records.length, 14);
  assert.deepEqual(last?.fields, { origin: '192.0.2.1', count: 28, codes: { BLOB_UNKNOWN: 28 } });
  log.record('192.0.2.1', unknown, { correlationId: 'next minute' });
  assert.equal(report.records.at(-1)?.fields.correlationId, 'next minute');
});

test('an account keeps records of its own behind an address that is refused all the time', () => {
  const clock = createManualClock();
  const report = createRecordingReport();
  using log = new RefusalLog(report, { clock });
  for (let n = 0; n < 3000; n += 1) log.record('192.0.2.1', unknown, { correlationId: String(n) });
  const olga = { actor: 'olga', role: 'operator', via: 'session', account: 'olga' } as const;
  log.record('192.0.2.1', unknown, { correlationId: 'of olga' }, olga);
  assert.equal(report.records.at(-1)?.fields.correlationId, 'of olga');
  for (let n = 0; n < 20; n += 1) log.record(`192.0.2.${n}`, unknown, {}, olga);
  clock.advance(60_000);
  log.sum();
  const sums = report.records.filter(({ message }) => message === 'further requests refused');
  assert.deepEqual(
    sums.map(({ fields }) => fields),
    [
      { origin: '192.0.2.1', count: 2988, codes: { BLOB_UNKNOWN: 2988 } },
      { actor: 'olga', count: 9, codes: { BLOB_UNKNOWN: 9 } },
    ],
  );
});

test('refusals and sign-ins of one caller fill no audit log, and every change is in it', () => {
  const clock = createManualClock();
  const report = createRecordingReport();
  using log = new RefusalLog(report, { clock });
  const audit = (
    actor: string,
    action: 'ui.access' | 'session.login' | 'account.create',
    outcome: 'denied' | 'success',
  ) => log.report.child({ runId: 'r' }).audit({ actor, action, target: '/', outcome, origin: '192.0.2.1' });
  for (let n = 0; n < 3000; n += 1) audit('unauthenticated', 'ui.access', 'denied');
  assert.equal(report.audits.length, 12);
  for (let n = 0; n < 3000; n += 1) audit('vera', 'session.login', 'success');
  assert.equal(report.audits.length, 24);
  for (let n = 0; n < 300; n += 1) audit('alice', 'account.create', 'success');
  assert.equal(report.audits.length, 324);
  audit('alice', 'ui.access', 'denied');
  assert.equal(report.audits.length, 325, 'a budget of its own');
  clock.advance(60_000);
  log.sum();
  const times = { firstAt: '2026-01-01T00:00:00.000Z', lastAt: '2026-01-01T00:00:00.000Z' };
  assert.deepEqual(summed(report, 325), [
    ['unauthenticated', 'ui.access', '/', 'denied', '192.0.2.1', { further: 2988, ...times }],
    ['vera', 'session.login', '/', 'success', '192.0.2.1', { further: 2988, ...times }],
  ]);
});

/** The records after the first ones, without what their report adds. */
const summed = ({ audits }: ReturnType<typeof createRecordingReport>, from: number) =>
  audits
    .slice(from)
    .map(({ actor, action, target, outcome, origin, details }) => [
      actor,
      action,
      target,
      outcome,
      origin,
      details,
    ]);

test('a sum keeps what its events have in common, and counts what differs', () => {
  const clock = createManualClock();
  const report = createRecordingReport();
  using log = new RefusalLog(report, { clock });
  const fail = (n: number, target: string, origin: string): void => {
    const details = { code: 'SVC-AUTH-002', correlationId: `id ${n}` };
    const attempt = { actor: 'vera', action: 'auth.authenticate', outcome: 'failure' } as const;
    log.report.audit({ ...attempt, target, origin, details });
  };
  for (let n = 0; n < 12; n += 1) fail(n, 'vera', '192.0.2.1');
  clock.advance(1000);
  fail(12, 'vera', '192.0.2.1');
  clock.advance(2000);
  fail(13, 'vera', '192.0.2.1');
  clock.advance(60_000);
  log.sum();
  const [firstAt, lastAt] = ['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:03.000Z'];
  const common = { code: 'SVC-AUTH-002', further: 2, firstAt, lastAt };
  assert.deepEqual(summed(report, 12), [
    ['vera', 'auth.authenticate', 'vera', 'failure', '192.0.2.1', common],
  ]);
  for (let n = 0; n < 212; n += 1) fail(n, `name ${n % 15}`, `192.0.2.${n % 200}`);
  clock.advance(60_000);
  log.sum();
  const [sum] = summed(report, 25);
  assert.deepEqual(sum?.slice(2, 5), ['(several)', 'failure', undefined]);
  // beyond a hundred, addresses are not told apart: a sum takes limited memory
  assert.deepEqual(sum?.[5], {
    code: 'SVC-AUTH-002',
    ...{ further: 200, targets: 15, addresses: 100 },
    ...{ firstAt: '2026-01-01T00:01:03.000Z', lastAt: '2026-01-01T00:01:03.000Z' },
  });
});

test('an attempt at a change keeps its own record beside a flood of refused pages, and is bounded itself', () => {
  const clock = createManualClock();
  const report = createRecordingReport();
  using log = new RefusalLog(report, { clock });
  const origin = '192.0.2.1';
  const audit = (action: 'ui.access' | 'account.password_change' | 'content.delete', target: string): void =>
    log.report.audit({ actor: 'vera', action, target, outcome: 'denied', origin });
  for (let n = 0; n < 500; n += 1) audit('ui.access', `/page/${n}`);
  for (let n = 0; n < 10; n += 1) audit('account.password_change', 'vera');
  for (let n = 0; n < 10; n += 1) audit('content.delete', `app:${n}`);
  assert.equal(report.audits.length, 32);
  for (let n = 0; n < 1000; n += 1) audit('content.delete', 'app:1');
  clock.advance(60_000);
  log.sum();
  assert.ok(report.audits.length < 80, `${report.audits.length}`);
  const sum = report.audits.at(-1);
  assert.deepEqual([sum?.action, sum?.target, sum?.origin], ['content.delete', 'app:1', origin]);
});

test('any number of origins takes limited memory, and every refusal is counted', () => {
  const report = createRecordingReport();
  {
    using log = new RefusalLog(report);
    for (let n = 0; n < 10_100; n += 1) {
      const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
      log.record(address, unknown, {});
    }
  }
  const sums = report.records.filter(({ message }) => message === 'further requests refused');
  assert.deepEqual(
    sums.map(({ fields }) => fields),
    [{ origin: 'others', count: 1100, codes: { BLOB_UNKNOWN: 1100 } }],
  );
});

test('refusals of a busy instance, and failures, are counted after a dozen a minute', () => {
  const clock = createManualClock();
  const report = createRecordingReport();
  using log = new RefusalLog(report, { clock });
  for (const code of ['SVC-SRV-006', 'SVC-STO-014'])
    for (let n = 0; n < 20; n += 1) log.record(code, { code, status: 503 }, {});
  const toShown = ({ level, message }: { level: string; message: string }) => `${level} ${message}`;
  assert.deepEqual(
    [...new Set(report.records.map(toShown))],
    ['info request refused', 'error request failed'],
  );
  assert.equal(report.records.length, 24);
});

test('wrong passwords of many addresses leave no more audit records than others may cause', async () => {
  await using folder = await openTempFolder();
  const auditRecords = { total: 5, reserve: 2, share: { origin: 2, account: 2, admin: 5 } };
  const trustedProxies = ['127.0.0.1'];
  await using server = await startTestServer({ folder: folder.path, auditRecords, trustedProxies });
  for (let n = 0; n < 9; n += 1)
    await server.fetch('/v2/', {
      headers: { authorization: 'Bearer wrong', 'x-forwarded-for': `192.0.2.${n}` },
    });
  const failures = server.report.audits.filter(({ action }) => action === 'auth.authenticate');
  assert.equal(failures.length, 3);
});

test('an administrator has the reserve of the audit records', async () => {
  await using folder = await openTempFolder();
  const auditRecords = { total: 5, reserve: 2, share: { origin: 3, account: 3, admin: 5 } };
  await using server = await startTestServer({ folder: folder.path, auditRecords });
  const remove = (authorization: string) =>
    server.fetch('/api/v1/accounts/nobody', { method: 'DELETE', headers: { authorization } });
  for (let n = 0; n < 9; n += 1) assert.equal((await remove(server.as.viewer)).status, 403);
  assert.equal((await remove(server.as.admin)).status, 404);
  assert.deepEqual(
    server.report.audits.filter(({ outcome }) => outcome !== 'success').map(({ outcome }) => outcome),
    ['denied', 'denied', 'denied', 'failure'],
  );
  const report = createRecordingReport();
  using log = new RefusalLog(report, { auditRecords, isAdmin: (actor) => actor === 'alice' });
  for (const actor of ['vera', 'omar', 'alice'])
    for (let n = 0; n < 3; n += 1)
      log.report.audit({ actor, action: 'ui.access', target: '/', outcome: 'denied', origin: '192.0.2.1' });
  assert.deepEqual(
    report.audits.map(({ actor }) => actor),
    ['vera', 'vera', 'vera', 'alice', 'alice'],
  );
});
