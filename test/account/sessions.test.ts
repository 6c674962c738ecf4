import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SessionAccount, Sessions } from '../../src/account/sessions.ts';
import type { Bounds } from '../../src/base/shares/shares.ts';
import { createManualClock } from '../kit/instance/clock.ts';

const ana: SessionAccount = { name: 'ana', role: 'operator', hash: '$argon2id$1' };
const only = (account: SessionAccount | undefined) => (name: string) =>
  account?.name === name ? account : undefined;

function createSessions(bounds?: Bounds) {
  const clock = createManualClock();
  return {
    clock,
    sessions: new Sessions({ ttl: 60_000, now: clock.monotonic, ...(bounds ? { bounds } : {}) }),
  };
}

test('a session is found by its secret of 32 random bytes until it expires', () => {
  const { clock, sessions } = createSessions();
  const { secret, maxAgeSeconds } = sessions.start(ana);
  assert.equal(Buffer.from(secret, 'base64url').length, 32);
  assert.equal(maxAgeSeconds, 60);
  clock.advance(59_999);
  assert.equal(sessions.find(secret, only(ana)), ana);
  clock.advance(1);
  assert.equal(sessions.find(secret, only(ana)), undefined);
  assert.equal(sessions.size, 0);
});

test('a session secret chosen by the client is not accepted', () => {
  const { sessions } = createSessions();
  sessions.start(ana);
  assert.equal(sessions.find('chosen-by-the-client', only(ana)), undefined);
  assert.equal(sessions.find('x'.repeat(100_000), only(ana)), undefined);
});

test('a session ends permanently when the password or role changes or the account is deleted', () => {
  for (const changed of [{ ...ana, hash: '$argon2id$2' }, { ...ana, role: 'viewer' as const }, undefined]) {
    const { sessions } = createSessions();
    const { secret } = sessions.start(ana);
    assert.equal(sessions.find(secret, only(changed)), undefined);
    assert.equal(sessions.find(secret, only(ana)), undefined);
  }
});

test('signing out ends one session and no other', () => {
  const { sessions } = createSessions();
  const first = sessions.start(ana);
  const second = sessions.start(ana);
  sessions.end(first.secret);
  assert.equal(sessions.find(first.secret, only(ana)), undefined);
  assert.equal(sessions.find(second.secret, only(ana)), ana);
});

const ben: SessionAccount = { name: 'ben', role: 'viewer', hash: '$argon2id$2' };
const root: SessionAccount = { name: 'root', role: 'admin', hash: '$argon2id$3' };
const anyOf = (name: string) => [ana, ben, root].find((account) => account.name === name);

test('ten thousand sign-ins of one viewer end no session of another account', () => {
  const { sessions } = createSessions();
  const first = [ana, root].map((account) => sessions.start(account).secret);
  const own = Array.from({ length: 10_100 }, () => sessions.start(ben).secret);
  assert.deepEqual(
    first.map((secret) => sessions.find(secret, anyOf)),
    [ana, root],
  );
  assert.equal(sessions.find(own.at(-17)!, anyOf), undefined, 'its own oldest ended');
  assert.equal(sessions.find(own.at(-16)!, anyOf), ben);
  assert.equal(sessions.size, 18);
});

test('when all sessions are taken, the account that has most loses its oldest, and no administrator to others', () => {
  const { sessions } = createSessions({
    total: 6,
    reserve: 1,
    share: { origin: 0, account: 4, admin: 4 },
  });
  const start = (account: SessionAccount, count: number): string[] =>
    Array.from({ length: count }, () => sessions.start(account).secret);
  const of = { root: start(root, 2), ana: start(ana, 2), ben: start(ben, 1) };
  start(ben, 1);
  const isLive = (secrets: readonly string[]) =>
    secrets.map((secret) => sessions.find(secret, anyOf) !== undefined);
  assert.deepEqual([of.root, of.ana, of.ben].map(isLive), [[true, true], [false, true], [true]]);
  start(root, 1);
  assert.equal(sessions.size, 6, 'the reserve');
  assert.deepEqual(isLive(of.root), [true, true]);
});

test('expired sessions are forgotten when new ones start', () => {
  const { clock, sessions } = createSessions();
  for (let i = 0; i < 5; i += 1) sessions.start(ana);
  clock.advance(60_000);
  sessions.start(ana);
  assert.equal(sessions.size, 1);
});
