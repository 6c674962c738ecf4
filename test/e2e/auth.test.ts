import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminPassword } from '../kit/instance/instance.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

test('accounts and tokens of a running instance', async (t) => {
  await using world = await openRehearsal();
  const instance = await world.start('instance');
  const ask = (path: string, authorization: string | undefined, init: RequestInit = {}) =>
    fetch(`${instance.url}${path}`, {
      ...init,
      headers: { ...init.headers, ...(authorization === undefined ? {} : { authorization }) },
    });
  const at = ['--config', instance.configPath];

  await t.test('what the command line changes counts at the next request', async () => {
    const add = ['user', 'add', 'robot', '--role', 'operator', '--password-stdin', ...at];
    assert.equal((await world.svc(add, { input: 'the first words\n' })).exitCode, 0);
    const first = basic('robot', 'the first words');
    assert.equal((await ask('/v2/', first)).status, 200);
    const change = ['user', 'passwd', 'robot', '--password-stdin', ...at];
    assert.equal((await world.svc(change, { input: 'the second words\n' })).exitCode, 0);
    assert.equal((await ask('/v2/', first)).status, 401, 'a cached password does not outlive its change');
    assert.equal((await ask('/v2/', basic('robot', 'the second words'))).status, 200);
  });

  await t.test('the last administrator can be neither deleted nor demoted, by nobody', async () => {
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { role: 'viewer' }],
    ] as const) {
      const refused = await instance.api(method, '/accounts/admin', body);
      assert.equal(refused.status, 409);
      assert.equal(refused.body.code, 'SVC-AUTH-011');
    }
    await instance.api('POST', '/accounts', { name: 'second', role: 'admin', password: 'some other words' });
    assert.equal((await instance.api('PATCH', '/accounts/admin', { role: 'viewer' })).status, 200);
    const left = await ask('/api/v1/accounts/second', basic('second', 'some other words'), {
      method: 'DELETE',
    });
    assert.equal(left.status, 409);
    const back = await ask('/api/v1/accounts/admin', basic('second', 'some other words'), {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'admin' }),
    });
    assert.equal(back.status, 200);
  });

  await t.test('the roles of the registry go by method', async () => {
    const viewer = `Bearer ${await instance.createToken('viewer')}`;
    assert.equal((await ask('/v2/_catalog', viewer)).status, 200);
    assert.equal((await ask('/v2/some/where/blobs/uploads/', viewer, { method: 'POST' })).status, 403);
    const operator = `Bearer ${await instance.createToken('operator')}`;
    assert.equal((await ask('/v2/some/where/blobs/uploads/', operator, { method: 'POST' })).status, 202);
    const anonymous = await ask('/v2/', undefined);
    assert.equal(anonymous.status, 401);
    assert.match(anonymous.headers.get('www-authenticate')!, /^Basic realm=/);
  });

  await t.test('a revoked token is refused at once, also on a connection that stands', async () => {
    const { body } = await instance.api('POST', '/tokens', { name: 'short-lived', role: 'operator' });
    const bearer = `Bearer ${body.secret ?? body.token.secret}`;
    assert.equal((await ask('/api/v1/tasks', bearer)).status, 200);
    assert.ok((await instance.api('POST', '/tokens/short-lived/revoke')).status < 300);
    assert.equal((await ask('/api/v1/tasks', bearer)).status, 401);
    assert.match(instance.log(), /"action":"token\.revoke"/);
  });

  await t.test('an origin over its budget waits, whatever it offers but a token', async () => {
    const token = `Bearer ${await instance.createToken('viewer')}`;
    const late = { name: 'late', role: 'viewer', password: adminPassword };
    assert.equal((await instance.api('POST', '/accounts', late)).status, 201);
    let last = 401;
    for (let i = 0; i < 12 && last !== 429; i += 1)
      last = (await ask('/api/v1/tasks', basic('admin', `guess ${i}`))).status;
    assert.equal(last, 429);
    const right = await ask('/api/v1/tasks', basic('late', adminPassword));
    assert.equal(right.status, 429, 'no password is tried any more, right or wrong');
    const wait = Number(right.headers.get('retry-after'));
    assert.ok(wait >= 1 && wait <= 30, `Retry-After ${wait}`);
    assert.equal(((await right.json()) as { code: string }).code, 'SVC-AUTH-012');
    assert.equal((await ask('/v2/', basic('late', adminPassword))).status, 429);
    assert.equal((await ask('/api/v1/tasks', token)).status, 200);
    assert.equal((await ask('/healthz', undefined)).status, 200);
    assert.equal((await ask('/v2/', undefined)).status, 401, 'asking without credentials is no failure');
  });
});

test('without authentication everybody is the administrator, and that is said and kept', async () => {
  await using world = await openRehearsal();
  const instance = await world.start('open', { auth: { disabled: true } });
  assert.match(instance.log(), /"action":"auth\.override_active"/);
  const accounts = await fetch(`${instance.url}/api/v1/accounts`);
  assert.equal(accounts.status, 200);
  const foreign = await fetch(`${instance.url}/api/v1/sync`, {
    method: 'POST',
    headers: { origin: 'https://elsewhere.example', 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(foreign.status, 403);
  assert.equal(await instance.stop(), 0);
});

test('authentication is never disabled by a flag', async () => {
  await using world = await openRehearsal();
  const config = await world.configure('flag', {});
  const { exitCode, stderr } = await world.svc(['serve', '--config', config, '--auth-disabled']);
  assert.equal(exitCode, 2, stderr);
});
