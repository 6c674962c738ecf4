import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAccounts } from '../../src/account/accounts.ts';
import { createAuthenticator } from '../../src/account/authenticate.ts';
import { Sessions } from '../../src/account/sessions.ts';
import { Throttle } from '../../src/account/throttle.ts';
import { resources } from '../../src/base/shares/resources.ts';
import { createManualClock } from '../kit/instance/clock.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const hashing = { timeCost: 1, memoryCost: 64, parallelism: 1 };
const origin = '192.0.2.1';
const basic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

async function openFixture() {
  const folder = await openTempFolder();
  const clock = createManualClock();
  const report = createRecordingReport();
  const real = openAccounts({ stateRoot: join(folder.path, 'state'), hashing });
  let hashes = 0;
  let hold: Promise<void> | undefined;
  const accounts = {
    ...real,
    verifyPassword: async (...input: Parameters<typeof real.verifyPassword>) => {
      hashes += 1;
      if (hold !== undefined) await hold;
      return real.verifyPassword(...input);
    },
  };
  await accounts.create({ name: 'root', password: 'a right secret' });
  await accounts.create({ name: 'ana', password: 'a long pass:word', role: 'operator' });
  const sessions = new Sessions({ ttl: 3_600_000, now: clock.monotonic });
  const throttle = new Throttle({ now: clock.monotonic });
  const authenticator = createAuthenticator({ accounts, sessions, throttle, report, now: clock.monotonic });
  const authenticate = async (...input: Parameters<typeof authenticator.authenticate>) =>
    authenticator.authenticate(...input);
  return {
    ...authenticator,
    authenticate,
    accounts,
    clock,
    report,
    hashes: () => hashes,
    /** Lets no check of a password end until the returned function is called. */
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      hold = promise;
      return resolve;
    },
    outcome: (authorization: string, from = origin) =>
      authenticate({ authorization, origin: from }).then(
        (identity) => identity?.actor,
        (error: { code: string }) => error.code,
      ),
    [Symbol.asyncDispose]: async () => {
      await accounts[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('a request without credentials has no identity and is not a failure', async () => {
  await using fixture = await openFixture();
  for (let i = 0; i < 50; i += 1) assert.equal(await fixture.authenticate({ origin }), undefined);
  assert.equal(await fixture.authenticate({ cookie: 'theme=dark; lang=fr', origin }), undefined);
  assert.equal(await fixture.authenticate({ cookie: 'svc_session=', origin }), undefined);
  assert.equal(await fixture.outcome(basic('root', 'a right secret')), 'root');
  assert.deepEqual(fixture.report.audits, []);
});

test('a name and its password are the account, with its role', async () => {
  await using fixture = await openFixture();
  assert.deepEqual(await fixture.authenticate({ authorization: basic('ana', 'a long pass:word'), origin }), {
    actor: 'ana',
    role: 'operator',
    via: 'basic',
    account: 'ana',
    since: (await fixture.accounts.get('ana')).createdAt,
  });
  assert.equal(typeof (await fixture.accounts.get('ana')).lastLoginAt, 'string');
});

test('a token is accepted as bearer and as password under any user name', async () => {
  await using fixture = await openFixture();
  const { secret } = await fixture.accounts.tokens.create({ name: 'ci', role: 'viewer' });
  assert.deepEqual(await fixture.authenticate({ authorization: `Bearer ${secret}`, origin }), {
    actor: 'token:ci',
    role: 'viewer',
    via: 'bearer',
  });
  for (const name of ['', 'root', 'whoever']) {
    const identity = await fixture.authenticate({ authorization: basic(name, secret), origin });
    assert.deepEqual(identity, { actor: 'token:ci', role: 'viewer', via: 'basic' });
  }
  assert.equal(fixture.hashes(), 0);
  await fixture.accounts.tokens.revoke('ci');
  assert.equal(await fixture.outcome(`Bearer ${secret}`), 'SVC-AUTH-002');
});

test('wrong credentials of every kind get the same answer', async () => {
  await using fixture = await openFixture();
  const wrong = [
    basic('root', 'wrong'),
    basic('nobody', 'wrong'),
    basic('root', ''),
    `Bearer svc_${'x'.repeat(43)}`,
    'Bearer secret',
    basic('root', 'svc_short'),
    'Basic !!!',
    `Basic ${Buffer.from('no colon').toString('base64')}`,
    'Digest username="root"',
    'nonsense',
  ];
  for (const [i, authorization] of wrong.entries()) {
    assert.equal(await fixture.outcome(authorization, `192.0.2.${i}`), 'SVC-AUTH-002', authorization);
  }
});

test('an unknown name costs a hash, as a known one does', async () => {
  await using fixture = await openFixture();
  await fixture.outcome(basic('root', 'wrong'));
  assert.equal(fixture.hashes(), 1);
  await fixture.outcome(basic('nobody', 'wrong'));
  assert.equal(fixture.hashes(), 2);
});

test('a verified password needs no new hash for a minute', async () => {
  await using fixture = await openFixture();
  for (let i = 0; i < 20; i += 1) await fixture.outcome(basic('root', 'a right secret'));
  assert.equal(fixture.hashes(), 1);
  fixture.clock.advance(60_000);
  assert.equal(await fixture.outcome(basic('root', 'a right secret')), 'root');
  assert.equal(fixture.hashes(), 2);
});

test('a changed password, a changed role and a deleted account count at the next request', async () => {
  await using fixture = await openFixture();
  const ana = basic('ana', 'a long pass:word');
  assert.equal(await fixture.outcome(ana), 'ana');
  await fixture.accounts.update('ana', { role: 'viewer' });
  assert.equal((await fixture.authenticate({ authorization: ana, origin }))?.role, 'viewer');
  await fixture.accounts.update('ana', { password: 'an other secret' });
  assert.equal(await fixture.outcome(ana), 'SVC-AUTH-002');
  assert.equal(await fixture.outcome(basic('ana', 'an other secret')), 'ana');
  await fixture.accounts.delete('ana');
  assert.equal(await fixture.outcome(basic('ana', 'an other secret')), 'SVC-AUTH-002');
});

test('after ten failures no password is verified, right or wrong, until the budget grows', async () => {
  await using fixture = await openFixture();
  for (let i = 0; i < 10; i += 1)
    assert.equal(await fixture.outcome(basic('root', `wrong ${i}`)), 'SVC-AUTH-002');
  const hashes = fixture.hashes();
  await assert.rejects(fixture.authenticate({ authorization: basic('root', 'a right secret'), origin }), {
    code: 'SVC-AUTH-012',
    params: { retryAfterSeconds: 30 },
  });
  assert.equal(await fixture.outcome(basic('nobody', 'wrong')), 'SVC-AUTH-012');
  await assert.rejects(fixture.signIn({ name: 'root', password: 'a right secret', origin }), {
    code: 'SVC-AUTH-012',
  });
  assert.equal(fixture.hashes(), hashes);
  assert.equal(await fixture.outcome(basic('root', 'a right secret'), '192.0.2.2'), 'root');
  fixture.clock.advance(30_000);
  assert.equal(await fixture.outcome(basic('root', 'a right secret')), 'root');
});

test('over budget a password that was verified within the last minute passes, and no other', async () => {
  await using fixture = await openFixture();
  assert.equal(await fixture.outcome(basic('root', 'a right secret')), 'root');
  for (let i = 0; i < 10; i += 1) await fixture.outcome(basic('root', `wrong ${i}`));
  const hashes = fixture.hashes();
  assert.equal(await fixture.outcome(basic('root', 'a right secret')), 'root');
  assert.equal(await fixture.outcome(basic('ana', 'a long pass:word')), 'SVC-AUTH-012');
  assert.equal(fixture.hashes(), hashes);
  await fixture.accounts.update('root', { password: 'an other secret' });
  assert.equal(await fixture.outcome(basic('root', 'a right secret')), 'SVC-AUTH-012');
});

test('over budget a valid token passes and a wrong one does not', async () => {
  await using fixture = await openFixture();
  const { secret } = await fixture.accounts.tokens.create({ name: 'ci', role: 'viewer' });
  for (let i = 0; i < 10; i += 1) await fixture.outcome('Bearer wrong');
  assert.equal(await fixture.outcome('Bearer wrong'), 'SVC-AUTH-012');
  assert.equal(await fixture.outcome(`Bearer ${secret}`), 'token:ci');
  assert.equal(await fixture.outcome(basic('password of x', secret)), 'token:ci');
});

test('guesses made at the same time spend the budget too', async () => {
  await using fixture = await openFixture();
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, i) => fixture.outcome(basic('root', `guess ${i}`))),
  );
  assert.equal(outcomes.filter((outcome) => outcome === 'SVC-AUTH-002').length, 10);
  assert.equal(outcomes.filter((outcome) => outcome === 'SVC-AUTH-012').length, 30);
});

test('a client that opens many connections with the right password is not throttled', async () => {
  await using fixture = await openFixture();
  const outcomes = await Promise.all(
    Array.from({ length: 64 }, () => fixture.outcome(basic('root', 'a right secret'))),
  );
  assert.deepEqual(new Set(outcomes), new Set(['root']));
  assert.equal(fixture.hashes(), 1);
});

test('failures are audited with the name of the account that was tried, and a flood of refusals once', async () => {
  await using fixture = await openFixture();
  for (let i = 0; i < 30; i += 1) await fixture.outcome(basic('ana', 'a-wrong-password'));
  const { audits } = fixture.report;
  assert.equal(audits.filter((event) => event.outcome === 'failure').length, 10);
  assert.equal(audits.filter((event) => event.outcome === 'denied').length, 1);
  assert.deepEqual(new Set(audits.map((event) => event.action)), new Set(['auth.authenticate']));
  assert.deepEqual(new Set(audits.map((event) => event.target)), new Set(['ana']));
  assert.ok(!JSON.stringify(audits).includes('a-wrong-password'));
});

test('a tried name is audited only if an account has it: a password or token typed as a name is not', async () => {
  await using fixture = await openFixture();
  for (const name of [`x\u001b[2J${'y'.repeat(500)}`, 'hunter2', 'pass:word', 'svc_abcdef', '', 'ana'])
    await fixture.outcome(basic(name, 'a-wrong-password'));
  await assert.rejects(fixture.signIn({ name: 'hunter2', password: 'password of ana', origin }), {
    code: 'SVC-AUTH-002',
  });
  const { audits } = fixture.report;
  assert.deepEqual(
    audits.map(({ target }) => target),
    [...Array.from({ length: 5 }, () => '(unknown)'), 'ana', '(unknown)'],
  );
  assert.ok(!JSON.stringify(fixture.report).includes('hunter2'));
});

test('while an origin is throttled, an unknown name is not audited either', async () => {
  await using fixture = await openFixture();
  for (let i = 0; i < 12; i += 1) await fixture.outcome(basic('hunter2', `guess ${i}`));
  const { audits } = fixture.report;
  assert.deepEqual(new Set(audits.map(({ outcome }) => outcome)), new Set(['failure', 'denied']));
  assert.deepEqual(new Set(audits.map(({ target }) => target)), new Set(['(unknown)']));
});

test('signing in starts a session that its cookie identifies until it is signed out', async () => {
  await using fixture = await openFixture();
  const { identity, secret } = await fixture.signIn({
    name: 'ana',
    password: 'a long pass:word',
    origin,
  });
  assert.equal(identity.via, 'session');
  const cookie = `theme=dark; svc_session=${secret}`;
  assert.deepEqual(await fixture.authenticate({ cookie, origin }), {
    actor: 'ana',
    role: 'operator',
    via: 'session',
    account: 'ana',
    since: (await fixture.accounts.get('ana')).createdAt,
  });
  fixture.signOut(cookie);
  await assert.rejects(fixture.authenticate({ cookie, origin }), { code: 'SVC-AUTH-005' });
});

test('a session ends with a password or role change and with its time', async () => {
  await using fixture = await openFixture();
  const sign = async (password: string) =>
    `svc_session=${(await fixture.signIn({ name: 'ana', password, origin })).secret}`;
  const ended = { code: 'SVC-AUTH-005' };
  const first = await sign('a long pass:word');
  await fixture.accounts.update('ana', { role: 'viewer' });
  await assert.rejects(fixture.authenticate({ cookie: first, origin }), ended);
  const second = await sign('a long pass:word');
  await fixture.accounts.changePassword('ana', 'a long pass:word', 'the next secret');
  await assert.rejects(fixture.authenticate({ cookie: second, origin }), ended);
  const third = await sign('the next secret');
  fixture.clock.advance(3_600_000);
  await assert.rejects(fixture.authenticate({ cookie: third, origin }), ended);
});

test('an unknown cookie is an ended session and does not use the failure budget', async () => {
  await using fixture = await openFixture();
  for (let i = 0; i < 20; i += 1) {
    await assert.rejects(fixture.authenticate({ cookie: 'svc_session=made-up', origin }), {
      code: 'SVC-AUTH-005',
    });
  }
  assert.equal(await fixture.outcome(basic('root', 'a right secret')), 'root');
});

test('a wrong Authorization header is refused although the session is valid', async () => {
  await using fixture = await openFixture();
  const { secret } = await fixture.signIn({ name: 'ana', password: 'a long pass:word', origin });
  const request = {
    authorization: basic('ana', 'wrong'),
    cookie: `svc_session=${secret}`,
    origin,
  };
  await assert.rejects(fixture.authenticate(request), { code: 'SVC-AUTH-002' });
});

test('a token does not start a session', async () => {
  await using fixture = await openFixture();
  const { secret } = await fixture.accounts.tokens.create({ name: 'ci', role: 'admin' });
  await assert.rejects(fixture.signIn({ name: 'root', password: secret, origin }), { code: 'SVC-AUTH-002' });
});

test('guessing the present password while changing it spends the budget; other refusals do not', async () => {
  await using fixture = await openFixture();
  const change = (current: string, next: string) =>
    fixture.attempt(origin, () => fixture.accounts.changePassword('ana', current, next));
  for (let i = 0; i < 20; i += 1)
    await assert.rejects(change('a long pass:word', ''), { code: 'SVC-AUTH-007' });
  for (let i = 0; i < 10; i += 1)
    await assert.rejects(change(`guess ${i}`, 'the next one'), { code: 'SVC-AUTH-006' });
  await assert.rejects(change('a long pass:word', 'the next one'), { code: 'SVC-AUTH-012' });
});

test('names without an account cost as many hashes as names with one, tried with one wrong password together', async () => {
  await using fixture = await openFixture();
  // more attempts at once than hashes may run and wait: each that needs a hash of its own beyond them is refused
  const attempts = 40;
  const places = resources.signIns.total - resources.signIns.reserve;
  const names = Array.from({ length: attempts }, (_, i) => `name-${i}`);
  for (const name of names) await fixture.accounts.create({ name, password: 'the right password' });
  const tryAll = async (toName: (name: string) => string) => {
    const outcomes = await Promise.all(
      names.map((name, i) => fixture.outcome(basic(toName(name), 'one wrong password'), `192.0.2.${i}`)),
    );
    return Object.groupBy(outcomes, (outcome) => outcome ?? 'accepted');
  };
  const known = await tryAll((name) => name);
  const unknown = await tryAll((name) => `no-${name}`);
  assert.equal(known['SVC-AUTH-002']?.length, places);
  assert.deepEqual(unknown, known);
});

test('an account keeps a password that is shorter than a new one may be, and its sign-in is told once', async () => {
  await using folder = await openTempFolder();
  const stateRoot = join(folder.path, 'state');
  const report = createRecordingReport();
  const before = openAccounts({ stateRoot, hashing, passwordMinLength: 1 });
  await before.create({ name: 'root', password: 'short' });
  const accounts = openAccounts({ stateRoot, hashing, passwordMinLength: 20 });
  const { monotonic } = createManualClock();
  const authenticator = createAuthenticator({
    accounts,
    sessions: new Sessions({ ttl: 1000, now: monotonic }),
    throttle: new Throttle({ now: monotonic }),
    report,
    now: monotonic,
  });
  for (let i = 0; i < 2; i += 1) {
    const { isShort } = await authenticator.signIn({ name: 'root', password: 'short', origin });
    assert.equal(isShort, true);
  }
  assert.deepEqual(
    report.records.map(({ level, fields }) => [level, fields]),
    [['warn', { account: 'root', least: 20 }]],
  );
  const refused = { code: 'SVC-AUTH-007' };
  await assert.rejects(accounts.create({ name: 'ana', password: 'nineteen characters' }), refused);
  await assert.rejects(accounts.update('root', { password: 'nineteen characters' }), refused);
  await assert.rejects(accounts.changePassword('root', 'short', 'nineteen characters'), refused);
  await accounts.changePassword('root', 'short', 'a password of 20 or more');
  const { isShort } = await authenticator.signIn({
    name: 'root',
    password: 'a password of 20 or more',
    origin,
  });
  assert.equal(isShort, false);
});

/** Wrong passwords from many addresses, as many from each as its budget allows. */
const flood = (fixture: Awaited<ReturnType<typeof openFixture>>, rounds: number) =>
  Array.from({ length: 60 }, (_, n) => `198.51.100.${n}`).flatMap((from) =>
    Array.from({ length: rounds }, (__, round) => fixture.outcome(basic('root', `wrong ${round}`), from)),
  );

test('an administrator signs in at an address known to the instance while many addresses guess passwords', async () => {
  await using fixture = await openFixture();
  assert.equal(await fixture.outcome(basic('root', 'a right secret')), 'root');
  fixture.clock.advance(60_000);
  const go = fixture.hold();
  const guesses = flood(fixture, 1);
  const signedIn = fixture.outcome(basic('root', 'a right secret'));
  const before = fixture.hashes();
  go();
  assert.equal(await signedIn, 'root');
  assert.ok(fixture.hashes() - before < 10, `${fixture.hashes() - before} checks came first`);
  const outcomes = await Promise.all(guesses);
  assert.equal(outcomes.filter((outcome) => outcome === 'SVC-SRV-006').length, 60 - 24);
});

test('an address without failures is served before addresses that guess passwords', async () => {
  await using fixture = await openFixture();
  for (let n = 0; n < 60; n += 1) await fixture.outcome(basic('root', 'a guess'), `198.51.100.${n}`);
  const go = fixture.hold();
  const guesses = flood(fixture, 2);
  const signedIn = fixture.outcome(basic('ana', 'a long pass:word'), '203.0.113.1');
  go();
  assert.equal(await signedIn, 'ana');
  await Promise.all(guesses);
});
